"""A worker that trains seeds of a recipe: ``python -P -m holdfast.study.recipe.worker``."""

from functools import cache
from pathlib import Path
from typing import Any

from holdfast.core.errors import BadData
from holdfast.study.recipe.contract import Recipe, reload_recipe
from holdfast.study.recipe.data import Given, given, given_file, read_given
from holdfast.study.recipe.kept import Kept
from holdfast.study.recipe.step import Step, explain_untrained
from holdfast.train import worker
from holdfast.train.worker import Tell


def work(task: dict[str, Any], tell: Tell) -> None:
    """Do one seed, or (without one) what models say as they start: ``{"code": …, "data": …, "folder": …,
    "instances": …, "seed": …}``."""
    recipe = _recipe(tuple(tuple(one) for one in task["code"]))
    step = Step(recipe, _data(recipe, task["data"]), task["instances"], Kept(Path(task["folder"])))
    do(step, task["seed"], tell)


def do(step: Step, seed: int | None, tell: Tell) -> None:
    """Do one seed, or what models say as they start."""
    if seed is None:
        explain_untrained(step)
    else:
        step.run(seed, lambda share: tell({"share": share}))


def given_of(recipe: Recipe, name: str | None) -> Given:
    """What the recipe's ``data()`` returns, given the name if there is one; without that function, a file."""
    if recipe.data is None:
        return given_file(Path(str(name)))
    return given(recipe.ask("data", *([] if name is None else [name])))


@cache
def _recipe(code: tuple[tuple[str, ...], ...]) -> Recipe:
    return reload_recipe([list(one) for one in code])


def _data(recipe: Recipe, data: dict[str, Any]) -> Given:
    """The rows: from the run's file, or from the recipe's own function, which must give the same again."""
    return _from_file(data["file"], data["sha256"]) if "file" in data else _called(recipe, **data)


@cache
def _from_file(file: str, sha256: str) -> Given:
    return read_given(Path(file), sha256)


@cache
def _called(recipe: Recipe, name: str | None, sha256: str) -> Given:
    found = given_of(recipe, name)
    if found.sha256 != sha256:
        raise BadData(
            "data() returns other rows each time it is called: draw and split them with a fixed seed"
        )
    return found


def main() -> None:
    """Answer tasks until standard input ends."""
    worker.main(work)


if __name__ == "__main__":
    main()
