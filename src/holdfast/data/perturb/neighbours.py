"""Words replaced by their nearest neighbours in vector space."""

from dataclasses import dataclass
from pathlib import Path

import torch

from holdfast.core.errors import BadSetting
from holdfast.core.prose import counted
from holdfast.core.records import Batch
from holdfast.core.settings import at_most, label
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed, check_count, replaced
from holdfast.data.text.dataset import TextDataset


@dataclass(frozen=True)
class Neighbours(Perturbation):
    """Random words of a text, ``count`` of them, become near neighbours in vector space, antonyms among them.

    Nearest is by the cosine of the data's pre-trained vectors, among all words that have one; ``among`` is
    from how many of them one is drawn (SEAT, word perturbation, takes the nearest: 1). Where "good" becomes
    "bad", the explanation should change.

    >>> from dataclasses import replace
    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("planted:train=40,validation=10,test=10"))
    >>> vectors = torch.randn(len(data.vocabulary), 4, generator=torch.Generator().manual_seed(0))
    >>> data = replace(data, task=replace(data.task, vectors=vectors))
    >>> batch = data.splits["test"].batch(torch.tensor([0]))
    >>> int((Neighbours(count=2).perturb(batch, data).batch.inputs != batch.inputs).sum())
    2
    """

    count: int = 1
    among: int = 1

    reads = ("text",)

    def __post_init__(self) -> None:
        check_count(self, self.count)
        if self.among < 1:
            raise BadSetting(f"neighbours: expected among to be 1 or more, but got {self.among}")
        at_most("neighbours: expected among", self.among)

    @property
    def needs(self) -> str:  # type: ignore[override]
        """Which words a text must have."""
        return f"{counted(self.count, 'word')} with a vector"

    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """Each word by itself, so that what else is replaced changes nothing."""
        vocabulary, vectors = TextDataset.narrow(dataset).vocabulary, dataset.task.vectors
        if vectors is None:
            raise BadSetting(
                f"{label(self)}: expected word vectors, but '{dataset.name}' has none: name some with "
                "--vectors"
            )
        known = torch.tensor([word.isalpha() for word in vocabulary.words]) & (vectors != 0).any(1)
        self._check(int(known.sum()), dataset.name)
        unit = torch.nn.functional.normalize(vectors.double(), dim=1)

        def nearest(word: str) -> list[int]:
            number = vocabulary.index[word]
            if not known[number]:
                return []
            close = torch.where(known, unit @ unit[number], -torch.inf)
            close[number] = -torch.inf
            order = close.argsort(descending=True, stable=True)[: self.among]
            return [int(one) for one in order if close[one] > -torch.inf]

        return replaced(batch, dataset, "neighbours", self.count, nearest)

    def _check(self, known: int, name: str) -> None:
        """Refuse words that have no neighbours, or fewer than one is to be drawn from."""
        if known < 2:
            raise BadSetting(
                f"{label(self)}: expected two words or more that have a vector, so that they can be "
                f"neighbours, but of '{name}' {known or 'none'} has one: name other vectors with --vectors"
            )
        if self.among >= known:
            raise BadSetting(
                f"{label(self)}: expected among to be at most {known - 1:,}, as {known:,} words of '{name}' "
                f"have a vector, but got {self.among:,}: choose a smaller one"
            )
