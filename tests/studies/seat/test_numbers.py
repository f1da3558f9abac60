import pytest

from holdfast.studies.seat.measures import CONSTANT, MOVED
from holdfast.studies.seat.numbers import (
    HOLD,
    SCORE,
    by_repair,
    collapsed,
    compared,
    constants,
    even,
    numbers,
    rivals,
    word_probe,
)
from holdfast.studies.seat.plan import NONE, SEAT
from holdfast.study.measurement import FamilyKey, Measurement
from tests.studies.seat.made import SEEDS, WORDS, family, rows

PLACE = FamilyKey("sst2", "rnn", NONE)


def test_a_hold_is_what_its_row_says_and_not_the_mean_of_what_is_left():
    found = numbers(family(hold=0.4))[PLACE, HOLD]
    assert found.whole == 0.4
    assert (found.n, len(found.left)) == (SEEDS, SEEDS)
    assert found.whole != pytest.approx(sum(found.left.values()) / SEEDS, abs=1e-6)


def test_other_numbers_are_means_of_seeds():
    some = list(family())
    each = [row.value for row in some if row.quantity == "macro_f1" and row.by == "member"]
    found = numbers(some)[PLACE, SCORE]
    assert found.whole == pytest.approx(sum(each) / SEEDS)
    assert found.left["0"] == pytest.approx(sum(each[1:]) / (SEEDS - 1))
    assert found.groups == {}


def test_the_perturbation_of_words_is_what_is_no_noise():
    assert word_probe(rows()) == WORDS
    assert word_probe(row for row in rows() if row.probe != WORDS) == ""


def test_families_that_were_only_trained_are_not_compared():
    only = FamilyKey("sst2", "rnn", "word_at")
    trained = Measurement(*only, CONSTANT, 1.0)
    some = [trained, *family(), *family(SEAT, constant=0.5), *family("aswa", constant=0.4)]
    assert compared(some) == [PLACE, FamilyKey("sst2", "rnn", SEAT), FamilyKey("sst2", "rnn", "aswa")]
    assert constants(some) == {FamilyKey("sst2", "rnn", SEAT): 0.5, FamilyKey("sst2", "rnn", "aswa"): 0.4}
    assert collapsed(some) == {FamilyKey("sst2", "rnn", SEAT)}
    assert only in collapsed([*some, Measurement(*only, MOVED, 0.1, probe="p")])


def test_even_attention_is_not_ranked_whatever_it_predicts():
    some = [*family(), *family(SEAT, contrast=0.049), *family("aswa", contrast=0.05)]
    assert even(some) == {FamilyKey("sst2", "rnn", SEAT): 0.049}
    assert collapsed(some) == {FamilyKey("sst2", "rnn", SEAT)}


def test_where_all_attention_is_even_none_became_so():
    assert collapsed([*family(contrast=0.01), *family(SEAT, contrast=0.01)]) == set()


def test_rivals_are_found_by_name_whatever_their_strength():
    keys = [FamilyKey("d", "rnn", r) for r in ("attention_at:strength=3.0", "word_at", "seat:k=3", NONE)]
    known = by_repair([*keys, FamilyKey("d", "bilstm", "word_iat")], "rnn")
    assert list(known) == ["attention_at", "word_at", "seat:k=3", NONE]
    assert list(rivals(known).items()) == [("word_at", keys[1]), ("attention_at", keys[0])]
