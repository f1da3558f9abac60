import inspect
from typing import get_args, get_type_hints

from holdfast.cli.commands import app
from holdfast.data import tables
from holdfast.data.image import file as image_file
from holdfast.data.interaction import file as play_file

COMMANDS = {command.callback.__name__.rstrip("_"): command.callback for command in app.registered_commands}


def test_the_commands() -> None:
    assert set(COMMANDS) == {"audit", "explain", "compare", "list", "reproduce", "report", "bench"}


def told(command: str, option: str) -> str:
    """What the help says of an option."""
    hints = get_type_hints(COMMANDS[command], include_extras=True)
    said: str = get_args(hints[option])[1].help
    return said


def test_help_is_true_of_interactions_too() -> None:
    for ending in (*tables.ENDINGS, image_file.ENDING, *play_file.ENDINGS):
        assert ending in told("audit", "data"), ending
    assert "users" in told("audit", "limit")
    assert "for a user, one (default: the best that has a sign)" in told("explain", "explainer")


def test_every_command_and_option_says_what_it_is() -> None:
    for name, command in COMMANDS.items():
        assert inspect.getdoc(command), name
        for option in get_type_hints(command):
            if option not in ("return", "context"):
                assert told(name, option), f"{name}: {option}"
