import pytest
import torch

from holdfast.measure.verdict import hold_each, scale_of
from holdfast.study.examples import LONGEST, example, examples, heat, spaced
from holdfast.study.modalities.text import said
from tests.study.tiny import cell

CELL = cell()
SCALES = {name: scale_of(e, rows=CELL.rows) for name, e in CELL.explanations.items()}


def test_from_the_firmest_to_the_least_firm() -> None:
    shown = examples(CELL, SCALES, said, 4)
    holds = [one.heats[0].hold for one in shown]
    assert len(shown) == 4
    assert holds == sorted(holds, reverse=True)  # type: ignore[type-var]
    every = hold_each(SCALES["attention"]).value
    assert holds[0] == pytest.approx(float(every.max()), abs=1e-4)
    assert holds[-1] == pytest.approx(float(every.min()), abs=1e-4)


@pytest.mark.parametrize("count", [1, 12, 50])
def test_never_more_than_there_are_and_never_twice(count: int) -> None:
    shown = examples(CELL, SCALES, said, count)
    assert len(shown) == min(count, 12)
    assert len({one.tokens for one in shown}) == len(shown)


def test_one_text_as_a_record() -> None:
    one = example(CELL, SCALES, 2, said(CELL, 2))
    row = int(CELL.rows[2])
    assert list(one.tokens) == CELL.dataset.tokens("test", row)
    assert one.label == CELL.dataset.task.classes[int(CELL.targets[row])]
    assert one.target == "positive"
    assert one.seeds == (0, 1, 2, 3)
    assert one.probabilities == tuple(round(float(p), 4) for p in CELL.probabilities[:, row, 1])
    truth = CELL.dataset.splits["test"].truth(CELL.rows[2:3])[0]
    assert one.rationale is not None
    assert [float(mark) for mark in one.rationale] == truth[: len(one.tokens)].tolist()
    assert any(one.rationale)


def test_a_heat_is_each_members_share_and_the_mean_of_them() -> None:
    shown = heat(CELL.explanations["attention"], SCALES["attention"], 3)
    length = int(CELL.mask[3].sum())
    for member, scores in zip(CELL.explanations["attention"].scores.tolist(), shown.scores, strict=True):
        total = sum(abs(s) for s in member[3][:length])
        assert scores == pytest.approx([s / total for s in member[3][:length]], abs=1e-4)
    mean = [sum(column) / 4 for column in zip(*shown.scores, strict=True)]
    assert shown.consensus == pytest.approx(mean, abs=1e-4)
    assert shown.low is not None
    assert shown.hold is not None
    assert shown.high is not None
    assert shown.low <= shown.hold <= shown.high
    assert shown.verdict in ("holds", "shaky", "does not hold")


def test_even_scores_say_nothing() -> None:
    even = cell(noise=0.0)
    explanation = even.explanations["attention"]
    object.__setattr__(explanation, "scores", even.mask.double().expand(4, *even.mask.shape))
    shown = heat(explanation, scale_of(explanation), 0)
    assert (shown.hold, shown.low, shown.high, shown.verdict) == (None, None, None, "says nothing")


def test_the_floor_is_not_shown() -> None:
    floor = cell(names=("attention", "random"))
    scales = {name: scale_of(e, rows=floor.rows) for name, e in floor.explanations.items()}
    assert [h.explainer for h in example(floor, scales, 0, said(floor, 0)).heats] == ["attention"]


def test_long_texts_are_shown_only_where_there_are_no_others() -> None:
    lengths = CELL.mask.sum(1)
    assert int(lengths.max()) <= LONGEST
    wide = torch.ones(12, LONGEST + 5, dtype=torch.bool)
    wide[0, 7:] = False
    scores = torch.rand(4, *wide.shape, generator=torch.Generator().manual_seed(1)) * wide
    from dataclasses import replace

    one = replace(CELL.explanations["attention"], scores=scores, mask=wide)
    values = hold_each(scale_of(one)).value
    assert spaced(values, wide.sum(1), 6) == [0]
    assert len(spaced(values[1:], wide.sum(1)[1:], 6)) == 6
