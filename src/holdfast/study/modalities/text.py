"""Audits of text classifiers: sentences are shown word by word."""

from collections.abc import Mapping
from typing import ClassVar

from holdfast.data.text.dataset import TextDataset
from holdfast.measure.impostors import AnotherInput
from holdfast.measure.scale import Scale
from holdfast.study.examples import Said, examples
from holdfast.study.findings import Example
from holdfast.study.modality import Defaults, Modality
from holdfast.study.plan import COMPARISONS, EXPLAINERS
from holdfast.study.result import FamilyResult


class Text(Modality):
    """Texts of one or two sentences, or more."""

    defaults: ClassVar[Defaults] = Defaults(("cnn",), EXPLAINERS, COMPARISONS)
    explains: ClassVar[str] = "the text to explain, in quotes"
    part: ClassVar[str] = "word"
    another: ClassVar[AnotherInput] = AnotherInput(same_class="common")

    def examples(self, family: FamilyResult, scales: Mapping[str, Scale], first: str) -> list[Example]:
        """Sentences, from the highest hold to the lowest."""
        return examples(family, scales, first, said)


def said(family: FamilyResult, place: int) -> Said:
    """The words of a text; its class, and the class that is explained."""
    dataset, row = TextDataset.narrow(family.dataset), int(family.rows[place])
    classes = dataset.task.classes
    label, target = classes[int(family.targets[row])], classes[int(family.target[place])]
    tokens = tuple(dataset.tokens("test", row))
    told = {text: changed.told(place, tokens, dataset.known) for text, changed in family.changed.items()}
    changes = tuple(f"{text}: {what}" for text, what in told.items() if what)
    return Said(tokens, label, target, dataset.unknown(tokens), dataset.query("test", row), changes)
