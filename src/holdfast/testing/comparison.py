"""The contract of a comparison, as checks: ``check_comparison(Yours())`` runs them all."""

from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from holdfast.core.compare.base import Comparison

Case = tuple[Tensor, Tensor, Tensor, bool]
"""Two rows of scores for each instance, the mask, and whether the scores are signed."""

TOLERANCE = 1e-9


def check_comparison(comparison: Comparison) -> None:
    """Run every check of the contract; an ``AssertionError`` names the promise that is broken.

    >>> from holdfast.core.compare.tvd import Tvd
    >>> check_comparison(Tvd())
    """
    for check in CHECKS:
        check(comparison)


def cases() -> Iterator[Case]:
    """Seeded scores in float64, unsigned and signed: 8 instances of up to 7 positions, with holes."""
    for signed in (False, True):
        draw = torch.Generator().manual_seed(7 + signed)
        a, b = torch.randn(2, 8, 7, generator=draw, dtype=torch.float64)
        mask = torch.rand(8, 7, generator=draw) < 0.7
        mask[0], mask[:, 0] = True, True
        yield (a, b, mask, True) if signed else (a.abs(), b.abs(), mask, False)


def check_symmetry(comparison: Comparison) -> None:
    """A symmetric comparison gives (a, b) and (b, a) the same value; an asymmetric one says so."""
    forth = torch.cat([comparison(a, b, mask, signed) for a, b, mask, signed in cases()])
    back = torch.cat([comparison(b, a, mask, signed) for a, b, mask, signed in cases()])
    same = torch.allclose(forth, back, atol=TOLERANCE)
    assert same == comparison.symmetric, f"{comparison} declares symmetric={comparison.symmetric}: not so"


def check_bounds(comparison: Comparison) -> None:
    """Every value is finite and within the bounds, and some are not the best value."""
    low, high = comparison.bounds
    for a, b, mask, signed in cases():
        value = comparison(a, b, mask, signed)
        assert value.shape == mask.shape[:-1], f"{comparison}: expected a value for each instance"
        assert torch.isfinite(value).all(), f"{comparison} is not finite: {value}"
        inside = (value >= low - TOLERANCE) & (value <= high + TOLERANCE)
        assert inside.all(), f"{comparison} leaves its bounds {comparison.bounds}: {value}"
        assert not _near(value, comparison.identical), f"{comparison} sees no difference at all"


def check_identical(comparison: Comparison) -> None:
    """An explanation against itself has the value ``identical``, ties or not."""
    for a, _, mask, signed in cases():
        for scores in (a, a.round()):
            value = comparison(scores, scores.clone(), mask, signed)
            assert _near(value, comparison.identical), f"{comparison} of the same explanation: {value}"


def check_padding(comparison: Comparison) -> None:
    """Masked positions never count, whatever stands there and however many there are."""
    for a, b, mask, signed in cases():
        value = comparison(a, b, mask, signed)
        junk = comparison(torch.where(mask, a, 99.0), torch.where(mask, b, 98.0), mask, signed)
        assert _near(junk, value), f"{comparison} reads masked positions"
        wide = comparison(
            F.pad(a, (0, 5), value=3.0), F.pad(b, (0, 5), value=4.0), F.pad(mask, (0, 5)), signed
        )
        assert _near(wide, value), f"{comparison} depends on padding"


def check_batch(comparison: Comparison) -> None:
    """An instance alone, or among others, or with more leading axes, has the same value."""
    for a, b, mask, signed in cases():
        value = comparison(a, b, mask, signed)
        alone = torch.stack([comparison(a[i], b[i], mask[i], signed) for i in range(len(a))])
        assert _near(alone, value), f"{comparison} depends on the batch"
        folded = comparison(a.reshape(2, 4, 7), b.reshape(2, 4, 7), mask.reshape(2, 4, 7), signed)
        assert _near(folded, value.reshape(2, 4)), f"{comparison} depends on the leading axes"


