"""Layers that several models share: masked softmax, dropout from given draws, attention pooling."""

import math
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.records import Edit, Site
from holdfast.core.rules import Domain, Part, Rules, affine, constant, matmul

Attention = Literal["additive", "dot"]
NEVER = -1e4  # a logit whose exponential is 0 beside any other's, also after a temperature of 10


def masked_softmax(scores: Float[Tensor, "*B T"], mask: Bool[Tensor, "*B T"]) -> Float[Tensor, "*B T"]:
    """``softmax`` over the positions that exist; a row without any is all zeros, never NaN.

    >>> masked_softmax(torch.zeros(2, 3), torch.tensor([[True, True, False], [False, False, False]]))
    tensor([[0.5000, 0.5000, 0.0000],
            [0.0000, 0.0000, 0.0000]])
    """
    lowest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~mask, lowest).softmax(-1) * mask


def among(logits: Float[Tensor, "*B C"], options: Bool[Tensor, "*B C"]) -> Float[Tensor, "*B C"]:
    """The logits of the options; the others' are so low that softmax gives them 0, yet finite, and constant.

    >>> among(torch.tensor([1.0, 2.0, 1.0]), torch.tensor([True, False, True])).softmax(-1)
    tensor([0.5000, 0.0000, 0.5000])
    """
    return logits.masked_fill(~options, NEVER)


def dropout(x: Tensor, noise: dict[str, Tensor], name: str, rate: float) -> Tensor:
    """``x · 1[u ≥ rate] / (1 − rate)`` where uniform draws ``u`` of that name were given, else ``x``.

    >>> dropout(torch.ones(3), {"states": torch.tensor([0.1, 0.5, 0.9])}, "states", 0.5)
    tensor([0., 2., 2.])
    """
    if rate == 0.0 or name not in noise:
        return x
    return x * (noise[name] >= rate) / (1.0 - rate)


def linear(rules: Rules | None, layer: nn.Linear, x: Tensor, domain: Domain) -> Tensor:
    """``W x + b`` of a linear layer, by the rules where there are any.

    >>> layer = nn.Linear(2, 3)
    >>> linear(None, layer, torch.ones(1, 2), "signed").shape
    torch.Size([1, 3])
    """
    if rules is None:
        out: Tensor = layer(x)
        return out
    return affine(rules, [Part(matmul, x, layer.weight.mT, domain)], layer.bias)


class Pool(nn.Module):
    """Attention over states ``h_t``, and the context ``Σ a_t h_t`` (Jain ch. 4).

    additive: ``a = softmax(vᵀ tanh(W h_t + b))``, with a query ``vᵀ tanh(W h_t + b + W₂ Q)``, W: m → m/2;
    dot: ``a = softmax(w·h_t / √m)``, with a query ``h_t·(W Q) / √m``. The weights pass through the door
    ``edit.attention`` after the softmax; rules hold them constant.
    """

    weight: nn.Parameter
    query: nn.Linear | None

    def __init__(self, width: int, kind: Attention, pair: bool) -> None:
        super().__init__()
        self.kind = kind
        if kind == "additive":
            half = max(width // 2, 1)
            self.states = nn.Linear(width, half)
            self.query = nn.Linear(width, half, bias=False) if pair else None
            self.score = nn.Linear(half, 1, bias=False)
        elif pair:
            self.query = nn.Linear(width, width, bias=False)
        else:
            self.weight = nn.Parameter(torch.empty(width).uniform_(-1.0, 1.0))

    def forward(
        self,
        states: Float[Tensor, "B T m"],
        mask: Bool[Tensor, "B T"],
        edit: Edit,
        query: Float[Tensor, "B m"] | None = None,
    ) -> tuple[Float[Tensor, "B m"], Float[Tensor, "B T"]]:
        """The context and the attention weights."""
        scores = self._additive(states, query) if self.kind == "additive" else self._dot(states, query)
        weights = masked_softmax(scores, mask)
        if edit.attention is not None:
            weights = edit.attention(weights, Site(layer=0, kind="pool", allowed=mask))
        return (constant(edit.rules, weights)[:, None] @ states).squeeze(1), weights

    def _additive(self, states: Tensor, query: Tensor | None) -> Tensor:
        hidden: Tensor = self.states(states)
        if query is not None and self.query is not None:
            hidden = hidden + self.query(query)[:, None]
        scores: Tensor = self.score(hidden.tanh())
        return scores.squeeze(-1)

    def _dot(self, states: Tensor, query: Tensor | None) -> Tensor:
        scale = math.sqrt(states.shape[-1])
        if query is None or self.query is None:
            return states @ self.weight / scale
        key: Tensor = self.query(query)[..., None]
        return (states @ key).squeeze(-1) / scale
