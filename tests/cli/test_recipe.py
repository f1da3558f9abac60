"""Options that a recipe makes no use of are refused by their names; every other option is offered."""

import typer

from holdfast.cli import app
from holdfast.cli.recipe import WITH

COMMAND = typer.main.get_command(app).commands["audit"]


def test_every_option_that_goes_with_a_recipe_is_one_of_the_command():
    assert set(WITH) <= {parameter.name for parameter in COMMAND.params}


def test_data_count_only_where_they_were_typed():
    from holdfast.cli.recipe import data_of_recipe

    def typed(*words):
        return data_of_recipe(COMMAND.make_context("audit", ["--recipe", "./mine.py", *words]))

    assert typed() is None
    assert typed("--seeds", "3", "--json", "--quiet") is None
    assert typed("planted") == "planted"
