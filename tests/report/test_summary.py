"""The first screen says what to do."""

from dataclasses import replace

import pytest

from holdfast.report.modality import modality
from holdfast.report.summary import facts, meaning, summary
from holdfast.study.answer import Members
from tests.report.synthetic import make_answer, no_answer

WORDS, ITEMS = modality("text").unit, modality("interaction").unit
ANSWER = make_answer()


def test_the_headline_has_a_subject_and_the_command_stands_apart():
    first = summary(ANSWER, WORDS)
    assert first.headline.startswith("As far as it was asked, integrated gradients of cnn with aswa holds (")
    assert (first.do, first.badge.word, first.about) == (
        "Try a repair:",
        "holds",
        "integrated gradients, cnn with aswa",
    )
    assert first.command == "holdfast audit planted --model cnn --repair none,aswa --seeds 10"
    assert first.gone == ("Seed 4 was left out: its loss was not finite in epoch 2.",)
    assert "odd seeds up to 26 % would not have been seen" in first.reason


def test_advice_without_a_command():
    first = summary(make_answer(do="Nothing more to do."), WORDS)
    assert (first.do, first.command) == ("Nothing more to do.", "")


@pytest.mark.parametrize(
    ("nearest", "told"),
    [
        ("another input", "Here the nearest is “another input”: what another seed says of another history."),
        ("untrained order", "the order in which an untrained network ranks the items."),
        ("shuffled", "its own weights at random places."),
        (None, "knows nothing. From 0.7"),
    ],
)
def test_hold_and_the_impostor_are_explained_where_they_stand(nearest, told):
    said = meaning(replace(ANSWER.rows[0], nearest=nearest), ITEMS)
    assert "Hold is the share of an explanation that is still there" in said
    assert told in said
    assert "From 0.7 it holds, below 0.4 it does not" in said


def test_facts_name_chance_and_macro_f1():
    accuracy, macro, seeds = facts(ANSWER)
    assert (accuracy.name, accuracy.value) == ("accuracy", "87.1 %")
    assert accuracy.beside == "± 1.1 % over seeds; 50.0 % by chance"
    assert (macro.name, macro.value) == ("macro-F1", "86.8 %")
    assert macro.beside == "± 1.2 % over seeds; negative: 85.1 %, positive: 88.5 %"
    assert (seeds.name, seeds.value, seeds.beside) == ("seeds", "9", "1 left out")


def test_recommenders_have_no_f1():
    quality = {"metric": "recall@10 %", "mean": 0.4, "sd": 0.03, "n": 3, "chance": 0.1}
    ranked = replace(ANSWER, quality=quality, members=Members(3))
    assert [fact.name for fact in facts(ranked)] == ["recall@10 %", "seeds"]


def test_an_answer_about_nothing():
    first = summary(no_answer(), WORDS)
    assert (first.hold.value, first.about, first.meaning) == (None, "", "")
    assert [fact.name for fact in first.facts] == ["seeds"]
