"""Items that are there twice."""

from dataclasses import dataclass
from pathlib import Path

from holdfast.core.records import Batch
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed, check_count, in_random_order


@dataclass(frozen=True)
class Repeated(Perturbation):
    """Random items of a history, ``count`` of them, are there twice, one right after the other.

    The window keeps its length, as a full one does: the oldest items leave it, one for each copy. The later
    of the two is compared with the original.

    >>> import torch
    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("planted-plays:users=40,length=8"))
    >>> batch = data.splits["test"].batch(torch.tensor([0]))
    >>> repeated = Repeated().perturb(batch, data).batch.inputs[0]
    >>> int((repeated[1:] == repeated[:-1]).sum()) - int((batch.inputs[0][1:] == batch.inputs[0][:-1]).sum())
    1
    """

    count: int = 1

    reads = ("interaction",)

    def __post_init__(self) -> None:
        check_count(self, self.count)

    @property
    def needs(self) -> str:  # type: ignore[override]
        """How long a history must be."""
        return f"more than {2 * self.count} items"

    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """Some of the items that stay, doubled."""
        changed = Perturbed.none(batch)
        for at, places, _ in in_random_order(batch, "repeated"):
            if len(places) <= 2 * self.count:
                continue
            there = sorted(places)
            stay = there[self.count :]
            doubled = [place for place in places if place in set(stay)][: self.count]
            old = [place for place in stay for _ in range(2 if place in doubled else 1)]
            changed.batch.inputs[at, there] = batch.inputs[at, old]
            changed.place[at, there] = -1
            last = dict(zip(old, there, strict=True))
            changed.place[at, list(last)] = changed.place.new_tensor(list(last.values()))
            changed.touched[at, doubled] = True
        return changed
