"""Self-attention in blocks, shared by recommenders and the text transformer (Baumhauer §3.2.1).

Everything is matrix products and a softmax over one member's parameters, so that ``vmap`` stacks members.
"""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.records import Edit, Site
from holdfast.models.layers import dropout, masked_softmax

Maps = tuple[Tensor, ...]


def may_attend(
    mask: Bool[Tensor, "B T"], causal: bool, read: Bool[Tensor, "T"] | None = None
) -> Bool[Tensor, "B T T"]:
    """Which position (row) may attend to which (column): to those that exist; ``causal``: not to later ones.

    Rows of positions that do not exist are empty, but for those where the output is ``read``.

    >>> may_attend(torch.tensor([[True, False, True]]), causal=True).int()
    tensor([[[1, 0, 0],
             [0, 0, 0],
             [1, 0, 1]]], dtype=torch.int32)
    """
    asks = mask if read is None else mask | read
    allowed = asks[:, :, None] & mask[:, None]
    return allowed.tril() if causal else allowed


class Block(nn.Module):
    """``g(S) = Dropout(Attention(S)) + S``; ``Block(S) = LayerNorm(Dropout(FFN(LayerNorm(g(S)))) + g(S))``.

    Attention has ``heads`` heads of d/h: ``softmax(Q Kᵀ / √(d/h)) V``, joined by ``W^O``, without biases;
    ``FFN(S) = LeakyReLU(S W₁ + b₁) W₂ + b₂``, all d×d. Weights start as those of ``torch.nn.Linear``. Dropout
    reads the draws ``block{layer}.attention`` and ``block{layer}.feed``.
    """

    def __init__(self, dim: int, heads: int, rate: float, layer: int) -> None:
        super().__init__()
        self.heads, self.rate, self.layer = heads, rate, layer
        bound = dim**-0.5
        self.inputs = nn.Parameter(torch.empty(dim, 3 * dim).uniform_(-bound, bound))  # Q, K, V side by side
        self.output = nn.Parameter(torch.empty(dim, dim).uniform_(-bound, bound))
        self.inner, self.outer = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.before, self.after = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(
        self, states: Float[Tensor, "B T d"], allowed: Bool[Tensor, "B T T"], edit: Edit, last: bool = False
    ) -> tuple[Float[Tensor, "B T d"], Float[Tensor, "B h T T"]]:
        """The new states and the attention; ``last``: of the states only the last one, (B, 1, d)."""
        queries, keys, values = self._heads(states, states)
        weights = self._weights(queries, keys, allowed)
        if edit.attention is not None:
            site = Site(self.layer, "self", allowed[:, None].expand_as(weights))
            weights = edit.attention(weights, site)
        residual, rows = (states[:, -1:], weights[:, :, -1:]) if last else (states, weights)
        return self._feed(residual, rows @ values, edit), weights

    def last(
        self, states: Float[Tensor, "B T d"], allowed: Bool[Tensor, "B T T"], edit: Edit
    ) -> Float[Tensor, "B 1 d"]:
        """The last of the new states alone, without the rows of the map that it does not need."""
        residual = states[:, -1:]
        queries, keys, values = self._heads(residual, states)
        return self._feed(residual, self._weights(queries, keys, allowed[:, -1:]) @ values, edit)

    def noise(self, rows: int, length: int) -> dict[str, tuple[int, ...]]:
        """The draws that dropout reads."""
        shape = (rows, length, self.output.shape[-1])
        return {f"block{self.layer}.{part}": shape for part in ("attention", "feed")} if self.rate else {}

    def _weights(self, queries: Tensor, keys: Tensor, allowed: Tensor) -> Tensor:
        return masked_softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), allowed[:, None])

    def _feed(self, states: Tensor, mixed: Float[Tensor, "B h R e"], edit: Edit) -> Tensor:
        """From what attention brought to the block's output, for as many rows as are given."""
        joined = _product(mixed.transpose(1, 2).flatten(2), self.output)
        g = self._dropped(joined, edit, "attention") + states
        hidden = F.leaky_relu(_product(self.before(g), self.inner.weight.mT) + self.inner.bias)
        fed = _product(hidden, self.outer.weight.mT) + self.outer.bias
        out: Tensor = self.after(self._dropped(fed, edit, "feed") + g)
        return out

    def _dropped(self, x: Tensor, edit: Edit, part: str) -> Tensor:
        name, rows = f"block{self.layer}.{part}", x.shape[-2]
        noise = {name: edit.noise[name][:, -rows:]} if name in edit.noise else {}
        return dropout(x, noise, name, self.rate)

    def _heads(self, asking: Tensor, states: Tensor) -> tuple[Tensor, ...]:
        """Q of the rows that ask, K and V of all: (B, h, T, d/h) each."""
        # three products: the parts of one would be copied together again on the way back
        parts = zip((asking, states, states), self.inputs.chunk(3, 1), strict=True)
        return tuple(
            torch.unflatten(_product(x, weight), -1, (self.heads, -1)).transpose(1, 2) for x, weight in parts
        )


class Blocks(nn.Module):
    """Blocks one after the other."""

    def __init__(self, dim: int, heads: int, blocks: int, rate: float) -> None:
        super().__init__()
        self.stack = nn.ModuleList(Block(dim, heads, rate, layer) for layer in range(blocks))

    @property
    def attention_names(self) -> tuple[str, ...]:
        """Q, K and V of each block: they are one tensor, so that V comes along, though it makes no map."""
        return tuple(f"stack.{layer}.inputs" for layer in range(len(self.stack)))

    def forward(
        self, states: Float[Tensor, "B T d"], allowed: Bool[Tensor, "B T T"], edit: Edit, last: bool = False
    ) -> tuple[Float[Tensor, "B T d"], Maps]:
        """The last block's states (``last``: of the last position alone), and every map."""
        maps = []
        for number, block in enumerate(self.stack, 1):
            states, weights = block(states, allowed, edit, last and number == len(self.stack))
            maps.append(weights)
        return states, tuple(maps)

    def last(
        self, states: Float[Tensor, "B T d"], allowed: Bool[Tensor, "B T T"], edit: Edit
    ) -> Float[Tensor, "B d"]:
        """The last position's state without the maps; those that the door must see are made all the same."""
        *first, final = self.stack
        for block in first:
            states, _ = block(states, allowed, edit)
        if edit.attention is not None:
            return final(states, allowed, edit, True)[0][:, 0]  # type: ignore[no-any-return]
        out: Tensor = final.last(states, allowed, edit)  # type: ignore[operator]
        return out[:, 0]

    def noise(self, rows: int, length: int) -> dict[str, tuple[int, ...]]:
        """The draws of all blocks."""
        return {name: shape for block in self.stack for name, shape in block.noise(rows, length).items()}  # type: ignore[operator]


def _product(x: Float[Tensor, "B T n"], weight: Float[Tensor, "n m"]) -> Float[Tensor, "B T m"]:
    # flat: under vmap a product of three axes would copy the weights for every example
    return torch.unflatten(x.flatten(0, 1) @ weight, 0, x.shape[:2])
