"""Which recurrent cells can be explained, and by which rules?"""

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.measure.claims import Claim
from holdfast.report.page import Page
from holdfast.studies.base import Listener, Study, heard
from holdfast.studies.relevance.claims import own_claims
from holdfast.studies.relevance.measures import relevance_rows
from holdfast.studies.relevance.page import page as own_page
from holdfast.studies.relevance.pictures import pictures as own_pictures
from holdfast.studies.relevance.plan import FIT, NAME, NEEDS
from holdfast.studies.relevance.plan import plan as own_plan
from holdfast.studies.relevance.plan import written as own_written
from holdfast.studies.relevance.published_tables import published as own_published
from holdfast.studies.relevance.published_tables import tukey_rows
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.overrides import Overrides
from holdfast.study.picture import Picture
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.result import FamilyResult


@dataclass(frozen=True)
class Relevance(Study):
    """Chormai ch. 4: which recurrent cells can be explained, and by which rules?"""

    name = NAME
    document = (
        "Pattarawat Chormai, Designing Recurrent Neural Networks for Explainability, "
        "MSc thesis, TU Berlin, 2018"
    )
    title = "Which recurrent cells can be explained? Chormai, chapter 4, run again"
    needs = NEEDS
    fit = FIT
    folded = True
    described = ("T", "folds", "parameters_counted_in_full")

    def plan(self, overrides: Overrides) -> Plan:
        return own_plan(overrides)

    def written(self, plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
        return own_written(plan)

    def measure(self, families: Sequence[FamilyResult], listen: Listener) -> list[Measurement]:
        """Where relevance lies, and which cells differ in it."""
        rows = [row for family in heard(families, listen) for row in relevance_rows(family)]
        return [*rows, *tukey_rows(rows)]

    def claims(self, findings: Findings) -> Sequence[Claim]:
        return own_claims(findings.rows)

    def published(self, findings: Findings) -> list[Published]:
        return own_published(findings.rows)

    def page(self, findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
        return own_page(findings, claims, published)

    def pictures(self, families: Sequence[FamilyResult]) -> list[Picture]:
        return own_pictures(families)
