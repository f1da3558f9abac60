import json
import math
from functools import cache

import pytest
from scipy import stats

from holdfast.measure.claims import Claim
from holdfast.studies.seat.claims import own_claims
from holdfast.studies.seat.measures import F1, MOVED, name_of
from holdfast.studies.seat.plan import NO_STABILITY, NONE, SEAT, TABLE_1
from tests.reference import claims as naive
from tests.studies.seat.made import AS_CLAIMED, GROUPS, SEEDS, rows

LEAST = "SEAT's attention moves least of all under noise on the word vectors"
WORDS = "SEAT's attention moves least of all when a word is changed"
MORE = "the rivals' attention moves more than the vanilla model's under noise on the word vectors"
LESS = "the rivals' attention moves less than the vanilla model's when a word is changed"
KEPT = "SEAT's F1 is at most 0.008 below the vanilla one"
ABOVE = "SEAT's F1 is above the vanilla one"
COSTS = "the top-k term alone costs F1"
RESTORED = "the stability term restores it"
SUFFICIENT = "SEAT lowers sufficiency"
SENSITIVE = "SEAT lowers the noise on the top words that flips a prediction (sensitivity)"
HOLDS = "SEAT raises the hold of attention"
AGREE = "seeds agree more on attention with SEAT than without"
RIVAL = "word_iat:strength=0.3"
AT = name_of(TABLE_1)
RIVALS_HERE = tuple(name for name in AS_CLAIMED if "strength" in name)


def heads(found) -> dict[str, Claim]:
    return {claim.statement: claim for claim in own_claims(found) if not claim.detail}


PLANTED = cache(lambda: heads(rows()))


def test_what_was_planted_comes_out_and_the_contrary_does_not():
    answers = {statement: claim.answer for statement, claim in PLANTED().items()}
    assert answers.pop(LESS) == "did not come out"  # they were planted to move more
    assert len(answers) == 21
    assert set(answers.values()) == {"came out"}


def test_a_ratio_is_how_many_times_as_large_the_first_is():
    found = PLANTED()
    assert found[LEAST].effect.value == pytest.approx(0.01 / 0.001, rel=0.01)
    assert found[AGREE].effect.value == pytest.approx(2.0, rel=0.01)
    assert found[SENSITIVE].effect.value == pytest.approx(2.0, rel=0.01)
    assert found[MORE].effect.value == pytest.approx(2.0, rel=0.01)
    assert found[LESS].effect.value == pytest.approx(0.5, rel=0.01)
    assert {found[name].ratio for name in (LEAST, AGREE, MORE)} == {True}
    assert {found[name].above for name in (LEAST, AGREE, MORE)} == {1.0}
    assert not found[ABOVE].ratio


def test_a_difference_is_in_favour_of_the_claim_where_it_is_above_nothing():
    found = PLANTED()
    for statement, difference in (
        (ABOVE, 0.02), (COSTS, 0.05), (RESTORED, 0.07), (SUFFICIENT, 0.08), (HOLDS, 0.1),
    ):  # fmt: skip
        assert found[statement].effect.value == pytest.approx(difference, abs=0.003)


@pytest.mark.parametrize(
    ("statement", "before", "after", "repair", "against"),
    [
        (LEAST, 0.01, 0.001, SEAT, NONE),
        (MORE, 0.01, 0.02, "word_at:strength=0.3", NONE),
        (LESS, 0.01, 0.02, "word_at:strength=0.3", NONE),
        (ABOVE, 0.8, 0.82, SEAT, NONE),
        (COSTS, 0.8, 0.75, NO_STABILITY, NONE),
        (RESTORED, 0.75, 0.82, SEAT, NO_STABILITY),
        (SUFFICIENT, 0.1, 0.02, SEAT, NONE),
        (SENSITIVE, 1.0, 0.5, SEAT, NONE),
        (HOLDS, 0.5, 0.6, SEAT, NONE),
    ],
)
def test_a_change_is_told_from_the_model_that_was_not_changed(statement, before, after, repair, against):
    claim = PLANTED()[statement]
    assert (claim.before, claim.after) == pytest.approx((before, after), rel=0.02)
    assert (claim.repair, claim.against) == (repair, against)


def values(found, repair, quantity, probe, by):
    return [
        row.value
        for row in found
        if (row.repair, row.quantity, row.probe, row.by) == (repair, quantity, probe, by)
    ]


def test_a_ratio_has_the_error_of_two_naive_jackknives():
    some = rows(without=RIVALS_HERE)
    claim = heads(some)[LEAST]
    seeds, groups = (
        [values(some, repair, MOVED, AT, by) for repair in (NONE, SEAT)] for by in ("member", "group")
    )

    def ratio(table):
        return lambda keep: math.log(
            naive.mean([table[0][i] for i in keep]) / naive.mean([table[1][i] for i in keep])
        )

    error = math.sqrt(naive.jackknife(ratio(seeds), SEEDS) + naive.jackknife(ratio(groups), GROUPS))
    value = ratio(seeds)(range(SEEDS))
    freedom = min(SEEDS, GROUPS) - 1
    half = stats.t.ppf(0.975, freedom) * error
    assert claim.effect.value == pytest.approx(math.exp(value))
    assert claim.effect.low == pytest.approx(math.exp(value - half))
    assert claim.effect.high == pytest.approx(math.exp(value + half))
    assert claim.p == pytest.approx(2 * stats.t.sf(value / error, freedom), rel=1e-6)
    assert claim.over == "seeds and texts"


