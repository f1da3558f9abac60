"""One seed of a recipe: trained, asked and explained, and written as one file."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting, Failed
from holdfast.study.recipe.answers import Masked, probabilities_of, scores_of
from holdfast.study.recipe.contract import Recipe
from holdfast.study.recipe.data import Given
from holdfast.study.recipe.deletion import drops
from holdfast.study.recipe.digest import digest
from holdfast.study.recipe.kept import REQUEST, Kept
from holdfast.train.seats import explained_rows

FIRST_UNTRAINED, UNTRAINED = 1_000_000, 4
"""Seeds of models as they start: never those of trained ones."""
PROBABILITIES, STARTS = "probabilities", "untrained"
Tell = Callable[[float], None]  # which share of the seed is done


class Asked(NamedTuple):
    """What is explained, the same for every seed: rows, the class of each, which positions they have; how
    many classes there are; of which explanations, and which of these tell for from against."""

    rows: Int[Tensor, "K"]
    target: Int[Tensor, "K"]
    mask: Bool[Tensor, "K P"]
    classes: int
    signed: dict[str, bool]
    by: str

    def keep(self, kept: Kept) -> None:
        """Write it."""
        tensors = {"rows": self.rows, "target": self.target, "mask": self.mask}
        kept.keep(REQUEST, tensors, {"classes": self.classes, "signed": self.signed, "by": self.by})

    @classmethod
    def read(cls, kept: Kept) -> "Asked | None":
        """Back from :meth:`keep`; None where nothing was asked yet."""
        note = kept.note(REQUEST)
        if note is None:
            return None
        tensors = kept.tensors(REQUEST)
        rows, target, mask = (tensors[name] for name in ("rows", "target", "mask"))
        return cls(rows, target, mask, note["classes"], note["signed"], note["by"])


@dataclass(frozen=True)
class Step:
    """What one seed takes: the recipe, the data, how many rows are explained, and where it is kept."""

    recipe: Recipe
    given: Given
    instances: int | None
    kept: Kept

    def run(self, seed: int, tell: Tell = lambda share: None) -> None:
        """Do it and write it; what goes wrong with this seed alone is written too. What no seed could do is
        a BadInput, of the first one."""
        asked = Asked.read(self.kept)
        try:
            tensors, request, files = self._seed(seed, asked, tell)
        except (Failed, BadSetting) as error:
            if asked is None and isinstance(error, BadSetting):
                raise
            self.kept.keep(Kept.seed(seed), {}, {"why": str(error)})
            return
        if asked is None:
            request.keep(self.kept)
        own = digest({name: table for name, table in tensors.items() if not name.startswith("drop/")})
        about = {"why": None, "of": self.kept.of, "answers": own, "files": files}
        self.kept.keep(Kept.seed(seed), tensors, about)

    def _seed(
        self, seed: int, asked: Asked | None, tell: Tell
    ) -> tuple[dict[str, Tensor], Asked, dict[str, str]]:
        recipe = self.recipe
        model = recipe.ask("train", seed)
        tell(0.5)
        every = self.given.take(torch.arange(len(self.given)))  # a copy, whatever is done to it
        table = probabilities_of(recipe.ask("predict", model, every), len(self.given))
        asked, scores = self._explain(seed, model, table, asked)
        tell(0.7)
        tensors = {PROBABILITIES: table} | {f"scores/{name}": one for name, (one, _) in scores.items()}
        if recipe.remove is not None:
            tensors |= self._drops(seed, model, scores, asked)
        tell(0.9)
        files = dict[str, str]()
        if recipe.save is not None:
            recipe.ask("save", model, self.kept.begin_model(seed))
            files = self.kept.end_model(seed)
        return tensors, asked, files

    def _explain(
        self, seed: int, model: Any, table: Float[Tensor, "N C"], asked: Asked | None
    ) -> tuple[Asked, dict[str, Masked]]:
        """The scores of what is asked; the first seed that comes so far decides what that is."""
        classes = table.shape[1] if asked is None else asked.classes
        if table.shape[1] != classes:
            raise BadSetting(f"predict: expected {classes} classes as before, but got {table.shape[1]}")
        if asked is not None:
            return asked, self.scores(model, asked)
        truth, rows = self.given.truth(classes), explained_rows(len(table), self.instances)
        target = table.argmax(1) if truth is None else truth
        known = self.given.lengths
        mask = None if known is None else _trimmed(known[rows])
        scores = self._scores(model, rows, target[rows], classes, mask)
        masks = {name: there for name, (_, there) in scores.items()}
        mask = _alike(masks)
        signed = {name: bool((one < 0).any()) for name, (one, _) in scores.items()}
        by = f"what seed {seed} predicts" if truth is None else "the true one"
        return Asked(rows, target[rows], mask, classes, signed, by), scores

    def scores(self, model: Any, asked: Asked) -> dict[str, Masked]:
        """What a model says of what is asked, by each of the explanations."""
        scores = self._scores(model, asked.rows, asked.target, asked.classes, asked.mask)
        if scores.keys() != asked.signed.keys():
            there, here = (", ".join(sorted(one)) for one in (asked.signed, scores))
            raise BadSetting(f"explain: expected the explanations {there} as before, but got {here}")
        return scores

    def _scores(
        self, model: Any, rows: Tensor, target: Tensor, classes: int, mask: Tensor | None
    ) -> dict[str, Masked]:
        raw = self.recipe.ask("explain", model, self.given.take(rows), target.numpy().copy())
        return scores_of(raw, target, classes, mask)

    def _drops(self, seed: int, model: Any, scores: dict[str, Masked], asked: Asked) -> dict[str, Tensor]:
        """How far the predictions fall without what the explanations point at."""

        def watch(places: Tensor, keep: Tensor) -> Tensor:
            inputs = self.given.take(asked.rows[places])
            changed = self.recipe.ask("remove", inputs, keep.numpy().copy())
            table = probabilities_of(self.recipe.ask("predict", model, changed), len(places))
            if table.shape[1] != asked.classes:
                raise BadSetting(f"predict: expected {asked.classes} classes, but got {table.shape[1]}")
            return table.gather(1, asked.target[places][:, None])[:, 0]

        by_score = {name: table if asked.signed[name] else table.abs() for name, (table, _) in scores.items()}
        measured = drops(watch, by_score, asked.mask, seed)
        return {f"drop/{name}": fall for name, fall in measured.items()}


def explain_untrained(step: Step) -> None:
    """What models as they start say of the same rows, by each explanation; what goes wrong is written."""
    asked = Asked.read(step.kept)
    if asked is None or step.recipe.untrained is None:
        return
    tables: dict[str, list[Tensor]] = {name: [] for name in asked.signed}
    why = None
    try:
        for draw in range(UNTRAINED):
            model = step.recipe.ask("untrained", FIRST_UNTRAINED + draw)
            scores = step.scores(model, asked)
            for name, table in tables.items():
                table.append(scores[name][0])
    except (Failed, BadSetting) as error:
        tables, why = {}, str(error)
    about = {"why": why, "of": step.kept.of}
    step.kept.keep(STARTS, {name: torch.stack(table) for name, table in tables.items()}, about)


def _trimmed(mask: Bool[Tensor, "K P"]) -> Bool[Tensor, "K P"]:
    """Without the positions that none of these rows has."""
    used = mask.any(0).nonzero()
    return mask[:, : int(used.max()) + 1 if len(used) else 0]


def _alike(masks: dict[str, Tensor]) -> Bool[Tensor, "K P"]:
    """The positions that every explanation has."""
    first = next(iter(masks.values()))
    for name, mask in masks.items():
        if not torch.equal(mask, first):
            raise BadSetting(
                f"explain, {name}: expected as many scores for each row as the other explanations have, but "
                "got others"
            )
    if not bool(first.any()):
        raise BadSetting("explain: expected scores of positions, but no row has one")
    return first
