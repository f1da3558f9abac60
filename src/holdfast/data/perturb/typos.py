"""Words with a slip of the finger."""

from dataclasses import dataclass
from pathlib import Path

from holdfast.core.prose import counted
from holdfast.core.records import Batch
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed, check_count, replaced
from holdfast.data.text.dataset import TextDataset

SHORTEST = 4


@dataclass(frozen=True)
class Typos(Perturbation):
    """Random words of a text, ``count`` of them, are misspelt: letters swapped, left out or doubled.

    Only words of four letters or more are. To a model of whole words nearly every misspelling is the unknown
    word, so that all look alike.

    >>> import torch
    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("planted:train=40,validation=10,test=10"))
    >>> batch = data.splits["test"].batch(torch.tensor([0]))
    >>> int((Typos().perturb(batch, data).batch.inputs != batch.inputs).sum())
    1
    """

    count: int = 1

    reads = ("text",)
    rewrites = True

    def __post_init__(self) -> None:
        check_count(self, self.count)

    @property
    def needs(self) -> str:  # type: ignore[override]
        """Which words a text must have."""
        return f"{counted(self.count, 'known word')} of {SHORTEST} letters or more"

    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """The number of each misspelling, which is mostly that of unknown words."""
        vocabulary = TextDataset.narrow(dataset).vocabulary
        return replaced(batch, dataset, "typos", self.count, lambda word: vocabulary.encode(misspelt(word)))


def misspelt(word: str) -> list[str]:
    """Every misspelling of a word by one slip, none of a short one.

    >>> misspelt("film"), misspelt("ill")
    (['iflm', 'flim', 'fiml', 'ilm', 'flm', 'fim', 'fil', 'ffilm', 'fiilm', 'fillm', 'filmm'], [])
    """
    if len(word) < SHORTEST:
        return []
    swapped = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)]
    left_out = [word[:i] + word[i + 1 :] for i in range(len(word))]
    doubled = [word[: i + 1] + word[i:] for i in range(len(word))]
    return [typo for typo in swapped + left_out + doubled if typo != word]
