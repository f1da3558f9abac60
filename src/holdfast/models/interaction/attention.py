"""Attention over a history, with slopes of its own, as its hidden layer is much larger than all else."""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

Parameters = tuple[Tensor, Tensor, Tensor]  # W, b and h

# numbers of a hidden layer at once: on a CPU, more would not stay near the core until the backward pass, and
# making them again costs less than fetching them
BLOCK = {"cpu": 1 << 20, "cuda": 1 << 62}


def attend(
    p: Float[Tensor, "B T d"],
    q: Float[Tensor, "B C d"],
    allowed: Bool[Tensor, "B D T"],
    parameters: Parameters,
    beta: float,
) -> Float[Tensor, "B D T"]:
    """The weights of each candidate, or of one with several masks."""
    block = BLOCK["cuda" if p.is_cuda else "cpu"]
    rows = max(1, block // (len(parameters[2]) * p.shape[1] * q.shape[1]))
    if rows >= len(p):
        energies = _energies(p, q, parameters, None)
    else:
        several = zip(*(torch.split(each, rows) for each in (p, q, allowed)), strict=True)
        energies = torch.cat([_seen(few, some, seen, parameters, block) for few, some, seen in several])
    function: Any = Weights.apply if torch.is_grad_enabled() else Weights.forward
    weights: Tensor = function(energies.expand(allowed.shape), allowed, beta)
    return weights


def _seen(
    p: Float[Tensor, "B T d"],
    q: Float[Tensor, "B C d"],
    allowed: Bool[Tensor, "B D T"],
    parameters: Parameters,
    block: int,
) -> Float[Tensor, "B C T"]:
    """The energies of some rows, 0 before the first place that counts in any of them."""
    begin = 0
    # where members are mapped nobody knows it, and a GPU would have to wait for it
    if not allowed.is_cuda and not torch._C._are_functorch_transforms_active():
        begin = int(allowed.flatten(0, 1).any(0).int().argmax())
    return F.pad(_energies(p[:, begin:], q, parameters, block), (begin, 0))


def _energies(
    p: Float[Tensor, "B T d"], q: Float[Tensor, "B C d"], parameters: Parameters, block: int | None
) -> Float[Tensor, "B C T"]:
    """All at once, or in blocks. Both sides play the same part, and a product is fastest along the longer."""
    turned = p.shape[1] < q.shape[1]
    long, short = (q, p) if turned else (p, q)
    size = short.shape[1] if block is None else max(1, block // (len(parameters[2]) * long.shape[1]))
    found = [_block(long, piece, parameters, block is None) for piece in torch.split(short, size, 1)]
    energies = found[0] if len(found) == 1 else torch.cat(found, 1)
    return energies.mT.contiguous() if turned else energies


def _block(p: Tensor, q: Tensor, parameters: Parameters, kept: bool) -> Tensor:
    # where no slope is wanted, the plain function, which is called faster
    function: Any = Energies.apply if torch.is_grad_enabled() else Energies.forward
    energies: Tensor = function(p, q, *parameters, kept)[0]
    return energies


class Energies(torch.autograd.Function):
    """``f_ct = Σ_k h_k x_kct``, ``x_kct = ReLU(Σ_d W_kd p_td q_cd + b_k)`` (Xue et al. 2019), and x, which is
    empty unless it is ``kept``: then the backward pass makes it again.

    >>> p, q = torch.tensor([[[1.0], [2.0]]]), torch.tensor([[[3.0]]])
    >>> Energies.apply(p, q, torch.tensor([[1.0]]), torch.tensor([-4.0]), torch.tensor([5.0]), False)[0]
    tensor([[[ 0., 10.]]])
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(
        p: Float[Tensor, "B T d"],
        q: Float[Tensor, "B C d"],
        weight: Float[Tensor, "k d"],
        bias: Float[Tensor, "k"],
        energy: Float[Tensor, "k"],
        kept: bool,
    ) -> tuple[Tensor, Tensor]:
        hidden = _hidden(_keys(q, weight), p, bias).relu_()
        flat = torch.unflatten(hidden, 1, (len(energy), -1)).flatten(2)
        energies = torch.bmm(energy.expand(len(p), 1, -1), flat)
        energies = torch.unflatten(energies[:, 0], 1, (q.shape[1], p.shape[1]))
        return energies, hidden if kept else hidden.new_empty(0)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
        ctx.kept = inputs[-1]
        ctx.mark_non_differentiable(output[1])
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*inputs[:-1], output[1])

    @staticmethod
    def backward(ctx: Any, slope: Float[Tensor, "B C T"], _: None) -> tuple[Tensor | None, ...]:
        p, q, weight, bias, energy, hidden = ctx.saved_tensors
        slope, keys = slope.contiguous(), _keys(q, weight)
        hidden = hidden if ctx.kept else _hidden(keys, p, bias)
        shape = (len(energy), q.shape[1])
        # what of the slope each unit lets through; h comes last, where there is less to multiply
        through = torch.ops.aten.threshold_backward(slope[:, None], torch.unflatten(hidden, 1, shape), 0.0)
        flat = through.flatten(1, 2)
        each = torch.unflatten(flat @ p, 1, shape)
        units = (each * q[:, None]).sum(2).sum(0)
        open_ = through.flatten(2).sum(2).sum(0)
        scaled = energy[:, None] * weight
        return (
            (_keys(q, scaled).mT @ flat).mT,
            (each * scaled[:, None]).sum(1),
            energy[:, None] * units,
            energy * open_,
            (weight * units).sum(1) + bias * open_,
            None,
        )


def _keys(q: Float[Tensor, "B C d"], weight: Float[Tensor, "k d"]) -> Float[Tensor, "B K d"]:
    """``W diag q`` of every candidate: one product with the history is then all of ``W (p ⊙ q)``."""
    return (q[:, None] * weight[:, None]).flatten(1, 2)


def _hidden(
    keys: Float[Tensor, "B K d"], p: Float[Tensor, "B T d"], bias: Float[Tensor, "k"]
) -> Float[Tensor, "B K T"]:
    """The hidden layer before its ReLU."""
    each = bias[:, None].expand(-1, keys.shape[1] // len(bias)).reshape(1, -1, 1)
    return torch.baddbmm(each, keys, p.mT)


class Weights(torch.autograd.Function):
    """``a_t = exp(f_t) / [Σ exp(f)]^β`` over what is allowed, and 0 elsewhere (He et al. 2018).

    The slope g of a is the slope ``a (g − β ⟨a, g⟩ / Σ a)`` of f.

    >>> Weights.apply(torch.zeros(1, 3), torch.tensor([[True, True, False]]), 0.5)
    tensor([[0.7071, 0.7071, 0.0000]])
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(
        energies: Float[Tensor, "*B T"], allowed: Bool[Tensor, "*B T"], beta: float
    ) -> Float[Tensor, "*B T"]:
        energies = energies.masked_fill(~allowed, torch.finfo(energies.dtype).min)
        if beta == 1.0:
            return energies.softmax(-1) * allowed
        # exp(f − m) / [Σ exp(f − m)]^β · exp((1 − β) m) is the same for any m; where nothing is allowed, 0
        top = energies.amax(-1, keepdim=True)
        parts = (energies - top).exp_()
        return parts * (parts.sum(-1, keepdim=True) ** -beta * ((1.0 - beta) * top).exp())

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.beta = inputs[2]
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        (weights,) = ctx.saved_tensors
        total = weights.sum(-1, keepdim=True).clamp_min(torch.finfo(weights.dtype).tiny)
        mean = (weights * slope).sum(-1, keepdim=True) / total
        return weights * (slope - ctx.beta * mean), None, None
