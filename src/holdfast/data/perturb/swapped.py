"""Neighbouring items that change places."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from holdfast.core.records import Batch
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed, check_count, in_random_order


@dataclass(frozen=True)
class Swapped(Perturbation):
    """Random items of a history, ``count`` of them, change places with the item after them.

    An item moves once at most; explanations are compared item by item, wherever the items lie. A recommender
    that reads its history as a set cannot tell the difference.

    >>> import torch
    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("planted-plays:users=40,length=8"))
    >>> batch = data.splits["test"].batch(torch.tensor([0]))
    >>> swapped = Swapped().perturb(batch, data)
    >>> int(swapped.touched.sum()), sorted(swapped.batch.inputs[0]) == sorted(batch.inputs[0])
    (2, True)
    """

    count: int = 1

    reads = ("interaction",)

    def __post_init__(self) -> None:
        check_count(self, self.count)

    @property
    def needs(self) -> str:  # type: ignore[override]
        """How long a history must be."""
        return f"{2 * self.count} items or more"

    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """The first ``count`` pairs of a random order that share no item."""
        changed = Perturbed.none(batch)
        for at, places, _ in in_random_order(batch, "swapped"):
            there, pairs = sorted(places), list[tuple[int, int]]()
            after = dict(pairwise(there))
            free = set(there)
            for one in places:
                if len(pairs) < self.count and {one, after.get(one)} <= free:
                    pairs.append((one, after[one]))
                    free -= {one, after[one]}
            for one, two in pairs if len(pairs) == self.count else ():
                changed.batch.inputs[at, [one, two]] = batch.inputs[at, [two, one]]
                changed.place[at, one], changed.place[at, two] = two, one
                changed.touched[at, [one, two]] = True
        return changed
