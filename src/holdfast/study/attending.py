"""Does attention matter to a family's predictions? Changed maps, by how sure the models are."""

from collections.abc import Callable, Iterator, Sequence

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.measure.probes.attention_permutation import AttentionPermutation
from holdfast.measure.probes.base import MapProbe
from holdfast.measure.probes.moved import Moved, by_confidence, moved
from holdfast.measure.reduce import mean_over_members
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult, family_of

IN_AUDITS = AttentionPermutation(
    shuffles=10
)  # the document has 100, for which a mean over many examples has no need

MakeRow = Callable[..., Measurement]


def attention_rows(family: FamilyResult, row: MakeRow, probes: Sequence[str] = ()) -> Iterator[Measurement]:
    """What every audit measures of models that attend: shuffled weights, unless its ``probes`` do."""
    asked = (make("probes", text) for text in probes)
    shuffled = any(isinstance(one, AttentionPermutation) and one.of == IN_AUDITS.of for one in asked)
    if family.job.architecture.attends and not shuffled:
        yield from map_rows(family, IN_AUDITS, row)


def map_rows(family: FamilyResult, probe: MapProbe, row: MakeRow) -> Iterator[Measurement]:
    """The mean effect on a family's predictions, by confidence, and that apart for each outcome."""
    split = family.dataset.splits["test"]
    found = moved(family_of(family), probe, split, family.rows, family.target)
    yield from moved_rows(found, probe, row)


def moved_rows(found: Moved, probe: MapProbe, row: MakeRow) -> Iterator[Measurement]:
    """The rows of what was found; ``label`` is the outcome, ``at`` the mean confidence of a bin."""
    about = {"probe": label(probe)}
    yield row(probe.quantity, mean_over_members(found.effect.mean(1)), **about)
    for outcome, select in ({"": None} | found.outcomes()).items():
        for bin in by_confidence(found, select):
            place = {"by": "confidence", "label": outcome, "bin": bin.label, "at": bin.at}
            yield row(probe.quantity, bin.effect, **(about | place | {"n": bin.examples}))
