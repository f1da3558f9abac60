"""The plan of an audit of a recipe: what identifies its run, as plain values."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from holdfast import __version__
from holdfast.core.errors import BadRun, BadSetting
from holdfast.core.files import sha256
from holdfast.core.settings import MOST, at_most
from holdfast.study.plan import RECIPE
from holdfast.study.store import Store

SCHEMA = 1


@dataclass(frozen=True)
class RecipePlan:
    """A recipe by its name and by the SHA-256 of its code, what it can do, the SHA-256 of its data, and how
    many seeds and rows are asked for. By its seeds a run grows."""

    recipe: str
    outside: dict[str, str]
    roles: tuple[str, ...]
    data: str
    seeds: int = 10
    instances: int | None = 200
    study: str = RECIPE
    version: str = field(default=__version__)
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        if self.seeds < 2:
            raise BadSetting(f"expected --seeds to be 2 or more, but got {self.seeds}: stability needs two")
        if self.instances is not None and self.instances < 1:
            raise BadSetting(f"expected --instances to be 1 or more, but got {self.instances}")
        for name, most in (("seeds", 10_000), ("instances", MOST)):
            at_most(f"expected --{name}", getattr(self, name), most)

    @property
    def identity(self) -> dict[str, Any]:
        """What identifies a run."""
        return {name: value for name, value in self.to_json().items() if name != "seeds"}

    @property
    def name(self) -> str:
        """A folder's name: the recipe and the first eight of the hash of what identifies it."""
        whole = sha256(json.dumps(self.identity, sort_keys=True).encode())
        kept = "".join(c if c.isalnum() or c in "._" else "-" for c in self.recipe)
        return f"{kept.strip('-.')[:60] or 'recipe'}-{whole[:8]}"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"roles": list(self.roles)}

    @classmethod
    def from_json(cls, values: Any) -> "RecipePlan":
        """Back from :meth:`to_json`; another plan is refused."""
        if not isinstance(values, dict) or values.get("study") != RECIPE:
            raise BadRun("the run is not of a recipe")
        if values.get("schema") != SCHEMA:
            came = values.get("schema")
            raise BadRun(
                f"the run was made by another version of holdfast (schema {came}, expected {SCHEMA})"
            )
        try:
            return cls(**(values | {"roles": tuple(values["roles"])}))
        except (TypeError, KeyError) as error:
            raise BadRun(f"plan.json is not a plan ({error}): start over with --fresh") from error


def check_models(run: Path) -> None:
    """Refuse the run of a recipe where models of holdfast's own are needed, and say what it has instead."""
    written = Store(run).written
    if not isinstance(written, dict) or written.get("study") != RECIPE:
        return
    if "load" in RecipePlan.from_json(written).roles:
        raise BadSetting(
            f"{run} is of a recipe, whose inputs holdfast cannot read: load its models with the recipe's own "
            "load, from families/recipe/model-0 and so on, and explain with them"
        )
    raise BadSetting(
        f"{run} is of a recipe without save and load: its models are not kept, so that nothing new can be "
        "explained; give the recipe both, and run it again"
    )
