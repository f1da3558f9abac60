"""Is attention that is trained to be stable more stable, and worth it?"""

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.measure.claims import Claim
from holdfast.report.page import Page
from holdfast.studies.base import Listener, Study, heard
from holdfast.studies.seat.claims import own_claims
from holdfast.studies.seat.densities import density_rows
from holdfast.studies.seat.measures import family_rows, trained_rows
from holdfast.studies.seat.one_text import one_text_rows
from holdfast.studies.seat.page import page as own_page
from holdfast.studies.seat.plan import FIT, NAME, NEEDS
from holdfast.studies.seat.plan import plan as own_plan
from holdfast.studies.seat.published_tables import published as own_published
from holdfast.studies.seat.strengths import chosen, validation_scores
from holdfast.studies.seat.surrogates import surrogate_rows
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.result import FamilyResult


@dataclass(frozen=True)
class Seat(Study):
    """SEAT (AAAI 2023): is attention trained to be stable more stable, as good, and worth it?"""

    name = NAME
    document = (
        "Lijie Hu, Yixin Liu, Ninghao Liu, Mengdi Huai, Lichao Sun and Di Wang, SEAT: Stable and Explainable "
        "Attention, AAAI 2023"
    )
    title = "Is stable attention stable, and worth it? SEAT, run again over seeds"
    needs = NEEDS
    fit = FIT
    described = ("note",)

    def plan(self, overrides: Overrides) -> Plan:
        return own_plan(overrides)

    def shown(self, families: Sequence[FamilyResult]) -> list[FamilyResult]:
        """Of each rival the strength that was chosen."""
        scores = validation_scores(row for family in families for row in trained_rows(family))
        kept = set(chosen(scores))
        return [one for one in families if (one.data, one.model, one.repair) in kept]

    def measure(self, families: Sequence[FamilyResult], listen: Listener) -> list[Measurement]:
        rows = [row for family in families for row in trained_rows(family)]
        shown = self.shown(families)
        for family in heard(shown, listen):
            rows += [*family_rows(family), *density_rows(family)]
        return [*rows, *surrogate_rows(shown), *one_text_rows(shown)]

    def claims(self, findings: Findings) -> Sequence[Claim]:
        return own_claims(findings.rows)

    def published(self, findings: Findings) -> list[Published]:
        return own_published(findings.rows)

    def page(self, findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
        return own_page(findings, claims, published)
