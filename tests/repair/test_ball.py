import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.repair.ball import Ball
from tests.reference import adversaries

EXISTS = torch.tensor([[True, True, True, False], [True, False, False, False], [False] * 4])
NORMS = pytest.mark.parametrize("norm", ["l2", "linf"])


def lengths(delta, norm):
    return delta.abs().amax(-1) if norm == "linf" else delta.norm(dim=-1)


@NORMS
@given(delta=st.lists(st.floats(-3, 3), min_size=4, max_size=4), radius=st.floats(0.1, 4))
def test_projection(norm, delta, radius):
    found = Ball(radius, norm).project(torch.tensor([delta] * 3, dtype=torch.float64), EXISTS)
    for row, exists in zip(found, EXISTS, strict=True):
        expected = adversaries.project([x * e for x, e in zip(delta, exists, strict=True)], radius, norm)
        torch.testing.assert_close(row, torch.tensor(expected, dtype=torch.float64))


@NORMS
def test_a_start_is_a_point_inside_and_only_where_something_is(norm):
    drawn = torch.rand(3, 2, generator=torch.Generator().manual_seed(0)).double()
    ball = Ball(0.3, norm)
    for turn in (0, 1):
        found = ball.inside(drawn, EXISTS, turn)
        for row, pair, exists in zip(found, drawn.tolist(), EXISTS.tolist(), strict=True):
            expected = adversaries.inside(*pair, exists, 0.3, norm, turn)
            torch.testing.assert_close(row, torch.tensor(expected, dtype=torch.float64))
        assert not (found * ~EXISTS).any()
        assert (lengths(found, norm) <= 0.3).all()
        assert (found[0][:3] != 0).all()


@NORMS
def test_random_points_fill_the_ball_evenly(norm):
    exists = torch.ones(4000, 2, dtype=torch.bool)
    drawn = torch.rand(4000, 2, generator=torch.Generator().manual_seed(0))
    points = Ball(1.0, norm).inside(drawn, exists)
    assert points.mean(0).abs().max() < 0.04
    # half the radius holds a quarter of a plane's ball
    assert float((lengths(points, norm) < 0.5).float().mean()) == pytest.approx(0.25, abs=0.03)


@NORMS
@pytest.mark.parametrize("size", [None, 0.2])
def test_the_way_uphill(norm, size):
    target = torch.tensor([0.9, -0.4, 0.2], dtype=torch.float64)

    def harm(delta):
        return -(delta[..., :3] - target).square().sum(-1) + (3 * delta[..., 0] * delta[..., 1]).sin()

    ball = Ball(0.5, norm, 4, size)
    start = ball.inside(torch.tensor([[0.3, 0.6]]).double(), EXISTS[:1])
    way = list(ball.way(harm, start, EXISTS[:1]))
    expected = adversaries.ascent(
        harm, start[0, :3].tolist(), 0.5, norm, 4, 2.5 * 0.5 / 4 if size is None else size
    )
    for found, point in zip(way, expected, strict=True):
        torch.testing.assert_close(found[0], torch.tensor([*point, 0.0], dtype=torch.float64))
    assert harm(way[-1]) > harm(way[0])


@NORMS
def test_what_is_seen_on_the_way_is_what_each_point_shows(norm):
    def harm(delta):
        return (delta * torch.arange(4.0)).sin().sum(-1)

    ball, start = Ball(0.5, norm, 3), torch.full((3, 4), 0.1) * EXISTS
    seen = list(ball.seen(lambda delta: (harm(delta), {"at": delta * 2}), start, EXISTS))
    points = [one["at"] / 2 for one in seen]
    torch.testing.assert_close(points, list(ball.way(harm, start, EXISTS)), rtol=0, atol=0)
    assert len(points) == 4


def test_without_steps_there_is_only_the_start():
    start = torch.full((3, 4), 0.1) * EXISTS
    assert [point.tolist() for point in Ball(steps=0).way(lambda d: d.sum(-1), start, EXISTS)] == [
        start.tolist()
    ]
    assert list(Ball(steps=0).seen(lambda d: (d.sum(-1), "seen"), start, EXISTS)) == ["seen"]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"radius": 0.0}, "seat: expected radius above 0, but got 0.0"),
        ({"radius": float("nan")}, "seat: expected radius above 0, but got nan"),
        ({"norm": "l1"}, "seat: expected norm to be l2 or linf, but got l1"),
        ({"steps": -1}, "seat: expected steps of at least 0, but got -1"),
        ({"steps": 10**6}, "seat: expected steps to be at most 10,000, but got 1,000,000"),
        ({"size": 0.0}, "seat: expected size above 0, or none, but got 0.0"),
    ],
)
def test_bad_settings(settings, sentence):
    with pytest.raises(BadSetting) as error:
        Ball(**settings).check("seat")
    assert str(error.value) == sentence
