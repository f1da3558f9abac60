import pytest
from scipy import stats

from holdfast.core.errors import BadRun
from holdfast.measure.claims import Claim
from holdfast.studies.relevance.claims import ALL, own_claims
from holdfast.studies.relevance.questions import LEAST
from tests.study.relevance_rows import COSINE, SENSITIVE, cosine_rows

GAIN = "the R-LSTM is explained better than the deep cell, by every method"
BEST = "the ConvR-LSTM-SD is the best explained of all cells"
GATED = "an R-LSTM is the best explained of all cells"
DROPOUT = "stationary dropout helps the R-LSTM"
LITERAL = "literal connections hurt the ConvDeep"


def heads(rows) -> dict[tuple[str, str], Claim]:
    return {(answer.statement, answer.where): answer for answer in own_claims(rows) if not answer.detail}


def one(rows, claim) -> Claim:
    (found,) = (a for a in own_claims(rows) if a.statement == claim and not a.detail)
    return found


BOTH = "mnist-maj and fashion-maj"
PLANTED = heads(cosine_rows())


def test_what_was_planted_comes_out():
    assert [(a.statement, a.where, a.answer) for a in PLANTED.values()] == [
        ("deeper cells are explained better", BOTH, "came out"),
        (GAIN, BOTH, "came out"),
        (BEST, BOTH, "too small to matter"),
        (GATED, BOTH, "came out"),
        (DROPOUT, "mnist-maj", "came out"),
        (DROPOUT, "fashion-maj", "came out"),
        ("literal connections hurt the ConvR-LSTM-SD", BOTH, "came out"),
        (LITERAL, BOTH, "came out"),
        ("deep Taylor and LRP depend most on the cell", BOTH, "came out"),
    ]


def test_the_numbers_are_those_that_were_planted():
    share = (0.2 + 0.3 + 1 + 1) / 4  # how much of a difference the average of the four methods sees
    expected = {
        (GAIN, BOTH): 0.2 * 0.12,  # of the method that sees least
        (BEST, BOTH): share * 0.01,
        (GATED, BOTH): share * 0.06,
        (DROPOUT, "mnist-maj"): share * 0.03,
        ("literal connections hurt the ConvR-LSTM-SD", BOTH): share * 0.09,
        (LITERAL, BOTH): share * 0.04,
        ("deeper cells are explained better", BOTH): share * (0.18 * 3 + 0.04) / 10,
    }
    for claim, planted in expected.items():
        assert PLANTED[claim].effect.value == pytest.approx(planted, abs=0.004)
    assert PLANTED[GAIN, BOTH].weakest == "sensitivity"
    assert PLANTED[BEST, BOTH].weakest == "over rlstm_sd"


def test_what_the_document_says_is_told_from_what_we_ask():
    assert PLANTED[GATED, BOTH].published == "ours: the document does not say so"
    assert PLANTED[BEST, BOTH].published.startswith("yes, by its heat maps (§5)")
    assert PLANTED[DROPOUT, "fashion-maj"].published == "yes (Figure 4.17)"
    assert PLANTED[DROPOUT, "mnist-maj"].published == "hardly (Figure 4.17)"


def test_another_r_lstm_that_is_best_does_not_make_it_the_documents():
    rows = cosine_rows(means=COSINE | {"convrlstm:stationary=true": 0.86})
    assert one(rows, GATED).answer == "came out"
    assert one(rows, BEST).answer == "did not come out"


def test_by_every_method_is_by_all_of_them():
    rows = cosine_rows()
    weak = [r for r in rows if (r.model, r.explainer) == ("deep", "guided_backprop")]
    lifted = [r for r in rows if r not in weak] + [
        type(r)(**(vars(r) | {"value": r.value + 0.05})) for r in weak
    ]
    found = one(lifted, GAIN)
    assert (found.answer, found.weakest) == ("did not come out", "guided_backprop")
    assert found.effect.value < 0
    methods = {
        a.explainer: a.answer for a in own_claims(lifted) if a.statement == GAIN and a.explainer != ALL
    }
    assert methods == dict.fromkeys(SENSITIVE, "came out") | {"guided_backprop": "did not come out"}


def test_the_contrary_does_not_come_out_and_noise_decides_nothing():
    turned = {cell: 1.5 - value for cell, value in COSINE.items()}
    contrary = cosine_rows(means=turned)
    assert one(contrary, "deeper cells are explained better").answer == "did not come out"
    assert one(contrary, LITERAL).answer == "did not come out"
    noisy = heads(cosine_rows(noise=0.1, means=dict.fromkeys(COSINE, 0.8)))
    assert {answer.answer for answer in noisy.values()} <= {"not decided", "did not come out"}
    assert "not decided" in {answer.answer for answer in noisy.values()}


