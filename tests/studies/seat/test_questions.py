import math

import pytest

from holdfast.studies.seat.numbers import SCORE
from holdfast.studies.seat.plan import ASWA, BOTH, NONE, SEAT
from holdfast.studies.seat.questions import OURS, Question, called, questions
from holdfast.study.measurement import FamilyKey

ONE, OTHER = FamilyKey("sst2", "rnn", NONE), FamilyKey("sst2", "rnn", SEAT)


def asked(*repairs, model="rnn"):
    return [question.statement for question in questions([FamilyKey("d", model, r) for r in repairs], "")]


def test_only_what_can_be_answered_is_asked():
    assert asked() == asked(NONE) == []
    assert asked(SEAT) == ["the top-k loss follows the true overlap"]
    assert asked(ASWA, BOTH) == ["SEAT with ASWA raises hold beyond ASWA alone"]


def test_models_are_compared_with_themselves_alone():
    families = [FamilyKey("d", "rnn", NONE), FamilyKey("d", "bilstm", SEAT)]
    assert [question.pairs for question in questions(families, "")] == [[(families[1], families[1])]]


def test_what_the_paper_does_not_ask_is_marked():
    found = {
        q.statement: q.published for q in questions([FamilyKey("d", "rnn", r) for r in (NONE, ASWA)], "")
    }
    assert found == {"ASWA raises the hold of attention": OURS}


def test_a_pair_is_a_difference_less_what_it_may_fall_short_by():
    part = Question("", "", SCORE, [(ONE, OTHER)], more=-0.008).part((ONE, OTHER))
    assert part.terms == ((1.0, ONE, SCORE), (-1.0, OTHER, SCORE))
    assert part.constant == 0.008
    assert part.name == "rnn: none against seat"


def test_a_family_by_itself_is_asked_for_its_number():
    part = Question("", "", SCORE, [(ONE, ONE)]).part((ONE, ONE))
    assert (part.terms, part.constant, called((ONE, ONE))) == (((1.0, ONE, SCORE),), 0.0, "rnn")


def test_what_is_enough_is_a_ratio_where_logarithms_are_compared():
    assert Question("", "", SCORE, [], log=True, least=0.1).least_known == pytest.approx(math.log(1.1))
    assert Question("", "", SCORE, [], least=0.1).least_known == 0.1
