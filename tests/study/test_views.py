from dataclasses import replace

import pytest
import torch

from holdfast.measure.hold import hold_each
from holdfast.measure.scale import Scale, scale_of
from holdfast.study.evidence import impostors_of
from holdfast.study.picture import CONSENSUS, INPUT, Picture
from holdfast.study.result import FamilyResult
from holdfast.study.views import COUNT, SEEDS, views
from tests.study.strips import families


@pytest.fixture(scope="module")
def seen() -> tuple[FamilyResult, list[Picture]]:
    one = families()[0]
    return one, views(one, one.dataset, scale_of_first(one))


def scale_of_first(one: FamilyResult) -> Scale:
    name, explanation = next(iter(one.explanations.items()))
    return scale_of(explanation, impostors_of(one, name), one.rows)


def test_from_the_firmest_image_to_the_least_firm(seen: tuple[FamilyResult, list[Picture]]) -> None:
    one, found = seen
    held = hold_each(scale_of_first(one)).value
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
    image = one.dataset.images("test", torch.tensor([found[0].row]))[0]
    drawn = torch.tensor(found[0].values).reshape(image.shape).double()
    assert torch.equal(drawn, (image.double() / image.max() * 127).round())
    place = one.rows.tolist().index(found[0].row)
    name = found[1].explainer
    shares = [s / s.abs().sum() for s in one.explanations[name].scores[:, place].double()]
    mean = one.dataset.image(sum(shares) / len(shares))
    expected = mean / mean.abs().max() * 127
    assert torch.tensor(found[1].values).tolist() == pytest.approx(expected.flatten().tolist(), abs=0.51)
    peaks = [picture.peak for picture in found[1 : 2 + len(one.members[:SEEDS])]]
    assert peaks == pytest.approx([float(each.abs().max()) for each in (mean, *shares[:SEEDS])])


def test_a_map_of_nothing_is_drawn_as_nothing(seen: tuple[FamilyResult, list[Picture]]) -> None:
    one, _ = seen
    empty = {name: replace(e, scores=torch.zeros_like(e.scores)) for name, e in one.explanations.items()}
    blank = replace(one, explanations=empty)
    shown = views(blank, one.dataset, scale_of_first(blank))
    assert {value for p in shown if p.explainer != INPUT for value in p.values} == {0}
    assert {p.peak for p in shown if p.explainer != INPUT} == {0.0}
