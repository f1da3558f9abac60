import pytest
from scipy import stats

from holdfast.measure.reduce import Interval
from holdfast.study.relevance_claims import ALL, Answer, cosines, own_claims, p_value
from tests.study.relevance_rows import COSINE, cosine_rows


def heads(rows) -> dict[str, Answer]:
    return {answer.claim: answer for answer in own_claims(rows) if not answer.detail}


PLANTED = heads(cosine_rows())


def test_what_was_planted_comes_out():
    assert [(a.claim, a.verdict) for a in PLANTED.values()] == [
        ("deeper cells are explained better", "came out"),
        ("the R-LSTM is explained better than the deep cell", "came out"),
        ("the best explained of all cells is an R-LSTM", "came out"),
        ("stationary dropout helps the R-LSTM", "came out"),
        ("literal connections hurt", "came out"),
        ("deep Taylor and LRP depend most on the cell", "came out"),
    ]


def test_the_numbers_are_those_that_were_planted():
    share = (0.2 + 0.3 + 1 + 1) / 4  # how much of a difference the average of the four methods sees
    expected = {
        "the R-LSTM is explained better than the deep cell": 0.12,
        "the best explained of all cells is an R-LSTM": 0.06,
        "stationary dropout helps the R-LSTM": 0.03,
        "literal connections hurt": (0.04 + 0.09) / 2,
        "deeper cells are explained better": (0.18 * 3 + 0.04) / 10,
    }
    for claim, planted in expected.items():
        assert PLANTED[claim].measured.value == pytest.approx(share * planted, abs=0.004)


def test_the_contrary_does_not_come_out_and_noise_decides_nothing():
    turned = {cell: 1.5 - value for cell, value in COSINE.items()}
    contrary = heads(cosine_rows(means=turned))
    assert contrary["deeper cells are explained better"].verdict == "did not come out"
    assert contrary["literal connections hurt"].verdict == "did not come out"
    same = dict.fromkeys(COSINE, 0.8)
    noisy = heads(cosine_rows(noise=0.1, means=same))
    assert {answer.verdict for answer in noisy.values()} <= {"not decided", "did not come out"}
    assert "not decided" in {answer.verdict for answer in noisy.values()}


def test_no_effect_measured_sharply_did_not_come_out():
    sharp = heads(cosine_rows(noise=0.0005, means=dict.fromkeys(COSINE, 0.8)))
    assert sharp["stationary dropout helps the R-LSTM"].verdict == "did not come out"


def test_a_difference_is_the_paired_t_test_over_members():
    rows = cosine_rows(noise=0.05, data=("mnist-maj",), methods=("deep_taylor",), members=6)
    value = {
        model: [r.value for r in rows if r.model == model and r.by == "member"] for model in ("deep", "rlstm")
    }
    t = stats.ttest_rel(value["rlstm"], value["deep"])
    ends = t.confidence_interval()
    answer = heads(rows)["the R-LSTM is explained better than the deep cell"]
    assert answer.p == pytest.approx(t.pvalue, rel=1e-9)
    assert (answer.measured.low, answer.measured.high) == pytest.approx((ends.low, ends.high), rel=1e-9)


def test_details_stand_below_their_claim_and_are_corrected_by_holm():
    lines = [a for a in own_claims(cosine_rows(noise=0.05)) if a.claim == "literal connections hurt"]
    assert [(a.where, a.explainer) for a in lines[:3]] == [
        ("mnist-maj and fashion-maj", ALL),
        ("mnist-maj", ALL),
        ("fashion-maj", ALL),
    ]
    methods = lines[3:]
    assert [a.explainer for a in methods] == [
        "sensitivity", "guided_backprop", "simple_taylor", "deep_taylor", "lrp",
    ]  # fmt: skip
    wanted, largest = {}, 0.0
    for rank, answer in enumerate(sorted(methods, key=lambda a: a.p)):
        largest = max(largest, min(1.0, (len(methods) - rank) * answer.p))
        wanted[answer.explainer] = largest
    assert {a.explainer: a.corrected for a in methods} == pytest.approx(wanted)


def test_questions_without_their_cells_are_not_asked():
    few = {name: COSINE[name] for name in ("shallow", "deep", "deep_v2", "convdeep")}
    asked = {answer.claim for answer in own_claims(cosine_rows(means=few, data=("digits-maj",)))}
    assert asked == {"deeper cells are explained better", "deep Taylor and LRP depend most on the cell"}
    two = {name: COSINE[name] for name in ("shallow", "rlstm")}
    assert own_claims(cosine_rows(means=two)) == []  # the best of two is not the best of all
    assert own_claims([]) == []
    assert own_claims(cosine_rows(data=("mnist",))) == []


def test_two_members_decide_nothing():
    answers = own_claims(cosine_rows(members=2))
    assert answers
    assert {answer.verdict for answer in answers} == {"not decided"}


def test_members_that_one_cell_lacks_are_left_out():
    rows = [row for row in cosine_rows() if not (row.model == "deep" and row.bin == "3")]
    table = cosines([r for r in rows if r.by == "member"], ("deep", "rlstm"), ("lrp",))
    assert table.values.shape == (2, 2, 1, 6)
    assert cosines([], ("deep",), ("lrp",)) is None


def test_p_without_an_interval_is_not_known():
    assert p_value(Interval(0.1, None, None, 2)) is None
    assert (p_value(Interval(0.1, 0.1, 0.1, 3)), p_value(Interval(0.0, 0.0, 0.0, 3))) == (0.0, 1.0)
