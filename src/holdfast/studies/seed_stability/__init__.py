"""Do explanations survive another seed?"""

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.measure.claims import Claim
from holdfast.report.page import Page
from holdfast.studies.base import Listener, Study
from holdfast.studies.seed_stability.claims import own_claims
from holdfast.studies.seed_stability.measures import own_rows
from holdfast.studies.seed_stability.page import page as own_page
from holdfast.studies.seed_stability.plan import NAME, NEEDS, as_printed
from holdfast.studies.seed_stability.plan import plan as own_plan
from holdfast.studies.seed_stability.published_tables import published as own_published
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.result import FamilyResult


@dataclass(frozen=True)
class SeedStability(Study):
    """Jain ch. 4: do explanations survive another seed; do ASWA and NASWA help?"""

    name = NAME
    document = (
        "Rishabh Jain, On Dynamics of Interpretable Neural Models, MEng thesis, Imperial College London, 2019"
    )
    title = "Do explanations survive another seed? Jain, chapter 4, run again"
    needs = NEEDS

    def plan(self, overrides: Overrides) -> Plan:
        return own_plan(overrides)

    def measure(self, families: Sequence[FamilyResult], listen: Listener) -> list[Measurement]:
        return own_rows(families, listen)

    def claims(self, findings: Findings) -> Sequence[Claim]:
        """The published tables are of Adam: other optimisers are judged, but not compared with them."""
        return own_claims(findings.rows, as_printed(Plan.from_json(findings.plan)))

    def published(self, findings: Findings) -> list[Published]:
        return own_published(findings.rows if as_printed(Plan.from_json(findings.plan)) else [])

    def page(self, findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
        return own_page(findings, claims, published)
