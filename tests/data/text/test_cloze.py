"""Files of cloze questions: entities marked or listed, and what is wrong with them in one sentence."""

from pathlib import Path
from typing import Any

import pytest

from holdfast.core.errors import BadData
from holdfast.data.tables import Table
from holdfast.data.text.build import build
from holdfast.data.text.cloze import entities, has_hole, is_cloze, marked, named_in
from holdfast.data.text.columns import Columns, corpus_of
from holdfast.data.text.corpus import Corpus

NAMES = ("Ann", "Bob", "Cleo", "Dan")
ROWS = 40


def table(**changes: list[Any]) -> dict[str, list[Any]]:
    """Who of two sang, forty times; the answers in turn."""
    pairs = [(NAMES[row % 4], NAMES[(row + 1) % 4]) for row in range(ROWS)]
    columns: dict[str, list[Any]] = {
        "passage": [f"@{who} sang on day {row}. @{other} slept." for row, (who, other) in enumerate(pairs)],
        "question": ["@placeholder sang." if row % 2 else "____ sang." for row in range(ROWS)],
        "answer": [f"@{who}" if row % 3 else who.upper() for row, (who, _) in enumerate(pairs)],
    }
    return columns | changes


def read(columns: dict[str, list[Any]], listed: str | None = None, strict: bool = False) -> Corpus:
    names = Columns("passage", "answer", "question", listed)
    return corpus_of(Table(Path("a.csv"), columns), names, "a", strict)


def changed(name: str, value: Any, rows: range) -> dict[str, list[Any]]:
    column = table()[name]
    return table(**{name: [value if row in rows else one for row, one in enumerate(column)]})


def refused(columns: dict[str, list[Any]], listed: str | None = None) -> str:
    with pytest.raises(BadData) as caught:
        read(columns, listed)
    return str(caught.value)


def test_entities_are_those_that_the_passage_marks() -> None:
    corpus = read(table())
    assert corpus.classes == ("@ann", "@bob", "@cleo", "@dan")
    assert corpus.cloze
    assert corpus.notes == ("The file names no splits: a seeded split of 70/10/20 % is used.",)
    data = build(corpus)
    split = data.splits["train"]
    assert set(split.options.sum(1).tolist()) == {2}
    assert "@ann" in data.vocabulary.index
    for row in range(len(split)):
        tokens = data.tokens("train", row)
        assert data.task.classes[int(split.targets[row])] == tokens[0]
        assert data.query("train", row) == "@placeholder sang ."


def test_entities_may_be_listed() -> None:
    plain = [text.replace("@", "") for text in table()["passage"]]
    names = [f"{NAMES[row % 4]}; {NAMES[(row + 1) % 4]}" for row in range(ROWS)]
    corpus = read(table(passage=plain, names=names), "names")
    assert corpus.classes == ("ann", "bob", "cleo", "dan")
    assert corpus.parts["train"].options == read(table()).parts["train"].options
    data = build(corpus)
    assert data.read(["Cleo met Dan"], ["___ met Dan"]).options.tolist() == [[False, False, True, True]]
    assert refused(table(names=names), "nothing") == (
        "a.csv has no column 'nothing' for --entities: its columns are passage, question, answer and names"
    )


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("question", "he sang", "hole (@placeholder or ___) in the question"),
        ("passage", "somebody sang", "entity in the text (marked @name, or in a column named by --entities)"),
        ("passage", "@ann sang", "second entity in the text to choose from"),
        ("answer", "@eve", "answer that is one of the text's entities"),
    ],
)
def test_a_few_bad_questions_are_dropped_and_many_refused(name: str, value: str, what: str) -> None:
    corpus = read(changed(name, value, range(1, 3)))
    assert corpus.notes[0] == f"2 of 40 rows had no {what}: dropped."
    assert sum(len(part.texts) for part in corpus.parts.values()) == 38
    assert refused(changed(name, value, range(3))) == (
        f"a.csv: 3 of 40 rows have no {what} (rows 1, 2 and 3): more than 5 % are not dropped: "
        "fix or remove them, or name another column"
    )


def test_questions_without_any_hole_are_refused_where_answers_are_marked() -> None:
    columns = table(question=["he sang"] * ROWS, answer=["@ann"] * ROWS)
    assert refused(columns).startswith("a.csv: 40 of 40 rows have no hole (@placeholder or ___)")


def test_entities_want_a_question() -> None:
    with pytest.raises(
        BadData, match=r"^a\.csv: --entities is for cloze questions: name their column with --query$"
    ):
        corpus_of(Table(Path("a.csv"), table()), Columns("passage", "answer", None, "question"), "a")


def test_given_splits_need_no_answer_in_each() -> None:
    corpus = read(table(split=["train"] * 3 + ["test"] * (ROWS - 3)))
    assert [len(corpus.parts[name].texts) for name in ("train", "validation", "test")] == [2, 1, 37]
    assert refused(table(split=["train"] + ["test"] * (ROWS - 1))) == (
        "a.csv: expected at least 2 questions to split, but got 1"
    )


def test_new_questions_are_checked() -> None:
    data = build(read(table()))
    for text, query, message in [
        (
            "@ann sang. @bob slept.",
            "somebody sang",
            "^expected a question with a hole, @placeholder or ___, but",
        ),
        (
            "@ann sang. @eve slept.",
            "___ sang",
            "^expected a text that names two or more of the entities that the",
        ),
    ]:
        with pytest.raises(BadData, match=message):
            data.read([text], [query])


def test_pairs_without_holes_are_pairs() -> None:
    assert not is_cloze(["a b", "c ___ d", "e"], ["x", "y", "z"])
    assert not is_cloze(None, ["@a"])
    assert is_cloze(["a"], ["@a"])


def test_words() -> None:
    assert [has_hole(text) for text in ("what __ is", "@Placeholder!", "snake_case @ann")] == [
        True,
        True,
        False,
    ]
    assert marked("mail me @ home, @placeholder") == []
    assert [entities(cell) for cell in (None, "a, b,a", "x|y, z")] == [[], ["a", "b"], ["x", "y, z"]]
    assert named_in("the annex", ["ann", "annex"]) == [1]