def test_f1_is_compared_seed_by_seed():
    some = rows()
    claim = heads(some)[ABOVE]
    before, after = (values(some, repair, F1, "", "member") for repair in (NONE, SEAT))
    test = stats.ttest_rel(after, before)
    ends = test.confidence_interval()
    assert claim.over == "seeds"
    assert claim.p == pytest.approx(test.pvalue, rel=1e-6)
    assert (claim.effect.low, claim.effect.high) == pytest.approx((ends.low, ends.high))


@pytest.mark.parametrize(
    ("f1", "answer"), [(0.82, "came out"), (0.7999, "came out"), (0.75, "did not come out")]
)
def test_f1_may_fall_by_what_the_paper_lost(f1, answer):
    claim = heads(rows({SEAT: {"f1": f1}}))[KEPT]
    assert claim.answer == answer
    assert claim.above == -0.008
    assert claim.effect.value == pytest.approx(f1 - 0.8, abs=0.003)


@pytest.mark.parametrize(
    ("jsd", "answer"),
    [
        (0.001, "came out"),
        (0.0095, "too small to matter"),
        (0.01, "did not come out"),
        (0.2, "did not come out"),
    ],
)
def test_the_weakest_rival_decides_whether_seat_moves_least(jsd, answer):
    claim = heads(rows({SEAT: {"jsd": jsd}}))[LEAST]
    assert claim.answer == answer
    assert claim.weakest == "rnn: none against seat"


def test_a_rival_that_moves_less_is_named():
    some = rows({RIVAL: {"jsd": 0.0001}})
    claim = heads(some)[LEAST]
    assert (claim.answer, claim.weakest) == ("did not come out", f"rnn: {RIVAL} against seat")
    assert claim.effect.value == pytest.approx(0.1, rel=0.01)
    lines = [c for c in own_claims(some) if c.detail and c.statement == LEAST]
    assert {c.against: c.answer for c in lines}[RIVAL] == "did not come out"
    assert len(lines) == 6
    assert lines[0].where == "sst2, rnn: none against seat"


def test_one_that_says_the_same_of_every_text_is_left_out():
    some = rows({RIVAL: {"jsd": 0.0001, "constant": 0.5}})
    assert heads(some)[LEAST].answer == "came out"
    assert not [claim for claim in own_claims(some) if RIVAL in (claim.repair, claim.against)]


def test_rivals_are_asked_for_their_mean():
    some = rows({RIVAL: {"jsd": 0.02 / 32}})
    claim = heads(some)[MORE]
    assert claim.effect.value == pytest.approx((2**4 * 2 / 32) ** (1 / 5), rel=0.01)
    assert (claim.before, claim.after) == pytest.approx((0.01, 0.02 / 32 ** (1 / 5)), rel=0.01)
    assert claim.weakest == ""


@pytest.mark.parametrize(("still", "answer"), [(SEAT, "came out"), (RIVAL, "did not come out")])
def test_an_attention_that_does_not_move_at_all_moves_least(still, answer):
    claim = heads(rows({still: {"jsd": 0.0}}))[LEAST]
    assert claim.answer == answer
    json.dumps(claim.to_json(), allow_nan=False)


def test_two_that_do_not_move_are_equal():
    claim = heads(rows({SEAT: {"jsd": 0.0}, RIVAL: {"jsd": 0.0}}))[LEAST]
    assert (claim.effect.value, claim.answer) == (1.0, "did not come out")


def test_both_p_are_corrected_over_the_claims_of_a_data_set():
    few = (*RIVALS_HERE, NO_STABILITY, "seat:lambda2=0.0", "seat+aswa")
    some = rows({SEAT: {"f1": 0.8003, "hold": 0.501, "comprehensiveness": 0.1002}}, without=few)
    found = [c for c in own_claims([*some, *rows(data="hate", without=few)]) if not c.detail]
    for data in ("sst2", "hate"):
        claims = [c for c in found if c.data == data]
        assert len(claims) == 14
        assert [c.p_holm for c in claims] == pytest.approx(naive.holm([c.p for c in claims]))
        assert [c.p_least_holm for c in claims] == pytest.approx(naive.holm([c.p_least for c in claims]))


def test_several_models_stand_below_their_claim():
    found = [c for c in own_claims([*rows(), *rows(model="bilstm")]) if c.statement == ABOVE]
    assert [c.where for c in found] == [
        "sst2",
        "sst2, rnn: seat against none",
        "sst2, bilstm: seat against none",
    ]
    assert found[0].models == ("rnn", "bilstm")


def test_without_seat_its_claims_are_not_asked():
    asked = heads(rows(without=(SEAT,)))
    assert LEAST not in asked
    assert MORE in asked
    assert own_claims([]) == []


def test_two_seeds_decide_nothing():
    found = own_claims(rows(seeds=2))
    assert found
    assert {claim.answer for claim in found} == {"not decided"}
    assert {claim.effect.low for claim in found} == {None}


def test_words_that_changed_have_their_own_claims():
    assert WORDS in PLANTED()
    few = [row for row in rows() if row.probe != "neighbours"]
    assert WORDS not in heads(few)
