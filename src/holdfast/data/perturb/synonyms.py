"""Words replaced by synonyms."""

from dataclasses import dataclass
from pathlib import Path

from holdfast.core.errors import BadSetting
from holdfast.core.prose import counted
from holdfast.core.records import Batch
from holdfast.core.settings import at_most
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed, check_count, replaced
from holdfast.data.text.dataset import TextDataset
from holdfast.data.text.wordnet import locate, read_wordnet

ENGLISH = (
    "a about above after again against all am an and any are as at be because been before being below "
    "between both but by can could did do does down during each few for from further had has have he her "
    "here hers him his how i if in into is it its may me might more most must my no nor not of off on "
    "once only or other our out over own same shall she should so some such than that the their them then "
    "there these they this those through to too under until up us very was we were what when where which "
    "while who whom why will with would you your"
)
FUNCTION_WORDS = frozenset(ENGLISH.split())
"""WordNet has senses of these that nobody means: "a" the vitamin, "in" the metal indium."""


@dataclass(frozen=True)
class Synonyms(Perturbation):
    """Random words of a text, ``count`` of them, become synonyms of WordNet 3.0 that the models know.

    A synonym shares one of the word's ``senses`` most frequent senses, of the part of speech that the word
    most often has: which one it has in the sentence is not looked at. Only words as a dictionary lists them
    have synonyms ("film", not "films"), and function words have none.
    """

    count: int = 1
    senses: int = 1

    reads = ("text",)
    rewrites = True

    def __post_init__(self) -> None:
        check_count(self, self.count)
        if self.senses < 1:
            raise BadSetting(f"synonyms: expected senses to be 1 or more, but got {self.senses}")
        at_most("synonyms: expected senses", self.senses)

    @property
    def needs(self) -> str:  # type: ignore[override]
        """Which words a text must have."""
        return f"{counted(self.count, 'word')} with a synonym that the models know"

    def change(self, batch: Batch, dataset: Dataset, data_dir: Path | None) -> Perturbed:
        """Looked up in the data folder."""
        vocabulary = TextDataset.narrow(dataset).vocabulary
        present = {vocabulary.words[number] for number in set(batch.inputs[batch.mask].tolist())}
        known = read_wordnet(locate(data_dir), present - FUNCTION_WORDS)

        def others(word: str) -> list[int]:
            index = vocabulary.index
            return [index[other] for other in known.synonyms(word, self.senses) if other in index]

        return replaced(batch, dataset, "synonyms", self.count, others)
