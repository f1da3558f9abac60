import math

import pytest

from holdfast.studies.seed_stability.numbers import ACCURACY, SPREAD
from holdfast.studies.seed_stability.questions import (
    THINGS,
    Change,
    Question,
    attention_of,
    name_of,
    questions,
)
from holdfast.study.measurement import FamilyKey

REPAIRS = ("none", "aswa", "naswa", "naswa:per=tensor")
ALL = [
    FamilyKey("sst2", model, repair)
    for model in ("cnn", "bilstm", "cnn:attention=dot", "bilstm:attention=dot")
    for repair in REPAIRS
]


def asked(words: str, families: list[FamilyKey] = ALL) -> Question:
    (found,) = [question for question in questions(families) if question.claim == words]
    return found


def test_everything_that_is_wanted_is_asked() -> None:
    found = questions(ALL)
    assert len({question.claim for question in found}) == len(found)
    kl = asked("ASWA lowers the KL of attention between seeds")
    assert [name_of(change) for change in kl.changes] == [
        "cnn: aswa against none",
        "bilstm: aswa against none",
    ]
    for thing in [thing for what, thing in THINGS.items() if what != SPREAD]:
        for words in (
            f"NASWA lowers {thing}",
            f"NASWA lowers {thing}, with dot attention",
            f"NASWA lowers {thing} further than ASWA",
            f"a filter for each tensor lowers {thing} further than one over all",
            f"with dot attention {thing} is lower than with additive",
        ):
            assert asked(words).changes
    assert asked("ASWA costs less than 1 point of accuracy").every


def test_dot_is_compared_with_the_same_encoder() -> None:
    found = asked("with dot attention the KL of attention between seeds is lower than with additive")
    assert [name_of(change) for change in found.changes] == [
        "cnn:attention=dot against cnn",
        "bilstm:attention=dot against bilstm",
    ]


def test_what_was_published_of_the_same_data_and_model_is_said() -> None:
    said = asked("ASWA lowers the spread of accuracy over seeds").published
    assert said == "61 % (cnn), 46 % (bilstm) (Tables 4.2, 4.3)"
    snli = [FamilyKey("snli", "cnn", repair) for repair in REPAIRS]
    assert asked("ASWA lowers the KL of attention between seeds", snli).published == "yes (Figure 4.18)"


@pytest.mark.parametrize("families", [[], ALL[:1], ALL[1:3]])
def test_without_something_to_compare_little_is_asked(families: list[FamilyKey]) -> None:
    claims = [question.claim for question in questions(families)]
    assert all("further than ASWA" in claim for claim in claims)


def test_the_least_effect_is_of_the_number_that_is_tested() -> None:
    kl = asked("ASWA lowers the KL of attention between seeds")
    assert (kl.least, kl.least_log) == (0.1, pytest.approx(-math.log(0.9)))
    kept = asked("ASWA costs less than 1 point of accuracy")
    assert kept.least_log == 0
    (first, *_) = kept.parts
    assert first.constant == 0.01
    assert [(factor, what) for factor, _, what in first.terms] == [(1.0, ACCURACY), (-1.0, ACCURACY)]


def test_names() -> None:
    dot = Change(ALL[1], ALL[9])
    assert name_of(dot) == "cnn:attention=dot against cnn (aswa)"
    assert attention_of("cnn:attention=dot,dim=8") == "dot"
