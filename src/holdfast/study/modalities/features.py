"""Audits of classifiers of tables: rows are shown column by column, and columns are ranked over all rows."""

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from holdfast.core.catalogue import make
from holdfast.data.features.dataset import FeatureDataset
from holdfast.measure.impostors import AnotherInput
from holdfast.measure.scale import Scale
from holdfast.study.examples import Said, examples
from holdfast.study.findings import Example
from holdfast.study.importance import importance_rows
from holdfast.study.measurement import Measurement
from holdfast.study.modality import Defaults, Modality
from holdfast.study.plan import COMPARISONS
from holdfast.study.result import FamilyResult
from holdfast.study.same_bits import same_bits
from holdfast.train.fit import Fit

BY_STEPS = ("gradient_input", "integrated_gradients")


class Features(Modality):
    """Rows of a table, all of the same columns."""

    defaults: ClassVar[Defaults] = Defaults(
        ("forest",),
        ("shapley", "leave_one_out", "permutation", "random"),
        COMPARISONS,
        Fit(epochs=100, patience=10),
    )
    explains: ClassVar[str] = "a table with the rows to explain, or --row for a test row"
    part: ClassVar[str] = "column"
    another: ClassVar[AnotherInput] = AnotherInput(same_class="common")
    lengths: ClassVar[bool] = False

    def defaults_of(self, models: tuple[str, ...]) -> Defaults:
        """Models with gradients are asked for them too."""
        defaults = self.defaults._replace(models=models)
        if not all(make("models", model).smooth for model in models):
            return defaults
        first, *others = defaults.explainers
        return defaults._replace(explainers=(first, *BY_STEPS, *others))

    def overall(self, family: FamilyResult, row: Callable[..., Measurement]) -> Iterator[Measurement]:
        """Which columns weigh most over all rows, and how stable that ranking is."""
        names = tuple(column.name for column in FeatureDataset.narrow(family.dataset).columns)
        return importance_rows(family.explanations, names, row, not same_bits(family))

    def examples(self, family: FamilyResult, scales: Mapping[str, Scale], first: str) -> list[Example]:
        """Rows, from the highest hold to the lowest."""
        return examples(family, scales, first, said)


def said(family: FamilyResult, place: int) -> Said:
    """The columns of a row with their values; its class, and the class that is explained."""
    dataset, row = FeatureDataset.narrow(family.dataset), int(family.rows[place])
    classes = dataset.task.classes
    label, target = classes[int(family.targets[row])], classes[int(family.target[place])]
    return Said(dataset.told(dataset.splits["test"].values[row]), label, target)
