from dataclasses import replace

import pytest
import torch

from holdfast.measure.verdict import hold_each, scale_of
from holdfast.study.picture import CONSENSUS, INPUT, Picture
from holdfast.study.result import FamilyResult
from holdfast.study.views import COUNT, SEEDS, views
from tests.study.strips import cells


@pytest.fixture(scope="module")
def seen() -> tuple[FamilyResult, list[Picture]]:
    one = cells()[0]
    scales = {name: scale_of(e, rows=one.rows) for name, e in one.explanations.items()}
    return one, views(one, one.dataset, scales)


def test_from_the_firmest_image_to_the_least_firm(seen: tuple[FamilyResult, list[Picture]]) -> None:
    one, found = seen
    first = next(iter(one.explanations))
    held = hold_each(scale_of(one.explanations[first], rows=one.rows)).value
    rows = [picture.row for picture in found if picture.explainer == INPUT]
    own = [float(held[one.rows.tolist().index(row)]) for row in rows]
    assert len(rows) == COUNT
    assert own == sorted(own, reverse=True)
    assert (own[0], own[-1]) == (float(held.max()), float(held.min()))


def test_each_image_has_every_map_but_the_floors(seen: tuple[FamilyResult, list[Picture]]) -> None:
    one, found = seen
    methods = [name for name in one.explanations if name != "random"]
    members = [member.seed for member in one.members[:SEEDS]]
    first = [picture for picture in found if picture.row == found[0].row]
    assert [(p.explainer, p.seed) for p in first] == [
        (INPUT, CONSENSUS),
        *((name, seed) for name in methods for seed in (CONSENSUS, *members)),
    ]
    assert {(p.height, p.width, len(p.values)) for p in found} == {(8, 24, 192)}
    assert len(found) == COUNT * len(first)


def test_the_input_is_the_image_and_the_consensus_the_mean_of_shares(
    seen: tuple[FamilyResult, list[Picture]],
) -> None:
    one, found = seen
    image = one.dataset.pictures("test", torch.tensor([found[0].row]))[0]
    drawn = torch.tensor(found[0].values).reshape(image.shape).double()
    assert torch.equal(drawn, (image.double() / image.max() * 127).round())
    place = one.rows.tolist().index(found[0].row)
    name = found[1].explainer
    shares = [s / s.abs().sum() for s in one.explanations[name].scores[:, place].double()]
    mean = one.dataset.picture(sum(shares) / len(shares))
    expected = mean / mean.abs().max() * 127
    assert torch.tensor(found[1].values).tolist() == pytest.approx(expected.flatten().tolist(), abs=0.51)
    peaks = [picture.peak for picture in found[1 : 2 + len(one.members[:SEEDS])]]
    assert peaks == pytest.approx([float(each.abs().max()) for each in (mean, *shares[:SEEDS])])


def test_a_map_of_nothing_is_drawn_as_nothing(seen: tuple[FamilyResult, list[Picture]]) -> None:
    one, _ = seen
    empty = {name: replace(e, scores=torch.zeros_like(e.scores)) for name, e in one.explanations.items()}
    scales = {name: scale_of(e, rows=one.rows) for name, e in empty.items()}
    shown = views(replace(one, explanations=empty), one.dataset, scales)
    assert {value for p in shown if p.explainer != INPUT for value in p.values} == {0}
    assert {p.peak for p in shown if p.explainer != INPUT} == {0.0}
