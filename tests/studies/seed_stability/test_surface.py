import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import make
from holdfast.studies.seed_stability.surface import START, height, landscape, path
from tests.reference import study as twin

NONE, ASWA = make("repairs", "none"), make("repairs", "aswa")


@given(x=st.floats(-2, 2), y=st.floats(-2, 2))
def test_the_surface_against_plain_arithmetic(x: float, y: float) -> None:
    assert height(torch.tensor([x, y], dtype=torch.float64)).item() == pytest.approx(
        twin.height(x, y), abs=1e-9
    )


def test_a_saddle_lies_between_two_minima_and_the_right_one_is_deeper() -> None:
    xs = torch.linspace(-1.5, 1.5, 301, dtype=torch.float64)
    floor = height(torch.stack([xs, torch.zeros_like(xs)], -1))
    dips = [i for i in range(1, 300) if floor[i] < floor[i - 1] and floor[i] < floor[i + 1]]
    assert len(dips) == 2
    assert floor[dips[1]] < floor[dips[0]] < floor[dips[0] : dips[1]].max()


def test_a_path_starts_at_the_start_and_has_every_step_and_turn() -> None:
    way = path(NONE, epochs=3, steps=4)
    assert way[0] == START
    assert len(way) == 1 + 3 * (4 + 1)


def test_without_a_repair_an_epoch_ends_where_it_is() -> None:
    way = path(NONE, epochs=3, steps=4)
    for epoch in range(3):
        end = (epoch + 1) * 5
        assert way[end] == way[end - 1]


def test_aswa_jumps_back_to_its_average_at_the_end_of_each_epoch() -> None:
    way = path(ASWA, epochs=3, steps=4)
    # W_avg ← W_avg + (W − W_avg)/(t + 1), from W₀ and before each step; the epoch ends in W_avg
    average, t, here = list(START), 0, 0
    for _ in range(3):
        for _ in range(4):
            t += 1
            average = [a + (w - a) / (t + 1) for a, w in zip(average, way[here], strict=True)]
            here += 1
        here += 1
        assert way[here] == pytest.approx(average, abs=2e-3)
        assert way[here] != way[here - 1]


def test_the_same_every_time_and_with_the_same_noise() -> None:
    one = landscape({"plain": NONE, "mended": ASWA}, epochs=2, steps=3, points=5)
    assert one == landscape({"plain": NONE, "mended": ASWA}, epochs=2, steps=3, points=5)
    # up to the first turn nothing was averaged yet
    assert one.paths["plain"][:4] == one.paths["mended"][:4]
    assert one.paths["plain"][4:] != one.paths["mended"][4:]


def test_the_grid_is_the_surface() -> None:
    plane = landscape({}, points=5)
    for j, y in enumerate(plane.ys):
        for i, x in enumerate(plane.xs):
            assert plane.values[j][i] == pytest.approx(twin.height(x, y), abs=2e-3)
