"""The contract of a perturbation: the same examples, each a little changed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import generator
from holdfast.core.errors import BadSetting
from holdfast.core.prose import counted
from holdfast.core.records import Batch
from holdfast.core.settings import at_most, label, name_of
from holdfast.data.base import Dataset, Kind
from holdfast.data.reading import listed
from holdfast.data.text.dataset import TextDataset

Room = Callable[[Batch], Bool[Tensor, "B T D"]]


class Perturbed(NamedTuple):
    """Changed examples; ``place`` says where each position of the original lies now, −1 where it is gone, and
    ``touched`` which positions of the original are other than they were."""

    batch: Batch
    place: Int[Tensor, "B T"]
    touched: Bool[Tensor, "B T"]

    @classmethod
    def none(cls, batch: Batch) -> Self:
        """Nothing changed yet, in tensors that may be written to."""
        place = torch.arange(batch.mask.shape[1]).expand(batch.mask.shape).clone()
        copy = replace(batch, inputs=batch.inputs.clone(), mask=batch.mask.clone())
        return cls(copy, torch.where(batch.mask, place, -1), torch.zeros_like(batch.mask))


class Perturbation(ABC):
    """Changes every example a little, and leaves its number of positions as it is.

    ``reads`` names the modalities that it can change, ``needs`` completes "expected …" where no example can
    be changed; ``rewrites`` says that words become others by their letters or meaning. What is drawn is named
    by the row of an example, so it is the same for all members, and whatever else is changed with it. An
    example that cannot be changed stays as it is.
    """

    reads: ClassVar[tuple[Kind, ...]]
    needs: ClassVar[str]
    rewrites: ClassVar[bool] = False

    @abstractmethod
    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """The changed examples; the batch stays as it is, positions that do not exist stay away."""

    def shift(self, batch: Batch, room: Room) -> Float[Tensor, "B T D"] | None:
        """How far the embedded input of the original examples moves; ``None`` where it does not. Which of its
        numbers exist is for the model to say, which gives each position as many as it likes (``room``)."""
        return None

    def perturb(self, batch: Batch, dataset: Dataset, data_dir: Path | None = None) -> Perturbed:
        """The same, refused where data are of another modality, or where no example can be changed."""
        if dataset.task.kind not in self.reads:
            raise BadSetting(
                f"{label(self)}: expected {listed(self.reads, 'or')} data, but '{dataset.name}' is "
                f"{dataset.task.kind} data: choose another --perturb (see holdfast list perturbations)"
            )
        if self.rewrites and dataset.task.ids is not None:
            raise BadSetting(
                f"{label(self)}: expected words, but '{dataset.name}' came as ids of a tokenizer that is not "
                "known here: choose dropped, swapped or noise"
            )
        changed = self.change(batch, dataset, data_dir)
        if not changed.touched.any():
            raise BadSetting(
                f"{label(self)}: expected {self.needs}, but none of the {len(batch)} examples can be changed "
                f"so (the longest has {counted(int(batch.mask.sum(1).max()), 'position')})"
            )
        return changed


def check_count(method: object, count: int) -> None:
    """Refuse a number of changes that is none, or beyond any example."""
    if count < 1:
        raise BadSetting(f"{name_of(type(method))}: expected count to be 1 or more, but got {count}")
    at_most(f"{name_of(type(method))}: expected count", count)


def in_random_order(batch: Batch, name: str) -> Iterator[tuple[int, list[int], torch.Generator]]:
    """Every example's place in the batch, its positions in random order, and what else it draws from.

    Neither padding nor neighbours change what a row draws.
    """
    assert batch.rows is not None
    for at, row in enumerate(batch.rows.tolist()):
        rng = generator(None, f"perturb {name}", row)
        there = batch.mask[at].nonzero()[:, 0]
        yield at, there[torch.randperm(len(there), generator=rng)].tolist(), rng


def replaced(
    batch: Batch, dataset: Dataset, name: str, count: int, others: Callable[[str], Sequence[int]]
) -> Perturbed:
    """``count`` words of every text replaced by one of the ``others`` that each has; a text in which fewer
    have any stays as it is. What is no word is never replaced, nor is an entity of a cloze question."""
    changed, known = Perturbed.none(batch), TextDataset.narrow(dataset).vocabulary.words
    kept = set(dataset.task.classes) if dataset.task.cloze else set()
    offers = cache(others)
    for at, places, rng in in_random_order(batch, name):
        chosen: dict[int, int] = {}
        for place in places:
            word = known[int(batch.inputs[at, place])]
            offered = offers(word) if word.isalpha() and word not in kept else ()
            if offered:
                chosen[place] = offered[int(torch.randint(len(offered), (1,), generator=rng))]
            if len(chosen) == count:
                where = list(chosen)
                changed.batch.inputs[at, where] = torch.tensor(list(chosen.values()))
                changed.touched[at, where] = True
                break
    return changed
