import itertools
from dataclasses import replace

import pytest

from holdfast.measure.question import Question, not_asked
from holdfast.measure.verdict import judge

PASSED = [Question("learned", "passed"), Question("says", "passed"), Question("survives", "passed")]
WORDS = {"learned": "not learned", "says": "says nothing", "matters": "does not matter"}


def chain(**answers):
    """Learned, says, survives and matters, passed where nothing is said; an answer, or words of an
    undecided one."""
    questions = []
    for name in ("learned", "says", "survives", "matters"):
        given = answers.get(name, "passed")
        if isinstance(given, tuple):
            questions.append(Question(name, "undecided", words=given, because="it crosses"))
        else:
            words = (WORDS.get(name, "shaky"),) if given in ("failed", "undecided") else ()
            questions.append(Question(name, given, words=words, because="so it is"))
    return judge(questions)


def test_all_passed_holds():
    verdict = chain()
    assert (verdict.word, verdict.between, verdict.decides) == ("holds", (), None)
    assert verdict.reason == "It holds: so it is."


@pytest.mark.parametrize("answers", list(itertools.product(["passed", "failed", "not asked"], repeat=3)))
def test_the_first_that_fails_gives_the_word(answers):
    names = ("learned", "says", "matters")
    verdict = chain(**dict(zip(names, answers, strict=True)))
    failed = [name for name, answer in zip(names, answers, strict=True) if answer == "failed"]
    assert verdict.word == (WORDS[failed[0]] if failed else "holds")
    assert verdict.decides == (failed[0] if failed else None)


@pytest.mark.parametrize("word", ["does not hold", "shaky"])
def test_a_hold_that_fails_has_its_own_word(word):
    verdict = judge([*PASSED[:2], Question("survives", "failed", words=(word,))])
    assert (verdict.word, verdict.decides) == (word, "survives")


@pytest.mark.parametrize(
    ("answers", "between", "decides"),
    [
        ({"learned": "undecided"}, ("not learned", "holds"), "learned"),
        ({"learned": "undecided", "survives": "failed"}, ("not learned", "shaky"), "learned"),
        (
            {"learned": "undecided", "survives": ("shaky", "holds")},
            ("not learned", "shaky", "holds"),
            "learned",
        ),
        ({"says": "undecided", "matters": "failed"}, ("says nothing", "does not matter"), "says"),
        ({"survives": ("shaky", "holds")}, ("shaky", "holds"), "survives"),
        (
            {"survives": ("does not hold", "shaky", "holds")},
            ("does not hold", "shaky", "holds"),
            "survives",
        ),
        ({"survives": ("shaky", "holds"), "matters": "failed"}, ("shaky", "does not matter"), "survives"),
        (
            {"survives": ("does not hold", "shaky"), "matters": "failed"},
            ("does not hold", "shaky"),
            "survives",
        ),
        ({"matters": "undecided"}, ("does not matter", "holds"), "matters"),
    ],
)
def test_an_undecided_question_ends_the_chain(answers, between, decides):
    """What would follow if it were passed is among the words."""
    verdict = chain(**answers)
    assert (verdict.word, verdict.between, verdict.decides) == ("undecided", between, decides)


def test_what_fails_before_is_decided_whatever_comes_later():
    assert chain(learned="failed", survives=("shaky", "holds")).word == "not learned"


def test_nothing_holds_that_was_not_asked_to_survive():
    verdict = judge([*PASSED[:2], not_asked("survives", "no example has two positions or more")])
    assert (verdict.word, verdict.between) == ("undecided", ("does not hold", "shaky", "holds"))
    assert verdict.reason == (
        "Undecided between “does not hold”, “shaky” and “holds”: no example has two positions or more."
    )


def test_what_was_not_asked_to_survive_may_still_fail_later():
    unasked = not_asked("survives", "there is one member")
    failing = Question("matters", "failed", words=("does not matter",))
    assert judge([unasked, failing]).between == ("does not hold", "shaky", "does not matter")


@pytest.mark.parametrize(
    ("settle", "said"),
    [
        (None, ""),
        (0, " More than 50 folds would be needed to settle it."),
        (14, " About 14 folds are expected to settle it."),
    ],
)
def test_the_reason_says_how_many_settle_it(settle, said):
    words = ("shaky", "holds")
    question = Question("survives", "undecided", words=words, because="hold 0.70", settle=settle)
    assert judge([question], of="fold").reason == f"Undecided between “shaky” and “holds”: hold 0.70.{said}"


@pytest.mark.parametrize("answer", ["warning", "undecided", "not asked"])
def test_a_question_that_only_warns_changes_no_word(answer):
    chain = [Question("learned", "passed"), Question("survives", "passed")]
    warned = judge([*chain, Question("calibrated", answer)])
    assert (warned.word, warned.between, warned.decides) == ("holds", (), None)
    assert len(warned.questions) == 3


def test_a_small_change_that_it_does_not_survive_gives_the_word():
    asked = Question("survives_change", "failed", words=("shaky",), because="hold 0.50 under dropped")
    verdict = judge([Question("survives", "passed"), asked, Question("matters", "passed")])
    assert (verdict.word, verdict.decides) == ("shaky", "survives_change")
    assert verdict.reason == "It is shaky: hold 0.50 under dropped."
    undecided = replace(asked, answer="undecided", words=("does not hold", "shaky"))
    failing = Question("matters", "failed", words=("does not matter",))
    both = judge([Question("survives", "passed"), undecided, failing])
    assert (both.word, both.between) == ("undecided", ("does not hold", "shaky"))
    assert judge([Question("survives", "passed"), replace(asked, answer="not asked")]).word == "holds"
