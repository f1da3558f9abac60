"""``holdfast audit --recipe``: what else may be said with it."""

import typer

from holdfast.core.errors import BadSetting
from holdfast.data.reading import listed

WITH = (
    "data", "recipe", "seeds", "instances", "workers", "out", "fresh", "as_json", "fail_under",
    "junit", "markdown", "quiet",
)  # fmt: skip


def data_of_recipe(context: typer.Context) -> str | None:
    """The DATA that was typed, if any; options that a recipe makes no use of are refused."""
    typed = [name for name in context.params if _typed(context, name)]
    names = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    if others := [names[name] for name in typed if name not in WITH]:
        raise BadSetting(
            f"expected --recipe without {listed(others)}: a recipe reads, trains and explains by itself, so "
            "say it there"
        )
    return str(context.params["data"]) if "data" in typed else None


def _typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
