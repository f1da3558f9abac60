"""The report of the study of stable attention: the claims, which repair is worth it, then the tables."""

from collections.abc import Sequence

from holdfast.measure.claims import Claim
from holdfast.report.certificate import certificate_section
from holdfast.report.charts.curves import published as beside_figures
from holdfast.report.claims import claims_section, counted, not_run_table
from holdfast.report.page import Page, Section
from holdfast.report.texts import percent
from holdfast.studies.seat import tables
from holdfast.studies.seat.charts import divergences, hold_against_f1, one_text
from holdfast.studies.seat.names import method, with_strength
from holdfast.studies.seat.numbers import MOST, collapsed, compared, constants, even
from holdfast.studies.seat.plan import TABLE_1
from holdfast.studies.seat.questions import HELD, LEAST, MARGIN, ORDER, POINT
from holdfast.studies.seat.strengths import rival_of
from holdfast.studies.seat.worth import sentences, worths
from holdfast.study.findings import Findings
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.published_number import Published

RULE = (
    "The paper trains each model once; here each method has several seeds. Intervals are 95 %, over seeds "
    "and test texts (of F1 and hold over seeds alone); a comparison leaves the same seed, or the same "
    "twentieth of the texts, out of both sides. Of how far attention and predictions move, of the "
    "divergence between seeds and of sensitivity the ratio is shown, the number that is claimed to be "
    "larger over the other: × 2 is twice as large, ÷ 2 half as large, against the claim. Of the rest the "
    "difference is shown, above 0 in favour of the claim. A claim came out when its number speaks for it "
    f"beyond chance and by enough to matter (a ratio of {1 + LEAST:g}; {POINT:g} of F1 or of a probability, "
    f"{HELD:g} of hold, {ORDER:g} of a rank correlation); it did not when so much is excluded. p is "
    "corrected by Holm over the claims of a data set. Where a claim is about every rival and model, the "
    "weakest of them decides."
)
WORTH = (
    "The paper does not ask. Hold is the share of the attention that stays where it is with another seed, "
    "against the nearest of three impostors: 1 is the same again, 0 no better than knowing nothing. A "
    f"repair is worth it if hold rises beyond chance, among so many repairs, and F1 is not clearly more than "
    f"{MARGIN} lower. One "
    "teacher for all seeds makes them agree by construction, and does not compete."
)
BESIDE = (
    "F1 and Jensen–Shannon divergence can be compared, the others with care. The printed TVD (up to 23) is "
    "read as a sum over test texts; here ours is the mean over the explained texts times the number of test "
    "texts, and everywhere else that mean, from 0 to 1. By "
    "the authors' public code it may be half the change of probability of a batch of 32, models are picked "
    "on the test split, perturbed vectors are cut to [0, 1], and sufficiency blanks whole columns of a "
    "batch, so that it is unreliable; none of that is done here. Norm and search of the noise are not "
    f"printed: ours moves each number of a vector by at most {TABLE_1.radius:g}, at worst ({TABLE_1.steps} "
    "steps of ascent), which comes nearest to the sums of vanilla models in Table 1. No reading fits both "
    "tables: at ten times the radius, Table 4 prints nearly the same sums."
)
MOVED = (
    "Attention: mean Jensen–Shannon divergence in nats, from 0 to 0.69. Prediction: mean total variation, "
    'from 0 to 1. Flipped: the share of texts for which the predicted class changes; the columns "not '
    'flipped" leave them out. Attention that is even in every text never moves, so that it would come first '
    "here: read these numbers beside its contrast (0 is even, 1 is all on one word), which stands with the "
    "seeds, and beside F1. A method whose attention became even (a contrast below 0.05, where the vanilla "
    "model's is not) is named and not ranked; hold gives even attention nothing."
)
FAITHFUL = (
    "Attention is faithful where removing its top words lowers the probability much (high "
    "comprehensiveness), keeping them alone lowers it little (low sufficiency), and little noise on them "
    "flips the prediction (Yin et al. call it sensitivity). Beside each number stands that of words in "
    "random order."
)
CHOSEN = (
    "The paper prints no strengths. The strength of a rival that does best on the validation texts is "
    "compared with the other methods, and all other tables show that one. SEAT is not tuned."
)
ALIKE = (
    "As it is defined, Attention-iAT is Attention-AT wherever the scores of a text differ: of equal "
    "strength they give the same model. The paper prints different numbers for them."
)


def page(findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
    """What came out and how it is judged, then every part of the page that has something to show."""
    rows, found = findings.rows, worths(findings.rows)
    every = [
        claims_section(claims, "Each pair by itself", name=_called, where=_called),
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
        Section("One text (Figure 1)", figures=one_text(rows), tables=[tables.one_text(rows)]),
        Section("Is SEAT more faithful? (Table 2)", FAITHFUL, tables=[tables.faithful(rows)]),
        Section("What does each term do? (Table 4)", tables=[tables.ablation(rows), tables.surrogates(rows)]),
        Section("Do seeds agree? (Figure 2)", figures=divergences(rows), tables=[tables.seeds(rows)]),
        certificate_section(rows),
        Section(
            "How strong is each rival?",
            CHOSEN,
            tables=[tables.strengths(rows)],
            notes=_remarks(rows),
        ),
    ]
    return Page([counted(claims), RULE], [section for section in every if not section.empty])


def _called(pair: str) -> str:
    """Two repairs as the paper calls them; what names no repair stays.

    >>> _called("sst2, rnn: word_at:strength=1.0 against seat"), _called("sst2")
    ('sst2, rnn: Word-AT against SEAT', 'sst2')
    """
    model, colon, repairs = pair.partition(": ")
    return model + colon + " against ".join(method(name) for name in repairs.split(" against ") if name)


def _remarks(rows: Sequence[Measurement]) -> list[str]:
    """Which methods are no two, and which are not ranked."""
    known = {rival_of(family.repair) for family in compared(rows)}
    told = [ALIKE] * ({"attention_at", "attention_iat"} <= known)
    for family, share in constants(rows).items():
        ranked = "it is not ranked" if share >= MOST else "its numbers are those of all seeds"
        same = f"predicts the same class for nearly every text in {percent(share)} of its seeds"
        told.append(f"{_told(family)} {same}: {ranked}.")
    lost = collapsed(rows)
    for family, value in even(rows).items():
        then = "it is not ranked" if family in lost else "that it hardly moves says nothing"
        told.append(f"The attention of {_told(family)} is nearly even (contrast {value:.3f}): {then}.")
    return told


def _told(family: FamilyKey) -> str:
    return f"{with_strength(family.repair)} of {family.model} on {family.data}"


def _beside(published: Sequence[Published]) -> Section:
    ran = [one for one in published if one.measured is not None]
    caption = "Diamonds: published, one run. Dots: measured, the mean over seeds with its 95 % interval."
    none = "No row of Tables 1, 3 and 4 was run: they are of other data, models or repairs."
    return Section(
        "Published beside measured",
        BESIDE if ran else "",
        figures=beside_figures("tables", "Table", caption, ran),
        folded=[not_run_table(published)] if ran else [],
        notes=[] if ran else [none],
    )
