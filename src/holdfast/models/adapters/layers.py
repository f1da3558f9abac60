"""Layers of a module by their names: the one that embeds, and the one whose attention is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from holdfast.core.errors import BadSetting
from holdfast.core.plain import short
from holdfast.data.reading import listed


def embedding_name(module: nn.Module, name: str) -> str:
    """The name of the embedding; where none is given, that of the only ``nn.Embedding``.

    >>> embedding_name(nn.Sequential(nn.Embedding(3, 2), nn.Linear(2, 1)), "")
    '0'
    """
    if name:
        layer(module, name, "embedding")
        return name
    found = [own for own, part in module.named_modules() if isinstance(part, nn.Embedding)]
    if len(found) == 1:
        return str(found[0])
    why = f"it has {len(found)} ({listed(found)})" if found else "it has no nn.Embedding"
    raise BadSetting(f"expected the name of the layer of {_name(module)} that embeds the words, as {why}: "
                     "say embedding=…")  # fmt: skip


def layer(module: nn.Module, name: str, option: str) -> nn.Module:
    """The layer of that name; a wrong one is refused with those that there are."""
    found = dict(module.named_modules())
    if not name or name not in found:
        known = [own for own in found if own]
        raise BadSetting(
            f"{_name(module)} has no layer {short(repr(name))} for {option}=…: its layers are {listed(known)}"
        )
    part: nn.Module = found[name]
    return part


@contextmanager
def embedded_as(module: nn.Module, name: str, vectors: Float[Tensor, "B T D"]) -> Iterator[list[Tensor]]:
    """While it runs, the embedding answers with these vectors; yields what it was asked about."""
    asked: list[Tensor] = []

    def instead(part: nn.Module, given: Any, out: Any) -> Tensor:
        if not isinstance(out, Tensor) or out.shape != vectors.shape:
            came = tuple(out.shape) if isinstance(out, Tensor) else type(out).__name__
            raise BadSetting(
                f"expected {name} of {_name(module)} to give a vector for each word, {tuple(vectors.shape)}, "
                f"but got {came}: name the layer that embeds the words, embedding=…"
            )
        asked.append(out)
        return vectors

    handle = layer(module, name, "embedding").register_forward_hook(instead)
    try:
        yield asked
    finally:
        handle.remove()


@contextmanager
def attention_of(module: nn.Module, name: str) -> Iterator[list[Tensor]]:
    """What the named layer answers while the module runs, of several answers the second; nothing without a
    name."""
    seen: list[Tensor] = []

    def look(part: nn.Module, given: Any, out: Any) -> None:
        found = out[1] if isinstance(out, tuple) and len(out) > 1 else out
        if not isinstance(found, Tensor):
            raise BadSetting(
                f"expected attention from {name} of {_name(module)}, a tensor or the second of a tuple, but "
                f"got {type(found).__name__}: return the weights there (of nn.MultiheadAttention: "
                "need_weights=True)"
            )
        seen.append(found)

    handle = layer(module, name, "attention").register_forward_hook(look) if name else None
    try:
        yield seen
    finally:
        if handle is not None:
            handle.remove()


def pools(weights: Tensor, rows: int, length: int, name: str) -> bool:
    """Whether attention is one weight for each word, (B, T), else (B, T, T) or (B, heads, T, T); what is of
    another shape is refused. The length must be more than 1.

    >>> pools(torch.ones(2, 3, 1), 2, 3, "attn"), pools(torch.ones(2, 4, 3, 3), 2, 3, "attn")
    (True, False)
    """
    shape = tuple(weights.shape)
    if shape in ((rows, length), (rows, length, 1)):
        return True
    if len(shape) in (3, 4) and (shape[0], *shape[-2:]) == (rows, length, length):
        return False
    raise BadSetting(
        f"expected attention of {name} of shape (texts, words) or (texts, heads, words, words), here {rows} "
        f"texts of {length} words, but got {shape}: name the layer that gives the weights"
    )


def as_map(weights: Tensor, pooled: bool) -> Float[Tensor, "B ..."]:
    """Attention as (B, T) or (B, heads, T, T).

    >>> as_map(torch.ones(2, 3, 3), pooled=False).shape
    torch.Size([2, 1, 3, 3])
    """
    if pooled:
        return weights.flatten(1)
    return weights if weights.dim() == 4 else weights[:, None]


def check_sums(weights: Tensor, name: str) -> None:
    """Refuse what is no distribution over the words."""
    sums = weights.detach().double().sum(-1)
    if bool((weights < -1e-6).any()) or not torch.allclose(sums, torch.ones_like(sums), atol=1e-3):
        raise BadSetting(
            f"expected attention of {name} to be weights that sum to 1 over the words, but they sum to "
            f"{float(sums.min()):.3g} to {float(sums.max()):.3g}: name the layer that gives them after the "
            "softmax and before dropout"
        )


def _name(module: nn.Module) -> str:
    return type(module).__name__
