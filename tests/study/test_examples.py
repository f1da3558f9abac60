import pytest
import torch

from holdfast.measure.hold import hold_each
from holdfast.measure.impostors import Shuffled
from holdfast.measure.reduce import Interval
from holdfast.measure.scale import scale_of
from holdfast.study.evidence import evidence_of
from holdfast.study.examples import LONGEST, example, example_word, examples, heat, spaced
from holdfast.study.modalities.text import said
from tests.study.tiny import family

FAMILY = family()
SCALES = evidence_of(FAMILY).scales


@pytest.mark.parametrize(("number", "first"), list(enumerate(FAMILY.explanations)))
def test_from_the_firmest_to_the_least_firm(number: int, first: str) -> None:
    """By the explainer that decides."""
    shown = examples(FAMILY, SCALES, first, said, 4)
    holds = [one.heats[number].hold for one in shown]
    assert len(shown) == 4
    assert holds == sorted(holds, reverse=True)  # type: ignore[type-var]
    every = hold_each(SCALES[first]).value
    assert holds[0] == pytest.approx(float(every.max()), abs=1e-4)
    assert holds[-1] == pytest.approx(float(every.min()), abs=1e-4)


@pytest.mark.parametrize("count", [1, 12, 50])
def test_never_more_than_there_are_and_never_twice(count: int) -> None:
    shown = examples(FAMILY, SCALES, "attention", said, count)
    assert len(shown) == min(count, 12)
    assert len({one.tokens for one in shown}) == len(shown)


def test_one_text_as_a_record() -> None:
    one = example(FAMILY, SCALES, 2, said(FAMILY, 2))
    row = int(FAMILY.rows[2])
    assert list(one.tokens) == FAMILY.dataset.tokens("test", row)
    assert one.label == FAMILY.dataset.task.classes[int(FAMILY.targets[row])]
    assert one.target == "positive"
    assert one.seeds == (0, 1, 2, 3)
    assert one.probabilities == tuple(round(float(p), 4) for p in FAMILY.probabilities[:, row, 1])
    truth = FAMILY.dataset.splits["test"].truth(FAMILY.rows[2:3])[0]
    assert one.rationale is not None
    assert [float(mark) for mark in one.rationale] == truth[: len(one.tokens)].tolist()
    assert any(one.rationale)


def test_a_heat_is_each_members_share_and_the_mean_of_them() -> None:
    shown = heat(FAMILY.explanations["attention"], hold_each(SCALES["attention"]), 3)
    length = int(FAMILY.mask[3].sum())
    for member, scores in zip(FAMILY.explanations["attention"].scores.tolist(), shown.scores, strict=True):
        total = sum(abs(s) for s in member[3][:length])
        assert scores == pytest.approx([s / total for s in member[3][:length]], abs=1e-4)
    mean = [sum(column) / 4 for column in zip(*shown.scores, strict=True)]
    assert shown.consensus == pytest.approx(mean, abs=1e-4)
    assert shown.low is not None
    assert shown.hold is not None
    assert shown.high is not None
    assert shown.low <= shown.hold <= shown.high
    assert shown.verdict == example_word(Interval(shown.hold, shown.low, shown.high, 4))
    loudest = [max(range(length), key=lambda t, m=member: abs(m[t])) for member in shown.scores]
    assert shown.agree == loudest.count(shown.strongest) == max(map(loudest.count, loudest))


@pytest.mark.parametrize(
    ("low", "high", "members", "word"),
    [
        (0.1, 0.3, 3, "does not hold"),
        (0.45, 0.6, 3, "shaky"),
        (0.8, 0.9, 10, "holds"),
        (0.8, 0.9, 9, "undecided"),  # too few to say that it holds
        (0.3, 0.6, 20, "undecided"),
        (None, None, 2, "undecided"),
    ],
)
def test_one_example_has_a_word_where_it_is_decided(
    low: float | None, high: float | None, members: int, word: str
) -> None:
    assert example_word(Interval(0.5, low, high, members)) == word
    assert example_word(None) == "undecided"


def test_even_scores_have_no_hold() -> None:
    even = family(noise=0.0)
    explanation = even.explanations["attention"]
    object.__setattr__(explanation, "scores", even.mask.double().expand(4, *even.mask.shape))
    shown = heat(explanation, hold_each(scale_of(explanation, [Shuffled()])), 0)
    assert (shown.hold, shown.low, shown.high, shown.verdict) == (None, None, None, "undecided")


def test_the_floor_is_not_shown() -> None:
    floor = family(names=("attention", "random"))
    scales = evidence_of(floor).scales
    assert [h.explainer for h in example(floor, scales, 0, said(floor, 0)).heats] == ["attention"]


def test_long_texts_are_shown_only_where_there_are_no_others() -> None:
    lengths = FAMILY.mask.sum(1)
    assert int(lengths.max()) <= LONGEST
    wide = torch.ones(12, LONGEST + 5, dtype=torch.bool)
    wide[0, 7:] = False
    scores = torch.rand(4, *wide.shape, generator=torch.Generator().manual_seed(1)) * wide
    from dataclasses import replace

    one = replace(FAMILY.explanations["attention"], scores=scores, mask=wide)
    values = hold_each(scale_of(one, [Shuffled()])).value
    assert spaced(values, wide.sum(1), 6) == [0]
    assert len(spaced(values[1:], wide.sum(1)[1:], 6)) == 6