def check_order(comparison: Comparison) -> None:
    """Moving the positions of both explanations alike changes nothing (there are no ties here)."""
    for a, b, mask, signed in cases():
        value = comparison(a, b, mask, signed)
        order = torch.randperm(7, generator=torch.Generator().manual_seed(3))
        moved = comparison(a[:, order], b[:, order], mask[:, order], signed)
        assert _near(moved, value), f"{comparison} depends on the order of positions"


def check_scale(comparison: Comparison) -> None:
    """The unit of the scores does not matter."""
    for a, b, mask, signed in cases():
        value = comparison(a, b, mask, signed)
        # Powers of two: no two scores become equal by rounding.
        scaled = comparison(a * 2.0**60, b * 2.0**-60, mask, signed)
        assert _near(scaled, value), f"{comparison} depends on the unit of the scores"


def check_edges(comparison: Comparison) -> None:
    """Zeros, constants, one position and no position give finite values within the bounds."""
    low, high = comparison.bounds
    for a, b, mask, signed in cases():
        for dtype in (torch.float32, torch.float64):
            x, y, zero = a.to(dtype), b.to(dtype), torch.zeros_like(a, dtype=dtype)
            one = torch.arange(7).expand_as(mask) == 2
            none = torch.zeros_like(mask)
            one_hot = torch.where(one, 1.0, zero)
            for left, right, valid in (
                (x, zero, mask),
                (zero, x, mask),
                (x, zero + 1, mask),
                (one_hot, one_hot.roll(1, -1), torch.ones_like(mask)),
                (x, y, one & mask),
                (x * 1e-30, y * 1e30, mask),
            ):
                value = comparison(left, right, valid, signed)
                assert torch.isfinite(value).all(), f"{comparison} is not finite at an edge: {value}"
                inside = (value >= low - 1e-5) & (value <= high + 1e-5)
                assert inside.all(), f"{comparison} leaves its bounds at an edge: {value}"
            for left, right, valid in ((zero, zero, mask), (x, x, one), (x, y, none)):
                value = comparison(left, right, valid, signed)
                assert _near(value, comparison.identical, 1e-6), f"{comparison}: nothing differs, but {value}"


def check_precision(comparison: Comparison) -> None:
    """float32 and float64 go through unchanged and agree."""
    for a, b, mask, signed in cases():
        exact, rough = comparison(a, b, mask, signed), comparison(a.float(), b.float(), mask, signed)
        assert exact.dtype == torch.float64, f"{comparison} turns float64 into {exact.dtype}"
        assert rough.dtype == torch.float32, f"{comparison} turns float32 into {rough.dtype}"
        assert _near(rough.double(), exact, 1e-4), f"{comparison} loses precision in float32"


def check_vmap(comparison: Comparison) -> None:
    """Mapped by ``torch.func.vmap`` over instances, the values are the same."""
    for a, b, mask, signed in cases():

        def one(x: Tensor, y: Tensor, valid: Tensor, signed: bool = signed) -> Tensor:
            return comparison(x, y, valid, signed)

        mapped = torch.func.vmap(one)(a, b, mask)
        assert _near(mapped, comparison(a, b, mask, signed)), f"{comparison} differs under vmap"


def check_untouched(comparison: Comparison) -> None:
    """The inputs are as they were."""
    for a, b, mask, signed in cases():
        given = (a.clone(), b.clone(), mask.clone())
        comparison(*given, signed)
        kept = all(torch.equal(x, y) for x, y in zip(given, (a, b, mask), strict=True))
        assert kept, f"{comparison} changes its inputs"


CHECKS: tuple[Callable[[Comparison], None], ...] = (
    check_symmetry,
    check_bounds,
    check_identical,
    check_padding,
    check_batch,
    check_order,
    check_scale,
    check_edges,
    check_precision,
    check_vmap,
    check_untouched,
)


def _near(value: Tensor, expected: Tensor | float, tolerance: float = TOLERANCE) -> bool:
    wanted = torch.as_tensor(expected, dtype=value.dtype).expand_as(value)
    return torch.allclose(value, wanted, atol=tolerance, rtol=tolerance)
