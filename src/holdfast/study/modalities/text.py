"""Audits of text classifiers: sentences are shown word by word."""

from typing import ClassVar

from holdfast.data.text.dataset import TextDataset
from holdfast.measure.verdict import Scale
from holdfast.study.examples import Said, examples
from holdfast.study.findings import Example
from holdfast.study.modality import Defaults, Modality
from holdfast.study.plan import COMPARISONS, EXPLAINERS
from holdfast.study.result import FamilyResult


class Text(Modality):
    """Texts of one or two sentences, or more."""

    defaults: ClassVar[Defaults] = Defaults(("cnn",), EXPLAINERS, COMPARISONS)
    explains: ClassVar[str] = "the text to explain, in quotes"

    def examples(self, cell: FamilyResult, scales: dict[str, Scale]) -> list[Example]:
        """Sentences, from the firmest to the least firm."""
        return examples(cell, scales, said)


def said(cell: FamilyResult, place: int) -> Said:
    """The words of a text; its class, and the class that is explained."""
    dataset, row = TextDataset.narrow(cell.dataset), int(cell.rows[place])
    classes = dataset.task.classes
    label, target = classes[int(cell.targets[row])], classes[int(cell.target[place])]
    return Said(tuple(dataset.tokens("test", row)), label, target)
