"""The report of the study of stable attention: the claims, which repair is worth it, then the tables."""

from collections.abc import Sequence

from holdfast.data.reading import listed
from holdfast.measure.claims import Claim
from holdfast.report.certificate import certificate_section
from holdfast.report.charts.curves import published as beside_figures
from holdfast.report.claims import claims_section, counted, not_run_table
from holdfast.report.page import Page, Section
from holdfast.report.texts import percent
from holdfast.studies.seat import tables
from holdfast.studies.seat.charts import divergences, hold_against_f1
from holdfast.studies.seat.names import method, with_strength
from holdfast.studies.seat.numbers import collapsed
from holdfast.studies.seat.plan import STRENGTHS, TABLE_1
from holdfast.studies.seat.questions import MARGIN
from holdfast.studies.seat.worth import sentences, worths
from holdfast.study.findings import Findings
from holdfast.study.published_number import Published

RULE = (
    "The paper trains each model once; here a method has several seeds, and intervals are 95 %, over seeds "
    "and test texts (of F1 and hold over seeds alone), with the same seed and the same twentieth of the "
    "texts left out of both sides of a comparison. Of divergences the relative cut is shown, of the rest the "
    "difference. p is corrected by Holm for the claims of a data set. A claim came out when it is above 0 "
    "beyond chance and large enough to matter; it did not when so large an effect is excluded. Where a claim "
    "is about every rival and model, the weakest of them decides."
)
WORTH = (
    "The paper does not ask. Hold is the share of the attention that stays where it is with another seed, "
    "against the nearest of three impostors: 1 is the same again, 0 no better than knowing nothing. A repair "
    f"is worth it if hold rises beyond chance and F1 is not clearly more than {MARGIN} lower. One teacher "
    "for all seeds makes them agree by construction, and does not compete."
)
BESIDE = (
    "F1 and Jensen–Shannon divergence can be compared, the others with care. The printed TVD (up to 23) is "
    "read as a sum over test texts; ours is summed here too, and is a mean from 0 to 1 everywhere else. By "
    "the authors' public code it may be half the change of probability of a batch of 32, models are picked "
    "on the test split, perturbed vectors are cut to [0, 1], and sufficiency blanks whole columns of a "
    "batch, so that it is unreliable; none of that is done here. Norm and search of the noise are not "
    f"printed: ours moves each number of a vector by at most {TABLE_1.radius:g}, at worst ({TABLE_1.steps} "
    "steps of ascent), which comes nearest to the printed sums of the vanilla models."
)
MOVED = (
    "Attention: mean Jensen–Shannon divergence in nats, from 0 to 0.69. Prediction: mean total variation, "
    "from 0 to 1. Flipped: texts of which another class is predicted; beside each number stands what it is "
    "without them."
)
FAITHFUL = (
    "High comprehensiveness and low sufficiency speak for an order. So does a small noise on the top words "
    "that flips the prediction (Yin et al. call it sensitivity). Random orders show what somebody who knows "
    "nothing reaches."
)
CHOSEN = (
    f"The paper prints no strengths. Each rival has the same number of tries (of the full study: "
    f"{listed([f'{strength:g}' for strength in STRENGTHS])}); the best on the validation texts is compared "
    "with the others, and all other tables are of that one. SEAT is not tuned."
)


def page(findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
    """What came out and how it is judged, then every part of the page that has something to show."""
    rows, found = findings.rows, worths(findings.rows)
    every = [
        claims_section(claims, "Each pair by itself", name=_called),
        Section(
            "Which repair is worth it?",
            WORTH,
            figures=hold_against_f1(rows),
            tables=[tables.worth(found)],
            notes=sentences(found),
        ),
        _beside(published),
        Section(
            "How far do attention and predictions move? (Tables 1 and 3)", MOVED, tables=tables.moved(rows)
        ),
        Section("Is SEAT more faithful? (Table 2)", FAITHFUL, tables=[tables.faithful(rows)]),
        Section("What does each term do? (Table 4)", tables=[tables.ablation(rows), tables.surrogates(rows)]),
        Section("Do seeds agree? (Figure 2)", figures=divergences(rows), tables=[tables.seeds(rows)]),
        certificate_section(rows),
        Section(
            "How strong is each rival?",
            CHOSEN,
            tables=[tables.strengths(rows)],
            notes=[
                f"{with_strength(family.repair)} of {family.model} on {family.data} says the same of nearly "
                f"every text in {percent(share)} of its seeds: it is not ranked."
                for family, share in collapsed(rows).items()
            ],
        ),
    ]
    return Page([counted(claims), RULE], [section for section in every if not section.empty])


def _called(pair: str) -> str:
    """Two repairs as the paper calls them.

    >>> _called("rnn: word_at:strength=1.0 against seat")
    'rnn: Word-AT against SEAT'
    """
    model, colon, repairs = pair.partition(": ")
    return model + colon + " against ".join(method(name) for name in repairs.split(" against ") if name)


def _beside(published: Sequence[Published]) -> Section:
    ran = [one for one in published if one.measured is not None]
    caption = "Diamonds: published, one run. Dots: measured, the mean over seeds with its 95 % interval."
    return Section(
        "Published beside measured",
        BESIDE if ran else "Tables 1, 3 and 4 have no row for these data, models and repairs.",
        figures=beside_figures("tables", "Table", caption, ran),
        folded=[not_run_table(published)] if ran else [],
    )
