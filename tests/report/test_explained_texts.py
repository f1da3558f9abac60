"""The page of explained texts, as a browser would read it."""

import re
from dataclasses import replace

from holdfast.report.explained_texts import render_texts as render
from holdfast.report.modality import modality
from holdfast.study.findings import Example, Heat, Standing
from tests.report.hostile import HOSTILE
from tests.report.test_explained import Reader


def heat(verdict: str = "undecided", hold: float | None = 0.5, **about: object) -> Heat:
    standing = Standing("another input", (("untrained order", "none"),), "In this run attention is shaky.")
    ends = (None, None) if hold is None else (hold - 0.1, hold + 0.1)
    scores = ((0.2, 0.8), (0.4, 0.6), (0.9, 0.1))
    values = {"strongest": 1, "agree": 2, "standing": standing} | about
    return Heat("attention", False, scores, (0.5, 0.5), hold, *ends, verdict, **values)  # type: ignore[arg-type]


def example(*heats: Heat, tokens: tuple[str, ...] = ("good", "film"), target: str = "positive") -> Example:
    return Example("d", "cnn", "none", tokens, "", target, (0.5, 0.7, 0.9), (0, 1, 4), heats)


def render_texts(examples: list[Example], note: str = "") -> str:
    return render(examples, modality("text").unit, note)


def text_of(page: str) -> str:
    return " ".join(Reader(re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)).text.split())


def test_agreement_then_the_hold_then_the_word_where_it_is_decided() -> None:
    page = render_texts([example(heat("shaky"))])
    said = text_of(page)
    assert "2 of 3 seeds: “film”" in said
    assert said.index("2 of 3 seeds: “film”") < said.index("hold 0.50") < said.index("◐")
    assert "against another input" in said
    assert page.count('class="chip') == 1
    assert 'class="chip' not in render_texts([example(heat())])


def test_words_that_the_model_does_not_know_are_marked() -> None:
    page = render_texts([replace(example(heat()), unknown=(False, True))])
    assert "unknown to the model: all such words look alike to it" in text_of(page)
    assert 'unk" title="unknown to the model">film' in page


def test_what_the_audit_said_stands_above_all_texts_once() -> None:
    said = text_of(render_texts([example(heat()), example(heat())], "2 empty lines were skipped."))
    assert said.count("In this run attention is shaky.") == 1
    assert said.index("In this run") < said.index("2 of 3 seeds")
    assert "2 empty lines were skipped." in said
    assert "Not measured against untrained order: none." in said
    assert "2 texts as 3 seeds see them" in said


def test_a_bar_for_every_seed_and_every_word() -> None:
    page = render_texts([example(heat())])
    bars = re.findall(r'<div class="w"><b class="p\d">\w+</b>((?:<i class="p\d"></i>)*)</div>', page)
    assert [bar.count("<i") for bar in bars] == [3, 3]


def test_nothing_in_it_is_live() -> None:
    hostile = example(heat(), tokens=(HOSTILE, HOSTILE), target=HOSTILE)
    page = render_texts([hostile], HOSTILE)
    read = Reader(page)
    assert not {"script", "iframe", "img", "object"} & set(read.tags)
    assert not [name for name, _ in read.attributes if name.startswith("on")]
    assert "default-src 'none'" in page


def test_many_long_texts_stay_below_a_megabyte() -> None:
    words = 60
    scores = tuple(tuple(0.01 * (place % 7) for place in range(words)) for _ in range(24))
    long = Heat("attention", False, scores, scores[0], 0.5, 0.4, 0.6, "shaky", strongest=6, agree=24)
    tokens = tuple(f"extraordinarily{n}" for n in range(words))
    one = Example("d", "cnn", "none", tokens, "", "yes", (0.5,) * 24, tuple(range(24)), (long,) * 5)
    page = render_texts([one] * 200)
    assert len(page.encode()) < 1_000_000
    said = text_of(page)
    assert "Only the consensus is shown, to keep this file small." in said
    assert re.search(r"The last \d+ of 200 texts are left out, to keep this file small\.", said)
    assert render_texts([one] * 200) == page


def test_a_cell_is_small_and_has_a_gauge_of_one_text() -> None:
    one = example(heat("shaky"))
    cell = render([one], modality("text").unit, cell=True)
    assert cell.startswith('<div class="holdfast"><style>')
    assert cell.count('<div class="scale"') == 1
    assert "<summary>How to read this</summary>" in cell
    many = render([one] * 200, modality("text").unit, cell=True)
    assert '<div class="scale"' not in many
    assert re.search(r"The last \d+ of 200 texts are left out, to keep this small\.", text_of(many))


def test_nothing_in_a_cell_is_live() -> None:
    hostile = example(heat(), tokens=(HOSTILE, HOSTILE), target=HOSTILE)
    cell = render([hostile], modality("text").unit, HOSTILE, cell=True)
    read = Reader(cell)
    assert not {"script", "iframe", "img", "object"} & set(read.tags)
    assert not [name for name, _ in read.attributes if name.startswith("on")]