def test_no_effect_measured_sharply_did_not_come_out():
    sharp = heads(cosine_rows(noise=0.0005, means=dict.fromkeys(COSINE, 0.8)))
    assert {answer.answer for answer in sharp.values()} == {"did not come out"}


def test_a_difference_is_the_paired_t_test_over_members():
    rows = cosine_rows(noise=0.05, data=("mnist-maj",), methods=("deep_taylor",), members=6)
    value = {
        model: [r.value for r in rows if r.model == model and r.by == "member"] for model in ("deep", "rlstm")
    }
    t = stats.ttest_rel(value["rlstm"], value["deep"])
    ends = t.confidence_interval()
    found = one(rows, GAIN)
    assert found.over == "members"
    assert found.p == pytest.approx(t.pvalue, rel=1e-9)
    assert (found.effect.low, found.effect.high) == pytest.approx((ends.low, ends.high), rel=1e-9)
    short = stats.ttest_rel(value["rlstm"], [x + LEAST for x in value["deep"]])
    assert found.p_least == pytest.approx(short.pvalue if short.statistic < 0 else 1.0)


def test_images_that_cells_explain_differently_widen_every_interval():
    alone, both = (heads(cosine_rows(groups=groups, images=0.05)) for groups in (0, 10))
    assert {a.over for a in alone.values()} == {"members"}
    assert {a.over for a in both.values()} == {"members and images"}
    for key in alone:
        a, b = alone[key].effect, both[key].effect
        assert b.high - b.low > 2 * (a.high - a.low)


def test_both_corrections_stand_below_their_claim():
    lines = [a for a in own_claims(cosine_rows(noise=0.05)) if a.statement == LITERAL]
    assert [(a.where, a.explainer) for a in lines[:3]] == [
        (BOTH, ALL),
        ("mnist-maj", ALL),
        ("fashion-maj", ALL),
    ]
    methods = lines[3:]
    assert [a.explainer for a in methods] == [
        "sensitivity", "guided_backprop", "simple_taylor", "deep_taylor", "lrp",
    ]  # fmt: skip
    for p, corrected in (("p", "p_holm"), ("p_least", "p_least_holm")):
        wanted, largest = {}, 0.0
        for rank, one_of in enumerate(sorted(methods, key=lambda a: getattr(a, p))):
            largest = max(largest, min(1.0, (len(methods) - rank) * getattr(one_of, p)))
            wanted[one_of.explainer] = largest
        assert {a.explainer: getattr(a, corrected) for a in methods} == pytest.approx(wanted)


def test_questions_without_their_cells_are_not_asked():
    few = {name: COSINE[name] for name in ("shallow", "deep", "deep_v2", "convdeep")}
    asked = {answer.statement for answer in own_claims(cosine_rows(means=few, data=("digits-maj",)))}
    assert asked == {"deeper cells are explained better", "deep Taylor and LRP depend most on the cell"}
    two = {name: COSINE[name] for name in ("shallow", "rlstm")}
    assert own_claims(cosine_rows(means=two)) == []  # the best of two is not the best of all
    assert own_claims([]) == []
    assert own_claims(cosine_rows(data=("mnist",))) == []


def test_two_members_decide_nothing():
    answers = own_claims(cosine_rows(members=2))
    assert answers
    assert {answer.answer for answer in answers} == {"not decided"}
    assert {answer.effect.low for answer in answers} == {None}


def others(means, **about):
    """Rows of settings that are not the study's own, far from what was planted."""
    return cosine_rows(means=dict.fromkeys(means, 0.1), seed=1, **about)


@pytest.mark.parametrize(
    "more",
    [
        others(COSINE, repair="aswa"),
        others(COSINE, data=("mnist-maj:steps=6",)),
        others(COSINE, data=("mnist-maj:limit=600",)),
        others([f"{model}{',' if ':' in model else ':'}bias=0.1" for model in COSINE]),
        others([f"{model}{',' if ':' in model else ':'}bias=0.001" for model in COSINE]),
    ],
    ids=["repair", "length", "limit", "bias", "small bias"],
)
def test_only_the_studys_own_settings_answer(more):
    rows = cosine_rows()
    assert own_claims([*more, *rows]) == own_claims([*rows, *more]) == own_claims(rows)
    assert own_claims(more) == []


def test_on_digits_the_small_bias_is_the_studys_own():
    small = {f"{model}{',' if ':' in model else ':'}bias=0.001": mean for model, mean in COSINE.items()}
    rows = cosine_rows(means=small, data=("digits-maj",))
    usual = cosine_rows(data=("digits-maj",))
    assert own_claims([*others(COSINE, data=("digits-maj",)), *rows]) == own_claims(rows) == own_claims(usual)


def test_the_same_twice_is_refused():
    rows = cosine_rows(members=3)
    message = r"^expected one cosine of shallow on mnist-maj by member 0, but there are two: name every data"
    with pytest.raises(BadRun, match=message):
        own_claims([*rows, *rows])
