"""A recipe: how to train a model again, and how to ask it."""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.core.errors import BadSetting
from holdfast.core.files import sha256
from holdfast.core.outside import call, load_object, reload_object
from holdfast.core.plain import short
from holdfast.study.recipe.digest import digest
from holdfast.train.here import importable

NEEDED = ("train", "predict", "explain")
HOW = "train(seed) → model, predict(model, inputs) → probabilities, explain(model, inputs, target) → scores"


class Code(NamedTuple):
    """Where a worker finds a function, or (without ``role``) the whole recipe; without ``name``, nowhere."""

    role: str
    name: str
    sha256: str
    path: str = ""


@dataclass(frozen=True)
class Recipe:
    """Functions that know how to make one more model, and how to ask it; Holdfast knows nothing else of it.

    ``train(seed)`` returns a model; ``predict(model, inputs)`` a probability for each row and class;
    ``explain(model, inputs, target)`` a score for each row and position, for the class ``target`` of each
    row, or several such tables by name. ``remove(inputs, keep)`` returns inputs without the positions where
    ``keep`` (rows, positions) is False; ``untrained(seed)`` a model as it starts; ``save(model, folder)`` and
    ``load(folder)`` write and read one; ``data()`` returns the rows to explain.
    """

    train: Callable[..., Any]
    predict: Callable[..., Any]
    explain: Callable[..., Any]
    remove: Callable[..., Any] | None = None
    untrained: Callable[..., Any] | None = None
    save: Callable[..., Any] | None = None
    load: Callable[..., Any] | None = None
    data: Callable[..., Any] | None = None
    code: tuple[Code, ...] = ()

    def __post_init__(self) -> None:
        for role in ROLES:
            function = getattr(self, role)
            if not callable(function) and (function is not None or role in NEEDED):
                came = "nothing" if function is None else f"something of type {type(function).__name__}"
                raise BadSetting(f"recipe: expected a function {role}, but got {came}: it needs {HOW}")
        if (self.save is None) != (self.load is None):
            one, other = ("save", "load") if self.load is None else ("load", "save")
            raise BadSetting(f"recipe: expected save and load together, but got {one} without {other}")

    def ask(self, role: str, *arguments: Any) -> Any:
        """Call one of its functions; what that raises is a TheirError."""
        return call(role, getattr(self, role), *arguments)

    @property
    def roles(self) -> tuple[str, ...]:
        """What it can do."""
        return tuple(role for role in ROLES if getattr(self, role) is not None)

    @property
    def name(self) -> str:
        """What a run calls it."""
        whole = [one.name for one in self.code if not one.role]
        trains = [one.name for one in self.code if one.role == "train"]
        return (*whole, *filter(None, trains), "recipe")[0]

    @cached_property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of its code: of files, and of functions that no file has."""
        return {one.name or one.role: one.sha256 for one in self.code}

    @cached_property
    def nowhere(self) -> tuple[str, ...]:
        """The functions that a worker cannot import."""
        return tuple(one.role for one in self.code if not one.name)


ROLES = tuple(field.name for field in fields(Recipe) if field.name != "code")


def load_recipe(written: str) -> Recipe:
    """Load ``./mine.py:recipe`` or ``package.module:recipe``: an object or a class that has the functions;
    without a name the file or module itself."""
    found = load_object(written, "recipe")
    code = Code("", found.name, found.sha256, str(found.path or ""))
    return _of_object(written, found.value, (code,))


def recipe_of(functions: Mapping[str, Callable[..., Any] | None]) -> Recipe:
    """A recipe of functions that were passed one by one."""
    code = tuple(_code(role, function) for role, function in functions.items() if function is not None)
    return Recipe(**{"train": None, "predict": None, "explain": None} | dict(functions), code=code)  # type: ignore[arg-type]


def reload_recipe(code: list[list[str]]) -> Recipe:
    """The recipe again in a worker process, from where each part is found."""
    parts = [Code(*one) for one in code]
    values = {one.role: reload_object(one.name, one.path, one.sha256) for one in parts}
    if "" in values:
        return _of_object(parts[0].name, values[""], tuple(parts))
    return Recipe(**values, code=tuple(parts))


def _of_object(written: str, value: Any, code: tuple[Code, ...]) -> Recipe:
    made = call(short(written), value) if inspect.isclass(value) else value
    functions: dict[str, Any] = {role: getattr(made, role, None) for role in ROLES}
    missing = [role for role in NEEDED if functions[role] is None]
    if missing:
        raise BadSetting(f"{short(written)} has no {' and no '.join(missing)}: a recipe needs {HOW}")
    return Recipe(**functions, code=code)


def _code(role: str, function: Callable[..., Any]) -> Code:
    """Where a function is found; one of a script, a notebook or another function is found nowhere, and known
    by what it does."""
    module, name = (getattr(function, about, None) for about in ("__module__", "__qualname__"))
    home = sys.modules.get(str(module))
    known = home is not None and module != "__main__" and vars(home).get(str(name)) is function
    file = getattr(home, "__file__", None)
    if not known or file is None or not Path(file).is_file() or not importable(str(module)):
        return Code(role, "", digest(function))
    return Code(role, f"{module}:{name}", sha256(Path(file).read_bytes()))
