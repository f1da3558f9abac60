"""The study of Baumhauer's chapters 3 to 5: is attention explanation, in sequential recommenders?"""

from collections.abc import Iterable, Iterator

from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.studies.rollout.dynamics import dynamics_rows, recall_rows, stages_of
from holdfast.studies.rollout.family import deletion_rows, heads_of, untrained_rows
from holdfast.studies.rollout.genres import genre_rows
from holdfast.studies.rollout.measures import Agreements
from holdfast.studies.rollout.names import shape_of
from holdfast.studies.rollout.numbers import row
from holdfast.studies.rollout.plan import LONG
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult


def own_rows(families: Iterable[FamilyResult]) -> list[Measurement]:
    """What this study measures beyond every audit."""
    return [one for family in families for one in _rows(family)]


def _rows(family: FamilyResult) -> Iterator[Measurement]:
    shape = shape_of(family.model)
    if shape is None:
        return
    if family.dataset.name in LONG.values():  # only for the genres
        yield from genre_rows(family, shape)
        return
    yield from _sizes(family)
    yield from Agreements(family, shape, heads_of(family, shape)).rows()
    yield from untrained_rows(family)
    if (shape.blocks, shape.heads) == (2, 1):  # as in the document
        yield from deletion_rows(family)
    yield from genre_rows(family, shape)
    yield from dynamics_rows(family, stages_of(family))
    yield from recall_rows(family)


def _sizes(family: FamilyResult) -> Iterator[Measurement]:
    """How many users, items and interactions there are, and how they are spread (Table 3.1)."""
    dataset = InteractionDataset.narrow(family.dataset)
    for name, value in dataset.histories.sizes(dataset.task.vocabulary - 1).items():
        yield row(family, name, value)
