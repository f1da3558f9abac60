"""Do explanations survive another seed?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.measure.claims import Answer
from holdfast.report.page import Section
from holdfast.studies.base import Study
from holdfast.studies.seed_stability import plan as own
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.result import FamilyResult


@dataclass(frozen=True)
class SeedStability(Study):
    """Jain ch. 4: do explanations survive another seed; do ASWA and NASWA help?"""

    name = own.NAME
    document = (
        "Rishabh Jain, On Dynamics of Interpretable Neural Models, MEng thesis, Imperial College London, 2019"
    )
    title = "Do explanations survive another seed? Jain, chapter 4, run again"
    needs = own.NEEDS

    def plan(self, overrides: Overrides) -> Plan:
        """Two models and three repairs unless said otherwise."""
        return own.plan(overrides)

    def measure(self, cells: Sequence[FamilyResult]) -> list[Measurement]:
        """Layers, paths, words, and what claims are made of."""
        from holdfast.studies.seed_stability.measures import own_rows

        return own_rows(cells)

    def claims(self, findings: Findings) -> Sequence[Answer]:
        """The tables are of Adam: other training is asked the questions, and not held against them."""
        from holdfast.studies.seed_stability.claims import own_claims

        return own_claims(findings.rows, own.as_printed(Plan.from_json(findings.plan)))

    def published(self, findings: Findings) -> list[Published]:
        """Tables 4.1 to 4.3."""
        from holdfast.studies.seed_stability.published_tables import published

        return published(findings.rows if own.as_printed(Plan.from_json(findings.plan)) else [])

    def intro(self, claims: Sequence[dict[str, Any]]) -> list[str]:
        """What came out, and how it is judged."""
        from holdfast.studies.seed_stability.page import intro

        return intro(claims)

    def sections(
        self, findings: Findings, claims: Sequence[dict[str, Any]], beside: Sequence[dict[str, Any]]
    ) -> list[Section]:
        """Claims, tables, figures."""
        from holdfast.studies.seed_stability.page import sections

        return sections(findings.rows, claims, beside)

    def line(self, claim: dict[str, Any]) -> str:
        """A cut in percent, with what it was before and after."""
        from holdfast.studies.seed_stability.page import line

        return line(claim)
