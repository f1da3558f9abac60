"""The study of Chormai's chapter 4: which recurrent cells can be explained, and by which methods?"""

from collections.abc import Sequence

from holdfast.studies.relevance.claims import own_claims
from holdfast.studies.relevance.measures import relevance_rows
from holdfast.studies.relevance.pictures import pictures
from holdfast.studies.relevance.published_tables import published, tukey_rows
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult

__all__ = ["own_claims", "own_rows", "pictures", "published"]


def own_rows(cells: Sequence[FamilyResult]) -> list[Measurement]:
    """What this study measures beyond every audit: where relevance lies, and which cells differ in it."""
    found = [row for cell in cells for row in relevance_rows(cell)]
    return [*found, *tukey_rows(found)]
