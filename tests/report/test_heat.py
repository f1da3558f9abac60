import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from holdfast.report.heat import blocks, others, share, tones, window
from holdfast.report.modality import modality
from holdfast.study.findings import Example, Heat
from tests.report.synthetic import make_findings

FINDINGS = make_findings()
EXAMPLES, ORDER = FINDINGS.examples, FINDINGS.answer.rows
WORDS = modality("text").unit


def long_example(tokens: int, seeds: int) -> Example:
    scores = tuple(float(t == tokens - 1) for t in range(tokens))
    heat = Heat("attention", False, (scores,) * seeds, scores, 0.9, 0.8, 1.0, "holds", tokens - 1, seeds)
    words = tuple(f"w{t}" for t in range(tokens))
    return Example("d", "m", "none", words, "a", "b", (0.5,) * seeds, tuple(range(seeds)), (heat,))


def of_one_family(examples, order=ORDER, bars=10**6, unit=WORDS):
    [family] = blocks(examples, order, bars, unit)
    assert family.name == ""
    return family.blocks


def test_explainers_stand_in_the_order_of_the_verdicts():
    wanted = list(dict.fromkeys(row.explainer for row in ORDER))
    assert wanted[0] == "integrated_gradients"
    assert [[m.explainer for m in block.maps] for block in of_one_family(EXAMPLES)] == [wanted] * 6


def test_bars_are_left_out_of_the_others_first_when_there_is_no_room():
    bars = sum(len(e.tokens) * 10 for e in EXAMPLES)
    shown = of_one_family(EXAMPLES, bars=bars)
    assert all(len(block.maps[0].seeds) == 10 for block in shown)
    assert all(m.seeds == () for block in shown for m in block.maps[1:])
    assert shown[0].maps[1].cut == "Only the consensus is shown, to keep this file small."


def test_a_long_text_is_shown_where_its_scores_are():
    [block] = of_one_family([long_example(300, 30)])
    [heat] = block.maps
    assert heat.words[-1].text == "w299"
    assert heat.cut == "Tokens 237–300 of 300, where most of the score is. The first 24 of 30 seeds."
    assert not block.right
    [block] = of_one_family([long_example(300, 30)], unit=modality("interaction").unit)
    assert block.maps[0].cut.startswith("Items 237–300 of 300, where most of the score is.")
    assert block.maps[0].share.endswith("is strongest, with 100 % of the weight; 0 % would be even.")


def test_underlined_tokens_are_the_rationale():
    block = of_one_family(EXAMPLES)[0]
    assert [word.text for word in block.maps[0].words if word.true] == ["joy"]


def test_unknown_words_are_marked():
    [block] = of_one_family([dataclasses.replace(EXAMPLES[0], unknown=(True,) * 2 + (False,) * 99)])
    assert block.unknown
    assert [word.unknown for word in block.maps[0].words[:3]] == [True, True, False]
    plain = of_one_family(EXAMPLES)[0]
    assert not plain.unknown
    assert not any(word.unknown for word in plain.maps[0].words)


def test_families_are_named_only_where_there_are_several_and_the_deciding_one_comes_first():
    repaired = dataclasses.replace(EXAMPLES[0], repair="aswa")
    families = blocks([EXAMPLES[0], repaired], ORDER, 0, WORDS)
    assert ORDER[0].repair == "aswa"
    assert [(family.name, len(family.blocks)) for family in families] == [("aswa", 1), ("no repair", 1)]


def test_first_how_many_seeds_agree_then_a_word_only_where_it_is_decided():
    agreed = long_example(5, 10)
    [block] = of_one_family([agreed])
    assert (block.maps[0].agree, block.maps[0].word, block.maps[0].badge.word) == (
        "10 of 10 seeds",
        "w4",
        "holds",
    )
    open_ = dataclasses.replace(agreed.heats[0], verdict="undecided")
    [block] = of_one_family([dataclasses.replace(agreed, heats=(open_,))])
    assert block.maps[0].badge is None
    assert block.maps[0].hold.text == "0.90"


def test_it_is_said_how_little_stands_out_where_it_is_little():
    assert share([0.05] * 19 + [0.08], ["thin"] * 19 + ["plot"]) == (
        "In the consensus “plot” is strongest, with 8 % of the weight; 5 % would be even: little stands out."
    )
    assert share([0.05, -0.9, 0.05], ["a", "b", "c"]) == (
        "In the consensus “b” is strongest, with 90 % of the weight; 33 % would be even."
    )
    assert (share([0.0, 0.0], ["a", "b"]), share([1.0], ["a"]), share([], [])) == ("", "", "")


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=8), st.booleans())
def test_tones_are_classes_of_the_style_sheet(scores, signed):
    known = {f"{sign}{k}" for sign in ("p", "n" if signed else "p") for k in range(10)}
    classes = tones(scores, signed)
    assert len(classes) == len(scores)
    assert set(classes) <= known


def test_too_weak_to_colour_is_neither_for_nor_against():
    assert tones([1.0, -0.01], signed=True) == ("p9", "p0")


def test_what_other_seeds_name_is_counted_and_the_rest_together():
    scores = tuple(tuple(float(t == s) for t in range(5)) for s in (0, 0, 1, 2, 3, 4))
    heat = Heat("a", False, scores, scores[0], None, None, None, "undecided", strongest=0, agree=2)
    assert others(list("abcde"), heat) == "1: “b”, 1: “c”, 2: others"


@given(st.lists(st.floats(-1, 1), max_size=12), st.integers(1, 6))
def test_no_other_window_carries_more(scores, width):
    start, end = window(scores, width)
    carried = sum(map(abs, scores[start:end]))
    assert all(sum(map(abs, scores[i : i + width])) <= carried + 1e-9 for i in range(len(scores)))
