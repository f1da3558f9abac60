import pytest

from holdfast.core.settings import label
from holdfast.measure.claims import CAME, NOT, OPEN
from holdfast.studies.calibration import Calibration
from holdfast.studies.calibration.claims import own_claims
from holdfast.studies.calibration.measures import LOG_ODDS
from holdfast.studies.calibration.page import short_names, shuffled_section
from holdfast.studies.calibration.plan import NEUMF, TWO
from holdfast.study.measurement import Measurement
from tests.studies.calibration.runs import reproduced, rows

LESS = "shuffling attention changes the probability of false negatives less where the model is surer"
NEAR = "DeepICF with softmax has the published HR@10 (70.4), within 1.5 points"


def slope(value, half=0.02):
    about = {"label": "false negative", "probe": "attention_permutation"}
    return Measurement(
        "ml-1m:x", TWO, "none", "permutation_slope", value, value - half, value + half, 10, **about
    )


def answers(*rows):
    return {claim.statement: claim.answer for claim in own_claims(rows) if not claim.detail}


@pytest.mark.parametrize(("value", "answer"), [(-0.4, CAME), (0.3, NOT), (-0.01, NOT)])
def test_a_fall_is_a_correlation_below_zero(value, answer):
    assert answers(slope(value)) == {LESS: answer}


@pytest.mark.parametrize(("value", "answer"), [(0.713, CAME), (0.75, NOT), (0.7041 - 0.0149, OPEN)])
def test_near_the_published_rate(value, answer):
    about = {"by": "among", "bin": "sampled"}
    row = Measurement("ml-1m:x", TWO, "none", "hr@10", value, value - 0.002, value + 0.002, 10, **about)
    assert answers(row) == {NEAR: answer}
    assert answers(Measurement("planted-plays", TWO, "none", "hr@10", value, **about)) == {}


def seeds(repair, values, model=TWO):
    about = {"by": "member", "n": 1}
    return [
        Measurement("d", model, repair, "hr@10", value, member=str(m), **about)
        for m, value in enumerate(values)
    ]


def test_deepicf_is_not_held_against_a_model_whose_training_ended_too_early():
    pair = (NEUMF, "pretrained")
    both = [*seeds("none", [0.71, 0.71, 0.72]), *seeds(pair[1], [0.65, 0.66, 0.66], pair[0])]
    told = {early: Measurement("d", *pair, "still_improving", early, n=3) for early in (0.0, 1.0)}
    statement = "DeepICF with softmax is as good as NeuMF with pre-training (HR@10, within a point)"
    assert answers(*both, told[0.0]) == {statement: CAME}
    assert answers(*both, told[1.0]) == {statement: OPEN}
    assert answers(*both, Measurement("d", TWO, "none", "still_improving", 1.0, n=3)) == {statement: CAME}


def test_attention_matters_more_only_if_it_does_where_nothing_saturates():
    def shuffled(repair, probability, log_odds):
        probes = {"": ("attention_permutation", probability), "_log_odds": (label(LOG_ODDS), log_odds)}
        return [
            Measurement("d", TWO, repair, f"permutation{name}_true", value + m / 1000, probe=probe, **about)
            for name, (probe, value) in probes.items()
            for m, about in enumerate({"by": "member", "member": str(m), "n": 1} for m in range(4))
        ]

    told = answers(*shuffled("none", 0.30, 2.0), *shuffled("class_balanced", 0.35, 1.9))
    assert told == {
        "a class-balanced loss makes attention matter more (shuffled, on the true items)": CAME,
        "a class-balanced loss makes attention matter more in log-odds, which cannot saturate": NOT,
    }


def test_changes_are_seed_by_seed():
    rows = [*seeds("none", [0.70, 0.71, 0.72]), *seeds("even_attention", [0.60, 0.615, 0.62])]
    (claim,) = own_claims(rows)
    assert "with even attention HR@10 is lower" in claim.statement
    assert claim.effect.value == pytest.approx(0.295 / 3)
    assert claim.effect.n == 3


def test_a_run_has_claims_published_numbers_and_a_page():
    done = reproduced()
    assert any("over-confident on positive cases" in claim.statement for claim in done.claims)
    assert {one.table for one in done.published} == {"3.1", "3.2"}
    assert all(one.measured is None for one in done.published)  # which are of MovieLens
    assert {row.value for row in rows() if row.quantity == "still_improving"} <= {0.0, 1.0}
    html = (done.run / "report.html").read_text()
    assert ">still improving</th>" in html
    for title in (
        "How sure, and how right?",
        "Does attention matter where the model is sure?",
        "Do seeds agree?",
    ):
        assert title in html


def test_data_are_named_without_their_settings_where_that_tells_them_apart():
    rows = [Measurement(data, TWO, "none", "ece", 0.1) for data in ("a:x=1", "b", "a:x=1")]
    assert short_names(rows) == {"a:x=1": "a", "b": "b"}
    assert short_names([*rows, Measurement("a", TWO, "none", "ece", 0.1)])["a:x=1"] == "a:x=1"


def test_what_was_not_shuffled_is_not_said_to_be():
    sizes = [row for row in rows() if row.quantity == "size"]
    assert shuffled_section(sizes).empty
    assert not shuffled_section(rows()).empty


def test_the_page_counts_the_pairs_from_the_data():
    html = (reproduced().run / "report.html").read_text()
    assert "the true item of each of 60 users and, of 1,200 negative pairs, for 60, one drawn" in html
    assert "the test has 20, so that" in html


def test_a_terminal_names_the_data_alone():
    claim = own_claims([slope(-0.4)])[0]
    assert Calibration().line(claim).startswith(f"{CAME}: {LESS} (ml-1m): +0.4")
