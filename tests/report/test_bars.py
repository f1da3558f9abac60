import pytest

from holdfast.report.bars import bar_rows, bars_of, percent
from holdfast.report.heat import blocks
from holdfast.report.modality import modality
from holdfast.study.findings import Example, Heat

UNIT = modality("features").unit
SCORES = ((0.5, -0.25, 0.25), (0.25, -0.5, 0.25))


def heat(signed=True, scores=SCORES):
    mean = tuple(sum(each) / len(scores) for each in zip(*scores, strict=True))
    return Heat("shapley", signed, scores, mean, 0.5, 0.3, 0.6, "undecided", 0, 2)


def example(*heats, tokens=("age = 3", "job = <b>", "debt = 1")):
    return Example("d", "forest", "none", tokens, "late", "late", (0.9, 0.8), (0, 1), heats)


def test_bars_lie_on_one_scale_around_zero():
    one = example(heat())
    (block,) = blocks([one], (), 0, UNIT)[0].blocks
    bars = bars_of(one, one.heats[0], block.maps[0])
    assert [bar.name for bar in bars.bars] == ["age = 3", "job = <b>", "debt = 1"]
    assert [bar.tone for bar in bars.bars] == ["p", "n", "p"]
    assert bars.zero == "50.0%"
    first, second, _ = bars.bars
    assert (first.left, first.width, first.low, first.span) == ("50.0%", "37.5%", "75.0%", "25.0%")
    assert (second.left, second.width, second.dots) == ("12.5%", "37.5%", ("25.0%", "0.0%"))
    assert (first.text, first.between, second.text) == ("+38", "[+25, +50]", "−38")
    assert bars.rest == ""
    assert bars.map.share == bars.map.cut == ""


def test_columns_that_are_left_out_are_counted():
    scores = tuple((1 / 12,) * 12 for _ in range(2))
    one = example(heat(scores=scores), tokens=tuple(f"x{n} = 1" for n in range(12)))
    ((row,),) = ((rows.rows) for rows in bar_rows([one], (), 10_000, UNIT))
    assert len(row.bars[0].bars) == 10
    assert row.bars[0].rest == "2 more columns, with 17 % of the weight together."


@pytest.mark.parametrize(("room", "rows", "dots"), [(1000, 1, 2), (6, 1, 0), (5, 0, 0)])
def test_where_there_is_no_room_dots_go_first(room, rows, dots):
    found = bar_rows([example(heat())], (), room, UNIT)
    assert len(found) == rows
    assert all(len(bar.dots) == dots for each in found for row in each.rows for bar in row.bars[0].bars)


def test_no_examples_are_no_rows():
    assert bar_rows([], (), 1000, UNIT) == ()


def test_a_share_has_a_sign_where_scores_have():
    assert [percent(value, True) for value in (0.0, -0.001, 0.2)] == ["0", "0", "+20"]
    assert percent(0.2, False) == "20"
