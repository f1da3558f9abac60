"""Which recurrent cells can be explained, and by which rules?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.measure.claims import Answer
from holdfast.report.page import Section
from holdfast.studies.base import Study
from holdfast.studies.relevance import plan as own
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

    name = own.NAME
    document = (
        "Pattarawat Chormai, Designing Recurrent Neural Networks for Explainability, "
        "MSc thesis, TU Berlin, 2018"
    )
    title = "Which recurrent cells can be explained? Chormai, chapter 4, run again"
    needs = own.NEEDS
    fit = own.FIT
    folded = True

    def plan(self, overrides: Overrides) -> Plan:
        """Every data set and model of the document unless said otherwise."""
        return own.plan(overrides)

    def written(self, plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
        """As short as it can be said."""
        return own.said(plan)

    def measure(self, cells: Sequence[FamilyResult]) -> list[Measurement]:
        """What this study measures beyond every audit."""
        from holdfast.studies.relevance.study import own_rows

        return own_rows(cells)

    def claims(self, findings: Findings) -> Sequence[Answer]:
        """From the measurements alone."""
        from holdfast.studies.relevance.claims import own_claims

        return own_claims(findings.rows)

    def published(self, findings: Findings) -> list[Published]:
        """The document's tables, beside ours."""
        from holdfast.studies.relevance.published_tables import published

        return published(findings.rows)

    def intro(self, claims: Sequence[dict[str, Any]]) -> list[str]:
        """What came out, and how it is judged."""
        from holdfast.studies.relevance.page import intro

        return intro(claims)

    def sections(
        self, findings: Findings, claims: Sequence[dict[str, Any]], beside: Sequence[dict[str, Any]]
    ) -> list[Section]:
        """Claims, tables, figures."""
        from holdfast.studies.relevance.page import sections

        return sections(findings.rows, claims, beside, findings.pictures)

    def pictures(self, cells: Sequence[FamilyResult]) -> list[Picture]:
        """The heat maps of a few images under every cell."""
        from holdfast.studies.relevance.pictures import pictures

        return pictures(cells)
