"""Positions that are left out."""

from dataclasses import dataclass
from pathlib import Path

from holdfast.core.prose import counted
from holdfast.core.records import Batch
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed, check_count, in_random_order


@dataclass(frozen=True)
class Dropped(Perturbation):
    """Random words of a text, or items of a history, are left out, ``count`` of them.

    They become holes in the mask: no other position moves. At least one position stays.

    >>> import torch
    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("planted:train=40,validation=10,test=10"))
    >>> batch = data.splits["test"].batch(torch.tensor([0, 1]))
    >>> dropped = Dropped(count=2).perturb(batch, data)
    >>> (batch.mask.sum(1) - dropped.batch.mask.sum(1)).tolist()
    [2, 2]
    """

    count: int = 1

    reads = ("text", "interaction")

    def __post_init__(self) -> None:
        check_count(self, self.count)

    @property
    def needs(self) -> str:  # type: ignore[override]
        """How long an example must be."""
        return f"more than {counted(self.count, 'position')}"

    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """Holes at the first ``count`` positions of a random order."""
        changed = Perturbed.none(batch)
        for at, places, _ in in_random_order(batch, "dropped"):
            if len(places) > self.count:
                gone = places[: self.count]
                changed.batch.mask[at, gone] = False
                changed.place[at, gone] = -1
                changed.touched[at, gone] = True
        return changed
