"""The contract of a recipe, as checks: ``check_recipe(recipe, data)`` runs them all."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch import Tensor

from holdfast.study.recipe.answers import probabilities_of, scores_of
from holdfast.study.recipe.contract import Recipe
from holdfast.study.recipe.data import Given, given
from holdfast.study.recipe.digest import digest

ROWS = 4


def check_recipe(recipe: Recipe, data: Any = None) -> None:
    """Run every check of the contract; an ``AssertionError`` names the promise that is broken.

    ``data`` is what the recipe explains (default: what its ``data()`` returns); a few rows are enough. It
    trains three models.
    """
    rows = given(recipe.ask("data") if data is None else data)
    models = [recipe.ask("train", seed) for seed in (0, 0, 1)]
    for check in CHECKS:
        check(recipe, rows, models)


def check_seed(recipe: Recipe, rows: Given, models: list[Any]) -> None:
    """The same seed gives the same model, another seed another one."""
    first, again, other = (_predicted(recipe, rows, model) for model in models)
    assert torch.equal(first, again), (
        "train: expected the same seed to give the same model, but its predictions differ: a run that is "
        "killed and resumed is then not the run that was not"
    )
    assert not torch.equal(first, other), (
        "train: expected another seed to give another model, but its predictions are the same bits"
    )


def check_alone(recipe: Recipe, rows: Given, models: list[Any]) -> None:
    """A row alone has the probabilities and the scores that it has among others."""
    whole, scores = _predicted(recipe, rows, models[0]), _scores(recipe, rows, models[0])
    for row in range(min(ROWS, len(rows))):
        one = _only(rows, [row])
        alone = _predicted(recipe, one, models[0])
        assert torch.allclose(alone[0], whole[row], atol=1e-6), "predict: a row depends on the others"
        for name, table in _scores(recipe, one, models[0], _targets(recipe, rows, models[0])[[row]]).items():
            width = table.shape[1]
            assert torch.allclose(table[0], scores[name][row, :width], atol=1e-5), (
                f"explain, {name}: the scores of a row depend on the others"
            )


def check_untouched(recipe: Recipe, rows: Given, models: list[Any]) -> None:
    """The inputs are as they were after every call."""
    every, before = _every(rows), digest(_every(rows))
    target = _targets(recipe, rows, models[0])
    recipe.ask("predict", models[0], every)
    assert digest(every) == before, "predict changes its inputs"
    recipe.ask("explain", models[0], every, target.numpy())
    assert digest(every) == before, "explain changes its inputs"
    if recipe.remove is not None:
        recipe.ask("remove", every, np.zeros(_mask(recipe, rows, models[0]).shape, dtype=bool))
        assert digest(every) == before, "remove changes its inputs"


def check_remove(recipe: Recipe, rows: Given, models: list[Any]) -> None:
    """Nothing removed changes nothing, and what is removed is not seen."""
    if recipe.remove is None:
        return
    whole, mask = _predicted(recipe, rows, models[0]), _mask(recipe, rows, models[0])

    def left(keep: Tensor) -> Tensor:
        changed = recipe.ask("remove", _every(rows), keep.numpy().copy())
        return probabilities_of(recipe.ask("predict", models[0], changed), len(rows))

    assert torch.allclose(left(mask), whole, atol=1e-6), "remove: keeping everything changes the predictions"
    some = mask.clone()
    some[:, ::2] = False
    assert not torch.allclose(left(some), whole, atol=1e-6), (
        "remove: removing every second position changes no prediction"
    )


def check_untrained(recipe: Recipe, rows: Given, models: list[Any]) -> None:
    """A model as it starts can be explained too."""
    if recipe.untrained is not None:
        target = _targets(recipe, rows, models[0])
        scores = _scores(recipe, rows, recipe.ask("untrained", 0), target)
        names = _scores(recipe, rows, models[0]).keys()
        assert scores.keys() == names, "explain names other explanations of a model as it starts"


def check_saved(recipe: Recipe, rows: Given, models: list[Any]) -> None:
    """A model that was saved and loaded predicts the same."""
    if recipe.save is None:
        return
    with TemporaryDirectory() as folder:
        recipe.ask("save", models[0], Path(folder))
        again = recipe.ask("load", Path(folder))
    same = torch.allclose(_predicted(recipe, rows, again), _predicted(recipe, rows, models[0]), atol=1e-6)
    assert same, "load: a model that was saved and loaded predicts otherwise"


CHECKS: tuple[Callable[[Recipe, Given, list[Any]], None], ...] = (
    check_seed,
    check_alone,
    check_untouched,
    check_remove,
    check_untrained,
    check_saved,
)


def _every(rows: Given) -> Any:
    return rows.take(torch.arange(len(rows)))


def _only(rows: Given, places: list[int]) -> Given:
    return Given(rows.take(torch.tensor(places)))


def _predicted(recipe: Recipe, rows: Given, model: Any) -> Tensor:
    return probabilities_of(recipe.ask("predict", model, _every(rows)), len(rows))


def _targets(recipe: Recipe, rows: Given, model: Any) -> Tensor:
    table = _predicted(recipe, rows, model)
    truth = rows.truth(table.shape[1])
    return table.argmax(1) if truth is None else truth


def _tables(
    recipe: Recipe, rows: Given, model: Any, target: Tensor | None = None
) -> dict[str, tuple[Tensor, Tensor]]:
    classes = _predicted(recipe, rows, model).shape[1]
    aim = _targets(recipe, rows, model) if target is None else target
    raw = recipe.ask("explain", model, _every(rows), aim.numpy().copy())
    return scores_of(raw, aim, classes, rows.lengths)


def _scores(recipe: Recipe, rows: Given, model: Any, target: Tensor | None = None) -> dict[str, Tensor]:
    return {name: table for name, (table, _) in _tables(recipe, rows, model, target).items()}


def _mask(recipe: Recipe, rows: Given, model: Any) -> Tensor:
    return next(iter(_tables(recipe, rows, model).values()))[1]
