"""Does an explanation say anything? The contrast of the consensus, and how much of the members' it keeps."""

from holdfast.measure.contrast import Contrast
from holdfast.measure.question import SHORT, Question, above, ends, not_asked, places, worst
from holdfast.measure.reduce import Interval

LEAST, KEPT = 0.05, 0.10


def says(contrast: Contrast | None) -> Question:
    """Passed where the consensus is uneven, and keeps more of the members' contrast than noise does; a single
    member need only be uneven."""
    if contrast is None:
        return not_asked("says", SHORT)
    if contrast.kept is None:
        return _above(contrast.consensus, LEAST, "of the largest contrast that this one model has")
    return worst(
        (
            _above(contrast.kept, KEPT, "of the members' contrast that their consensus keeps beyond noise"),
            _above(contrast.consensus, LEAST, "of the largest contrast that the consensus has"),
        )
    )


def _above(value: Interval, limit: float, what: str) -> Question:
    because = f"the share {what} is {places(value.value)}{ends(value.low, value.high)}; {limit} is the least"
    return above("says", value, limit, "says nothing", because)
