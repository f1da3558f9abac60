"""How sure are recommenders without order, and does their attention matter there?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.measure.claims import Claim
from holdfast.report.claims import claim_line
from holdfast.report.page import Page
from holdfast.studies.base import Listener, Study, heard
from holdfast.studies.calibration.claims import own_claims
from holdfast.studies.calibration.measures import family_rows
from holdfast.studies.calibration.page import page as own_page
from holdfast.studies.calibration.plan import FIT, NAME, NEEDS
from holdfast.studies.calibration.plan import plan as own_plan
from holdfast.studies.calibration.plan import written as own_written
from holdfast.studies.calibration.published_tables import published as own_published
from holdfast.studies.calibration.ranking import change_rows, ranking_rows, size_rows
from holdfast.studies.calibration.ratings import frequency_rows, rated_rows
from holdfast.studies.calibration.vectors import vector_rows
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.result import FamilyResult


@dataclass(frozen=True)
class Calibration(Study):
    """Jain ch. 3: how sure are recommenders, and does attention matter where they are?"""

    name = NAME
    document = (
        "Rishabh Jain, On Dynamics of Interpretable Neural Models, MEng thesis, Imperial College London, 2019"
    )
    title = "How sure, and does attention matter there? Recommenders (Jain, chapter 3), run again over seeds"
    needs = NEEDS
    fit = FIT
    described = ("source",)

    def plan(self, overrides: Overrides) -> Plan:
        return own_plan(overrides)

    def written(self, plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
        return own_written(plan)

    def measure(self, families: Sequence[FamilyResult], listen: Listener) -> list[Measurement]:
        rows = [row for family in heard(families, listen) for row in _rows(family)]
        ranked = [family for family in families if not family.dataset.task.classes]
        for name in dict.fromkeys(family.data for family in ranked):
            first = next(family for family in ranked if family.data == name)
            rows += [*size_rows(first), *frequency_rows(first)]
        return [*rows, *change_rows(ranked)]

    def claims(self, findings: Findings) -> Sequence[Claim]:
        return own_claims(findings.rows)

    def published(self, findings: Findings) -> list[Published]:
        return own_published(findings.rows)

    def page(self, findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
        return own_page(findings, claims, published)

    def line(self, claim: Claim) -> str:
        """With the data set's name alone."""
        return claim_line(replace(claim, where=claim.where.partition(":")[0]))


def _rows(family: FamilyResult) -> list[Measurement]:
    """A family's own rows: of a recommender also how it ranks, and what its vectors know."""
    if family.dataset.task.classes:
        return list(family_rows(family))
    return [*family_rows(family), *ranking_rows(family), *rated_rows(family), *vector_rows(family)]
