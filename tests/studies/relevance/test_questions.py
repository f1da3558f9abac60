import pytest
import torch

from holdfast.studies.relevance.questions import (
    LEAST,
    LEAST_APART,
    LEAST_SLOPE,
    above_others,
    best,
    gain,
    gain_by_method,
    sensitivity,
    slope,
)

MEANS = torch.tensor([[[0.70, 0.60], [0.75, 0.70], [0.80, 0.65], [0.85, 0.90]]], dtype=torch.float64)


def test_the_slope_is_what_one_step_adds():
    even = torch.tensor([0.1, 0.2, 0.3, 0.4])[None, :, None]
    assert slope(even).tolist() == pytest.approx([0.1])


def test_gains_are_of_the_second_cell():
    assert gain_by_method(MEANS[:, :2]).tolist() == pytest.approx([0.05, 0.10])
    assert gain(MEANS[:, :2]).tolist() == pytest.approx([0.075])


def test_the_first_cell_is_set_against_each_other():
    assert above_others(MEANS).tolist() == pytest.approx([-0.075, -0.075, -0.225])
    gates = torch.tensor([True, True, False, False])
    assert best(MEANS, gates).tolist() == pytest.approx([0.725 - 0.875])


def test_each_of_deep_taylor_and_lrp_is_set_against_each_of_the_rest():
    apart = torch.tensor([0.01, 0.02, 0.05, 0.03])
    cells = torch.tensor([-1.5, -0.5, 0.5, 1.5])
    means = (cells / cells.std())[None, :, None] * apart
    assert sensitivity(means).tolist() == pytest.approx([0.04, 0.03, 0.02, 0.01])


def test_what_is_worth_the_name_is_the_same_effect_in_every_unit():
    cells = torch.linspace(0, LEAST, 4, dtype=torch.float64)
    assert slope(cells[None, :, None]).item() == pytest.approx(LEAST_SLOPE)
    assert cells.std().item() == pytest.approx(LEAST_APART, rel=1e-3)
