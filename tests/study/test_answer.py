import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadRun
from holdfast.measure.question import TITLES, Question
from holdfast.study.answer import FRACTIONS, Answer, Decides, ExplainerVerdict, Members
from tests.study.answers import answer, row

SOME = st.text(max_size=5)
NUMBER = st.none() | st.floats(-1e300, 1e300)
WORD = st.sampled_from(["not learned", "shaky", "holds"])
QUESTIONS = st.builds(
    Question,
    st.sampled_from(sorted(TITLES)),
    st.sampled_from(["passed", "failed", "undecided", "not asked"]),
    NUMBER, NUMBER, NUMBER, NUMBER,
    st.lists(WORD, max_size=3).map(tuple),
    SOME,
    st.none() | st.integers(0, 50),
)  # fmt: skip
ROWS = st.builds(
    ExplainerVerdict,
    SOME, SOME, SOME, SOME, WORD,
    st.lists(WORD, max_size=3).map(tuple),
    SOME,
    st.lists(QUESTIONS, max_size=4).map(tuple),
    hold=NUMBER, low=NUMBER, high=NUMBER,
    against=st.none() | st.dictionaries(SOME, st.floats(-9, 2), max_size=3),
)  # fmt: skip
ANSWERS = st.builds(
    Answer,
    WORD, st.lists(WORD, max_size=3).map(tuple), SOME, SOME, SOME,
    st.none() | st.builds(Decides, SOME, SOME, SOME),
    st.lists(ROWS, max_size=3).map(tuple),
    st.dictionaries(SOME, st.floats(0, 1), max_size=3),
    st.builds(
        Members,
        st.integers(0, 9),
        st.lists(st.fixed_dictionaries({"seed": st.integers(0, 9), "why": SOME}), max_size=2).map(tuple),
        st.lists(st.integers(0, 9), max_size=2).map(tuple),
    ),
)  # fmt: skip


@given(ANSWERS)
def test_there_and_back_and_there_again(made: Answer) -> None:
    """What is written is what is read, in the letters of JSON too, and fractions are fractions."""
    values = made.to_json()
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert Answer.from_json(values).to_json() == values
    assert values["schema"] == 2
    for one in values["rows"]:
        shares = [one["hold"], one["low"], one["high"], *(one["against"] or {}).values()]
        shares += [
            q[end] for q in one["questions"] if q["name"] in FRACTIONS for end in ("value", "low", "high")
        ]
        assert all(share is None or 0 <= share <= 1 for share in shares)


def test_what_lies_between_0_and_1_comes_back_as_it_was() -> None:
    made = answer(
        row("a", hold=0.75), row("b", "undecided", 0.5), members=Members(9, ({"seed": 3, "why": "x"},))
    )
    assert Answer.from_json(json.loads(json.dumps(made.to_json()))) == made


def test_the_fields_of_the_answer_are_these() -> None:
    """DESIGN: what a machine reads, and nothing goes missing unseen."""
    values = answer(row()).to_json()
    assert {"schema", "verdict", "between", "reason", "do", "decides", "rows", "quality", "members"} <= set(
        values
    )
    assert set(values["decides"]) == {"model", "repair", "explainer"}
    assert set(values["members"]) == {"trained", "left_out", "odd"}
    wanted = {"model", "repair", "explainer", "verdict", "nearest", "hold", "low", "high", "questions"}
    assert wanted <= set(values["rows"][0])
    assert {"name", "answer", "value", "low", "high", "limit"} <= set(values["rows"][0]["questions"][0])


@pytest.mark.parametrize("values", [{}, {"schema": 1, "verdict": "holds"}])
def test_an_older_verdict_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(BadRun) as caught:
        Answer.from_json(values)
    assert str(caught.value) == (
        f"verdict.json: expected schema 2, but got {values.get('schema')}: run the audit with --fresh"
    )


@pytest.mark.parametrize(
    ("verdict", "undecided", "name"),
    [
        ("holds", "", None),
        ("shaky", "", "survives"),
        ("not learned", "", "learned"),
        ("undecided", "matters", "matters"),
    ],
)
def test_the_question_that_decides(verdict: str, undecided: str, name: str | None) -> None:
    deciding = row("a", verdict, undecided=undecided).deciding
    assert (None if deciding is None else deciding.name) == name


def test_a_survival_that_was_not_asked_decides() -> None:
    questions = (
        Question("says", "not asked"),
        Question("survives", "not asked"),
        Question("matters", "failed"),
    )
    deciding = row(questions=questions).deciding
    assert deciding is not None
    assert deciding.name == "survives"


@pytest.mark.parametrize("answer", ["warning", "undecided", "passed"])
def test_what_only_warns_never_decides(answer: str) -> None:
    made = row()
    asked = (*made.questions[:4], Question("calibrated", answer))  # type: ignore[arg-type]
    assert replace(made, questions=asked).deciding is None


def test_rows_by_the_name_of_their_explainer() -> None:
    one, two = row("a"), row("b")
    made = answer(one, two)
    assert (made.row, made.row_of("b"), made.row_of("c")) == (one, two, None)
    assert answer(one, decides=None).row is None
