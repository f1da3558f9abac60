"""Is attention explanation, in sequential recommenders?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.measure.claims import Answer
from holdfast.report.page import Section
from holdfast.studies.base import Study
from holdfast.studies.rollout import plan as own
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.result import FamilyResult


@dataclass(frozen=True)
class Rollout(Study):
    """Baumhauer ch. 4: does attention explain sequential recommenders, and does that hold over seeds?"""

    name = own.NAME
    document = (
        "Thomas Baumhauer, Is attention explanation? A look at the case of sequential recommender systems, "
        "MSc thesis, University of Edinburgh, 2021"
    )
    title = "Is attention explanation? Sequential recommenders (Baumhauer), run again over seeds"
    needs = own.NEEDS
    fit = own.FIT

    def plan(self, overrides: Overrides) -> Plan:
        """Every data set and model of the document unless said otherwise."""
        return own.plan(overrides)

    def written(self, plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
        """As short as it can be said."""
        return own.said(plan)

    def measure(self, cells: Sequence[FamilyResult]) -> list[Measurement]:
        """What this study measures beyond every audit."""
        from holdfast.studies.rollout.study import own_rows

        return own_rows(cells)

    def claims(self, findings: Findings) -> Sequence[Answer]:
        """From the measurements alone."""
        from holdfast.studies.rollout.claims import own_claims

        return own_claims(findings.rows)

    def published(self, findings: Findings) -> list[Published]:
        """The document's tables, beside ours."""
        from holdfast.studies.rollout.published_tables import published

        return published(findings.rows)

    def intro(self, claims: Sequence[dict[str, Any]]) -> list[str]:
        """What came out, and how it is judged."""
        from holdfast.studies.rollout.page import intro

        return intro(claims)

    def sections(
        self, findings: Findings, claims: Sequence[dict[str, Any]], beside: Sequence[dict[str, Any]]
    ) -> list[Section]:
        """Claims, tables, figures."""
        from holdfast.studies.rollout.page import sections

        return sections(findings.rows, claims, beside, findings.examples)

    def line(self, claim: dict[str, Any]) -> str:
        """With the document's name of the data."""
        from holdfast.studies.rollout.page import line

        return line(claim)
