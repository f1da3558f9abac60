import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from holdfast.report.heat import blocks, strongest, tones, window
from holdfast.study.findings import Example, Heat
from tests.report.synthetic import make_findings

EXAMPLES = make_findings().examples


def long_example(tokens: int, seeds: int) -> Example:
    scores = tuple(float(t == tokens - 1) for t in range(tokens))
    heat = Heat("attention", False, (scores,) * seeds, scores, 0.9, 0.8, 1.0, "holds")
    words = tuple(f"w{t}" for t in range(tokens))
    return Example("d", "m", "none", words, "a", "b", (0.5,) * seeds, tuple(range(seeds)), (heat,))


def test_the_default_explainer_comes_first():
    shown = blocks(EXAMPLES, "leave_one_out", 10**6)
    assert {block.maps[0].explainer for block in shown} == {"leave_one_out"}
    assert len(shown[0].maps) == 5


def test_bars_are_left_out_of_the_others_first_when_there_is_no_room():
    bars = sum(len(e.tokens) * 10 for e in EXAMPLES)
    shown = blocks(EXAMPLES, "attention", bars)
    assert all(len(block.maps[0].seeds) == 10 for block in shown)
    assert all(m.seeds == () for block in shown for m in block.maps[1:])
    assert shown[0].maps[1].cut == "Only the consensus is shown, to keep this file small."


def test_a_long_text_is_shown_where_its_scores_are():
    [block] = blocks([long_example(300, 30)], "attention", 10**6)
    [heat] = block.maps
    assert heat.words[-1].text == "w299"
    assert heat.cut == "Tokens 237–300 of 300, where most of the score is. The first 24 of 30 seeds."
    assert not block.right
    [block] = blocks([long_example(300, 30)], "attention", 10**6, "items")
    assert block.maps[0].cut.startswith("Items 237–300 of 300, where most of the score is.")


def test_underlined_tokens_are_the_rationale():
    block = blocks(EXAMPLES, "attention", 10**6)[0]
    assert [word.text for word in block.maps[0].words if word.true] == ["joy"]


def test_settings_are_named_only_where_there_are_several():
    repaired = dataclasses.replace(EXAMPLES[0], repair="aswa")
    assert blocks(EXAMPLES, "attention", 0)[0].setting == ""
    assert blocks([EXAMPLES[0], repaired], "attention", 0)[1].setting == "cnn on planted, repair: aswa"


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=8), st.booleans())
def test_tones_are_classes_of_the_style_sheet(scores, signed):
    known = {f"{sign}{k}" for sign in ("p", "n" if signed else "p") for k in range(10)}
    classes = tones(scores, signed)
    assert len(classes) == len(scores)
    assert set(classes) <= known


def test_too_weak_to_colour_is_neither_for_nor_against():
    assert tones([1.0, -0.01], signed=True) == ("p9", "p0")


def test_strongest_counts_the_rest_together():
    scores = tuple(tuple(float(t == s) for t in range(5)) for s in (0, 0, 1, 2, 3, 4))
    heat = Heat("a", False, scores, scores[0], None, None, None, "shaky")
    said = strongest(list("abcde"), heat)
    assert said == "Strongest: “a” in 2 of 6 seeds, “b” in 1, “c” in 1, others in 2."


@given(st.lists(st.floats(-1, 1), max_size=12), st.integers(1, 6))
def test_no_other_window_carries_more(scores, width):
    start, end = window(scores, width)
    carried = sum(map(abs, scores[start:end]))
    assert all(sum(map(abs, scores[i : i + width])) <= carried + 1e-9 for i in range(len(scores)))
