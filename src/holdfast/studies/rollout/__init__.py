"""Is attention explanation, in sequential recommenders?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.measure.claims import Claim
from holdfast.report.claims import claim_line
from holdfast.report.page import Page
from holdfast.studies.base import Listener, Study, heard
from holdfast.studies.rollout.claims import own_claims
from holdfast.studies.rollout.names import data_name
from holdfast.studies.rollout.page import page as own_page
from holdfast.studies.rollout.plan import FIT, NAME, NEEDS
from holdfast.studies.rollout.plan import plan as own_plan
from holdfast.studies.rollout.plan import written as own_written
from holdfast.studies.rollout.published_tables import published as own_published
from holdfast.studies.rollout.study import own_rows
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.result import FamilyResult


@dataclass(frozen=True)
class Rollout(Study):
    """Baumhauer ch. 4: does attention explain sequential recommenders, and does that hold over seeds?"""

    name = NAME
    document = (
        "Thomas Baumhauer, Is attention explanation? A look at the case of sequential recommender systems, "
        "MSc thesis, University of Edinburgh, 2021"
    )
    title = "Is attention explanation? Sequential recommenders (Baumhauer), run again over seeds"
    needs = NEEDS
    fit = FIT

    def plan(self, overrides: Overrides) -> Plan:
        return own_plan(overrides)

    def written(self, plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
        return own_written(plan)

    def measure(self, families: Sequence[FamilyResult], listen: Listener) -> list[Measurement]:
        return own_rows(heard(families, listen))

    def claims(self, findings: Findings) -> Sequence[Claim]:
        return own_claims(findings.rows)

    def published(self, findings: Findings) -> list[Published]:
        return own_published(findings.rows)

    def page(self, findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
        return own_page(findings, claims, published)

    def line(self, claim: Claim) -> str:
        """With the document's name of the data."""
        return claim_line(replace(claim, where=data_name(claim.where)))
