"""Parts that installed packages offer, by their entry points; nothing is loaded to know their names."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple


class Plugin(NamedTuple):
    """A name that an installed package gives to ``module:Class``; ``package`` is its name and version."""

    name: str
    value: str
    package: str


@cache
def plugins(kind: str) -> dict[str, Plugin]:
    """The entry points of one kind (group ``holdfast.explainers``, ``holdfast.models``, …), by name."""
    ordered = sorted(map(_plugin, entry_points(group=f"holdfast.{kind}")))
    return {plugin.name: plugin for plugin in ordered}


def _plugin(point: EntryPoint) -> Plugin:
    package = "" if point.dist is None else f"{point.dist.name} {point.dist.version}"
    return Plugin(point.name, point.value.partition("[")[0].strip(), package)
