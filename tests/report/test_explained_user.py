"""The page of a user's recommendations, as a browser would read it."""

from dataclasses import replace

from holdfast.report.explained_user import render_user
from holdfast.study.findings import Standing
from holdfast.study.reasons import Reason
from holdfast.study.recommendation import Recommendation, UserExample
from tests.report.hostile import HOSTILE
from tests.report.test_explained import Reader
from tests.report.test_explained_texts import text_of

STANDING = Standing("another input", (("untrained order", "none"),), "In this run rollout does not hold.")
ONE = Recommendation(
    "Harbour", 7, (Reason("Storm", 0.5, 8),), (Reason("Desert", 0.1, 7),), 0.5, 0.45, 0.6, "shaky",
    "Storm", 9, STANDING,
)  # fmt: skip
BARE = Recommendation("Island", 1, (), (), None, None, None, "undecided", "Storm", 3)


def user(*ones: Recommendation, signed: bool = True, **about: object) -> UserExample:
    values = ("plays", "sasrec", "none", "42", ("Storm", "Desert"), 3, "rollout", signed, tuple(range(10)))
    return replace(UserExample(*values, ones), **about)  # type: ignore[arg-type]


def test_each_recommendation_with_its_reasons() -> None:
    lost = replace(ONE, item="Island", reasons=(), against=(), verdict="does not hold")
    page = render_user(user(ONE, BARE, lost))
    said = text_of(page)
    assert "User 42: what is recommended, and why" in said
    assert "1. Harbour: 7 of 10 seeds recommend it" in said
    assert "Strongest: 9 of 10 seeds: Storm · hold 0.50" in said
    assert "|Storm|speaks for it|50.0 %|8 of 10" in said
    assert "|Desert|speaks against it|10.0 %|7 of 10" in said
    assert '<th scope="col"></th>' not in page
    assert "No item speaks for it." in said
    assert "A history of 5 items, of which the models see the latest 2: Storm, Desert." in said
    assert "No reason holds across seeds." in said
    assert page.count('class="chip') == 2
    assert said.index("In this run rollout does not hold.") < said.index("1. Harbour")
    assert said.count("In this run rollout does not hold.") == 1
    assert "Not measured against untrained order: none." in said
    assert "no sign" not in said
    assert "no sign" in text_of(render_user(user(ONE, signed=False)))


def test_nothing_in_it_is_live() -> None:
    hostile = replace(ONE, item=HOSTILE, strongest=HOSTILE, reasons=(Reason(HOSTILE, 0.5, 1),))
    read = Reader(render_user(user(hostile, user=HOSTILE, history=(HOSTILE,))))
    assert not {"script", "iframe", "img", "object"} & set(read.tags)
    assert not [name for name, _ in read.attributes if name.startswith("on")]


def test_a_cell_has_the_first_recommendations() -> None:
    cell = render_user(user(*[ONE] * 200), cell=True)
    assert cell.startswith('<div class="holdfast"><style>')
    assert cell.count("<article>") == 10
    assert len(cell.encode()) < 100_000
