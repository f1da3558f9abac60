"""z⁺, z^β and w², each against its formula."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.rules import Part, matmul
from holdfast.explain.rules.taylor import Taylor, leaves

LOW, HIGH = -1.0, 1.0


def contribution(entry, x, w):
    """Of one input to one positive output (Chormai (3.63), (3.69) and Table 3.1)."""
    if entry == "zbeta":
        return x * w - LOW * max(w, 0.0) - HIGH * min(w, 0.0)
    return w * w if entry == "wsquare" else max(x * w, 0.0)


@pytest.mark.parametrize("entry", ["zbeta", "wsquare", "zplus"])
@given(seed=st.integers(0, 999))
def test_the_formula_with_a_common_denominator(entry, seed):
    generator = torch.Generator().manual_seed(seed)
    x = 2 * torch.rand(1, 3, generator=generator, dtype=torch.float64) - 1
    r = torch.rand(1, 2, generator=generator, dtype=torch.float64)
    w = torch.randn(5, 4, generator=generator, dtype=torch.float64)
    bias = torch.randn(4, generator=generator, dtype=torch.float64)
    given_x = leaves(x, torch.ones(1, 3), entry).clone().requires_grad_()
    given_r = r.clone().requires_grad_()
    rules = Taylor(entry)
    y = rules.affine([Part(matmul, given_x, w[:3], "input"), Part(matmul, given_r, w[3:], "positive")], bias)
    torch.testing.assert_close(y.detach(), x @ w[:3] + r @ w[3:] + bias)
    y.sum().backward()
    parts = given_x.detach() * given_x.grad
    handed_down = torch.cat([parts.sum(0) if entry != "zplus" else parts, r * given_r.grad], 1)[0]
    expected = [0.0] * 5
    for k in range(4):
        sign = 1.0 if y[0, k] >= 0 else -1.0  # a negative output is the negative of a positive one
        tops = [contribution(entry, float(x[0, j]), sign * float(w[j, k])) for j in range(3)]
        tops += [max(sign * float(r[0, j] * w[3 + j, k]), 0.0) for j in range(2)]
        for j in range(5 if sum(tops) else 0):
            expected[j] += tops[j] / sum(tops) * float(y.detach()[0, k])
    torch.testing.assert_close(handed_down, torch.tensor(expected, dtype=torch.float64))


def test_what_does_not_exist_has_no_leaf():
    exists = torch.tensor([[1.0, 0.0]])
    assert leaves(torch.zeros(1, 2), exists, "zbeta")[:, 0].tolist() == [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    assert leaves(torch.zeros(1, 2), exists, "wsquare")[:, 0].tolist() == [[0.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_no_part_of_its_sign_passes_nothing_but_keeps_its_value(sign):
    x = torch.ones(1, 2, requires_grad=True)
    part = Part(matmul, x, -sign * torch.ones(2, 1), "positive")
    out = Taylor().affine([part], torch.tensor([3.0 * sign]))
    out.backward()
    assert out.item() == sign
    assert x.grad.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("entry", ["zbeta", "wsquare", "zplus"])
@given(seed=st.integers(0, 999), made=st.booleans())
def test_behind_a_relu_only_positive_sums_hand_on(entry, seed, made):
    generator = torch.Generator().manual_seed(seed)
    x, w = torch.rand(2, 3, generator=generator).double(), torch.randn(3, 4, generator=generator).double()
    bias = torch.randn(4, generator=generator).double()
    given_x = [leaves(x, torch.ones(2, 3), entry).clone().requires_grad_() for _ in range(2)]
    slow, fast = Taylor(entry), Taylor(entry)
    plain = slow.affine([Part(matmul, given_x[0], w, "input")], bias).relu()
    part = Part(matmul, given_x[1], w, "input")
    short = fast.rectified([fast.ahead(part, rectified=True) if made else part], bias)
    torch.testing.assert_close(plain, short)
    torch.testing.assert_close(
        *(torch.autograd.grad(y.sum(), leaf)[0] for y, leaf in zip((plain, short), given_x, strict=True))
    )
