import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.studies.seed_stability.layers import LAYERS, cka, layer_rows
from holdfast.study import result as families
from tests.reference import study as twin
from tests.study.test_result import job_of
from tests.study.tiny import dataset, finished, plan

numbers = st.integers(0, 2**31)


def drawn(seed: int, n: int, width: int) -> torch.Tensor:
    return torch.randn(n, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@given(seed=numbers, n=st.integers(2, 8), a=st.integers(1, 5), b=st.integers(1, 5))
def test_cka_against_sums_over_pairs(seed: int, n: int, a: int, b: int) -> None:
    x, y = drawn(seed, n, a), drawn(seed + 1, n, b)
    assert cka(x, y).item() == pytest.approx(twin.cka(x.tolist(), y.tolist()), abs=1e-9)
    assert cka(x, y).item() == pytest.approx(cka(y, x).item(), abs=1e-12)
    assert -1e-12 <= cka(x, y).item() <= 1 + 1e-12


@given(seed=numbers, scale=st.floats(0.01, 100))
def test_rotating_shifting_and_scaling_change_nothing(seed: int, scale: float) -> None:
    x, y = drawn(seed, 9, 4), drawn(seed + 1, 9, 4)
    rotation = torch.linalg.qr(drawn(seed + 2, 4, 4)).Q
    assert cka(x, x @ rotation).item() == pytest.approx(1, abs=1e-9)
    assert cka(x, y @ rotation * scale + 3).item() == pytest.approx(cka(x, y).item(), abs=1e-9)


def test_a_constant_layer_is_like_nothing() -> None:
    assert cka(torch.ones(5, 3), drawn(0, 5, 3)).item() == 0


def test_unrelated_values_are_far_apart() -> None:
    assert cka(drawn(1, 2000, 3), drawn(2, 2000, 3)).item() < 0.01


def test_every_layer_of_a_real_family_has_a_row() -> None:
    family = families.load(job_of(finished()), plan().members, plan().members, dataset())
    rows = list(layer_rows(family))
    assert [row.bin for row in rows] == list(LAYERS)
    for row in rows:
        assert 0 <= row.value <= 1
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.value <= row.high
        assert (row.quantity, row.comparison, row.n) == ("layer", "cka", 3)
