"""Auditing anything that can be trained again: its seeds, their verdict, and its report."""

import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

from holdfast.commands.audited import RUNS, Audited, write_report
from holdfast.commands.plan import Folder
from holdfast.core.errors import BadSetting
from holdfast.core.plain import short
from holdfast.data.reading import listed
from holdfast.report.live import heard
from holdfast.study.command import in_folder
from holdfast.study.engine import Listener
from holdfast.study.findings_file import read_findings, write_findings
from holdfast.study.growth import holds
from holdfast.study.recipe.contract import HOW, Recipe, load_recipe, recipe_of
from holdfast.study.recipe.data import Given, given
from holdfast.study.recipe.findings import recipe_findings
from holdfast.study.recipe.plan import RecipePlan
from holdfast.study.recipe.run import Seeds
from holdfast.study.recipe.worker import given_of
from holdfast.study.store import Store, locked_run


class Functions(TypedDict, total=False):
    """A recipe: where it is found, or its functions one by one, beside ``train(seed)``."""

    recipe: str | None
    predict: Callable[[Any, Any], Any]
    explain: Callable[[Any, Any, Any], Any]
    remove: Callable[[Any, Any], Any]
    untrained: Callable[[int], Any]
    save: Callable[[Any, Path], None]
    load: Callable[[Path], Any]


NAMES = tuple(Functions.__annotations__)


@dataclass(frozen=True)
class Rows:
    """The rows to explain. Those that the recipe's own function gives (``called``, for ``name`` if there is
    one) are known to workers too."""

    given: Given
    name: str | None = None
    called: bool = False


def audit_recipe(
    functions: Mapping[str, Any],
    data: Any = None,
    seeds: int = 10,
    instances: int | None = 200,
    out: Folder = None,
    fresh: bool = False,
    workers: int | None = None,
    listen: Listener | None = None,
) -> Audited:
    """Train ``seeds`` models by a recipe, explain the same rows with each, and judge the explanations.

    ``functions`` are as :class:`Functions` has them; without ``data`` the recipe's ``data()`` has the rows.
    """
    began = time.monotonic()
    recipe = recipe_given(functions, data)
    with heard(listen) as hears:
        hears("reading", 0, 1)
        rows = rows_of(recipe, data)
        hears("reading", 1, 1)
        about = (recipe.name, recipe.digests, recipe.roles, rows.given.sha256)
        plan = RecipePlan(*about, seeds=seeds, instances=instances)
        run = Path(out) if out is not None else RUNS / plan.name
        with locked_run(run, plan, fresh) as store:
            if not (store.follows(plan) and store.finished()):
                _carry_out(plan, recipe, rows, store, workers, hears)
            found = read_findings(run)
    answer = replace(found.answer, do=in_folder(found.answer.do, out))
    return Audited(run, answer, time.monotonic() - began, holds(found.notes))


def _carry_out(
    plan: RecipePlan, recipe: Recipe, rows: Rows, store: Store, workers: int | None, listen: Listener
) -> None:
    """Train, explain and judge, and write the report."""
    store.forget_damaged()
    store.turn_to(plan)
    about = rows.given, store, plan.seeds, plan.instances, rows.name, rows.called, workers, listen
    work = Seeds(recipe, *about)
    work.run()
    command = _command(plan, recipe, rows.name)
    findings = recipe_findings(plan, rows.given, work.kept, command, work.here, listen)
    write_findings(store, findings, whole=True)
    write_report(store, listen)


def recipe_given(functions: Mapping[str, Any], data: Any = None) -> Recipe:
    """The recipe that is named, or that consists of these functions."""
    one_by_one = {name: value for name, value in functions.items() if name != "recipe" and value is not None}
    if "recipe" not in functions:
        return recipe_of(one_by_one | ({"data": data} if callable(data) else {}))
    written = functions["recipe"]
    if one_by_one:
        raise BadSetting(f"expected a recipe or its functions, but got {', '.join(one_by_one)} too")
    if not isinstance(written, str):
        came = f"type {type(written).__name__}"
        raise BadSetting(
            f"expected recipe to be written ./file.py:name or package.module:name, but got {came}: or give "
            f"its functions one by one, {HOW}"
        )
    return load_recipe(written)


def rows_of(recipe: Recipe, data: Any) -> Rows:
    """The rows: of the recipe itself, by a name or a file, or as they were passed."""
    if data is None and recipe.data is None:
        raise BadSetting(
            "a recipe needs rows to explain: give it data() → (inputs, labels), or pass them "
            "(holdfast.audit((inputs, labels), …); on the command line an .npz file)"
        )
    if data is None or callable(data):
        return Rows(given_of(recipe, None), None, True)
    if not isinstance(data, str | Path):
        return Rows(given(data))
    found = given_of(recipe, str(data))
    return Rows(found, str(data), recipe.data is not None)


def _command(plan: RecipePlan, recipe: Recipe, name: str | None) -> str:
    """What repeats the run; files by their names alone."""
    if not any(one.role == "" for one in recipe.code):
        said = [f"{role}={role}" for role in recipe.roles if role != "data"]
        some = [] if plan.instances == 200 else [f"instances={plan.instances}"]
        return f"holdfast.audit({', '.join(['data', *said, f'seeds={plan.seeds}', *some])})"
    words = ["holdfast", "audit", *([] if name is None else [Path(name).name]), "--recipe", plan.recipe]
    words += ["--seeds", str(plan.seeds)]
    words += [] if plan.instances == 200 else ["--instances", str(plan.instances or "all")]
    return shlex.join(words)


def refuse(what: Mapping[str, Any]) -> None:
    """Refuse settings that a recipe makes no use of."""
    said = [name for name, value in what.items() if value is not None]
    if said:
        raise BadSetting(
            f"expected a recipe without {short(listed(said))}: it reads, trains and explains by itself, so "
            "say it there"
        )
