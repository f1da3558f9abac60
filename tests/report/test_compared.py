"""The page of a comparison, as a browser would read it."""

from holdfast.measure.reduce import Interval
from holdfast.report.compared import render_changes, signed
from holdfast.study.changes import Side
from tests.report.hostile import HOSTILE
from tests.report.test_explained import Reader
from tests.report.test_explained_texts import text_of
from tests.study.changed import change, changes


def test_before_after_and_the_change() -> None:
    found = changes(change(), change("attention", (-0.3, -0.2), ("shaky", "undecided")))
    page = render_changes(found)
    said = text_of(page)
    assert found.sentence in said
    assert found.notes[0] in said
    assert "Before: cnn, none (one). After: cnn, aswa (two)." in said
    assert "|+0.15 [+0.05, +0.25]" in said
    assert "|gradient input|○does not hold|◐shaky|0.020|0.10" in said
    assert "|accuracy|84.0 %|83.0 %|−1.0 [−2.0, +0.0] points|0.100" in said.replace("\N{NO-BREAK SPACE}", " ")
    assert "10 seeds and 200 examples that both have." in said
    assert '<th scope="col"></th>' not in page
    assert render_changes(found) == page


def test_a_change_without_an_interval() -> None:
    assert signed(Interval(0.05, None, None, 2)) == "+0.05"


def test_nothing_in_it_is_live() -> None:
    side = Side(HOSTILE, HOSTILE, HOSTILE, 1)
    found = changes(change(HOSTILE, verdicts=(HOSTILE, HOSTILE)), before=side, metric=HOSTILE)
    read = Reader(render_changes(found))
    assert not {"script", "iframe", "img", "object"} & set(read.tags)
    assert not [name for name, _ in read.attributes if name.startswith("on")]


def test_a_cell_says_the_same() -> None:
    cell = render_changes(changes(change(HOSTILE)), cell=True)
    assert cell.startswith('<div class="holdfast"><style>')
    assert changes().rows[0].explainer not in cell
    assert HOSTILE not in cell
    assert 'class="bar"' in cell
