"""What is found out about a module by trying it, before any long work: nothing of it is assumed."""

import copy
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.core.errors import WRONG, BadSetting
from holdfast.core.plain import printable, short
from holdfast.models.adapters.calling import Call, logits_of
from holdfast.models.adapters.layers import as_map, attention_of, check_sums, embedded_as, layer, pools

ROWS, LENGTH, MORE = 3, 6, 3
NEAR = 1e-4  # of the largest logit: what rounding may change
MISSING = (
    "say which id stands for a deleted word, missing=… (such as that of an unknown word, which is 1 where "
    "Holdfast numbers the words)"
)


class Facts(NamedTuple):
    """``pads``: padding at the end changes no logits. ``holes``: nor does what stands where the mask is
    False, wherever that is. ``pooled``: its attention has one weight for each word."""

    pads: bool
    holes: bool
    pooled: bool = False


class Tried(NamedTuple):
    """A module with everything that is needed to call it."""

    module: nn.Module
    call: Call
    embedding: str
    attention: str
    pad: int
    classes: int
    missing: int = 0

    @property
    def name(self) -> str:
        """What messages call it."""
        return type(self.module).__name__

    def logits(self, ids: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B C"]:
        """A plain pass."""
        return logits_of(self.call(self.module, ids, mask), len(ids), self.classes, self.name)


def facts_of(tried: Tried, words: Int[Tensor, "W"]) -> Facts:
    """Run a copy of the module on a few texts of these words, two or more; one that cannot be explained is
    refused in a sentence."""
    one = tried._replace(module=_generic(tried.module))
    rng = torch.Generator().manual_seed(0)
    ids = words[torch.randint(len(words), (ROWS, LENGTH), generator=rng)]
    ids[:, 1] = words[0]
    whole = torch.ones_like(ids, dtype=torch.bool)
    with torch.no_grad():
        try:
            plain = one.logits(ids, whole)
            again = one.logits(ids, whole)
        except WRONG as error:
            said = printable(short(f"{type(error).__name__}: {error}"))
            raise BadSetting(
                f"{one.name} cannot be run on ids of shape ({ROWS}, {LENGTH}) and a mask ({said}): say how "
                "it is called, with ids=… and mask=…"
            ) from error
        if not torch.equal(plain, again):
            raise BadSetting(
                f"{one.name} answers otherwise when asked again: expected the same logits in eval mode, so "
                "switch off what is random there"
            )
        _check_used(one, ids, whole, plain, words)
        _check_embedding(one, ids, whole, plain)
        pooled, holes = _pooled(one, ids, whole), _holes(one, ids, words, plain)
        _check_missing(one, ids, whole, words, holes)
        return Facts(_pads(one, ids, plain), holes, pooled)


def _check_used(one: Tried, ids: Tensor, whole: Tensor, plain: Tensor, words: Tensor) -> None:
    """Words count, and where the mask is True for some, those do."""
    other = ids.clone()
    other[:, 1:3] = words[-1]
    if not bool(plain.isfinite().all()) or _near(one.logits(other, whole), plain):
        raise BadSetting(
            f"{one.name}: other words give the same logits, or none that are finite: expected logits that "
            "depend on the words, so say how it is called, with ids=… and mask=…"
        )
    half = (torch.arange(LENGTH) < 3).expand_as(ids)
    if one.call.mask and _same(one, other, half, one.logits(ids, half)):
        raise BadSetting(
            f"{one.name}: words where {one.call.mask} says that there are some do not change its logits: is "
            f"it True where there is no word? Then say hides={not one.call.hides}"
        )


def _check_embedding(one: Tried, ids: Tensor, whole: Tensor, plain: Tensor) -> None:
    vectors = layer(one.module, one.embedding, "embedding")(ids)
    with embedded_as(one.module, one.embedding, vectors) as asked:
        given = one.logits(ids, whole)
    if not asked:
        raise BadSetting(
            f"{one.name} does not call its layer {one.embedding}: expected the layer that embeds the words "
            "to be called in forward, on the ids"
        )
    if not _near(given, plain):
        raise BadSetting(f"{one.name}: its layer {one.embedding} gives other vectors when it is asked again")
    with embedded_as(one.module, one.embedding, vectors.flip(1) * 2.0):
        if _near(one.logits(ids, whole), plain):
            raise BadSetting(
                f"{one.name}: its logits do not depend on what {one.embedding} gives: name the layer that "
                "embeds the words, embedding=…"
            )


def _check_missing(one: Tried, ids: Tensor, whole: Tensor, words: Tensor, holes: bool) -> None:
    """A text of which every word is deleted has an answer, and one deleted word takes no other with it."""
    what = f"the id {one.missing}"
    alone = torch.full_like(ids[:, :1], one.missing)
    if not _same(one, alone, whole[:, :1], None):
        raise BadSetting(
            f"{one.name} gives no logits, or none that are finite, for a text of {what} alone: {MISSING}"
        )
    if not holes and _sees_end(one, ids, whole, words):
        hole = ids.clone()
        hole[:, 1] = one.missing
        if not _sees_end(one, hole, whole, words):
            raise BadSetting(
                f"{one.name} does not see the last word of a text where {what} stands before it: {MISSING}"
            )


def _sees_end(one: Tried, ids: Tensor, whole: Tensor, words: Tensor) -> bool:
    """Whether another last word gives other logits."""
    ends = []
    for word in words[:: max(1, len(words) // MORE)]:
        other = ids.clone()
        other[:, -1] = word
        ends.append(one.logits(other, whole))
    return not all(_near(end, ends[0]) for end in ends)


def _pooled(one: Tried, ids: Tensor, whole: Tensor) -> bool:
    if not one.attention:
        return False
    with attention_of(one.module, one.attention) as seen:
        one.logits(ids, whole)
    if not seen:
        raise BadSetting(f"{one.name} does not call its layer {one.attention}: name the one that attends")
    pooled = pools(seen[-1], len(ids), ids.shape[1], one.attention)
    check_sums(as_map(seen[-1], pooled), one.attention)
    return pooled


def _pads(one: Tried, ids: Tensor, plain: Tensor) -> bool:
    """Whether a text gives the same logits beside longer ones."""
    longer = torch.cat([ids, ids.new_full((len(ids), MORE), one.pad)], 1)
    return _same(one, longer, torch.arange(LENGTH + MORE) < LENGTH, plain)


def _holes(one: Tried, ids: Tensor, words: Tensor, plain: Tensor) -> bool:
    """Whether a word in the middle is not seen where the mask is False, and its absence is."""
    if not one.call.mask:
        return False
    there = (torch.arange(LENGTH) != 1).expand_as(ids)
    other = ids.clone()
    other[:, 1] = words[-1]
    try:
        without = one.logits(ids, there)
        return _near(one.logits(other, there), without) and not _near(without, plain)
    except WRONG:
        return False


def _same(one: Tried, ids: Tensor, there: Tensor, plain: Tensor | None) -> bool:
    """Whether it answers, with these logits where some are given."""
    try:
        logits = one.logits(ids, there.expand_as(ids))
    except WRONG:
        return False
    return _near(logits, logits if plain is None else plain)


def _near(a: Tensor, b: Tensor) -> bool:
    scale = torch.cat([a, b]).abs().max()
    return bool(((a - b).abs() <= NEAR * scale).all()) and bool((a.isfinite() & b.isfinite()).all())


@torch.no_grad()
def _generic(module: nn.Module) -> nn.Module:
    """A copy in which no tensor is constant: a head of zeros would hide all that is asked."""
    own, rng = copy.deepcopy(module).eval(), torch.Generator().manual_seed(0)
    for tensor in own.parameters():
        if tensor.is_floating_point() and bool((tensor == tensor.flatten()[0]).all()):
            tensor.add_(0.1 * torch.randn(tensor.shape, generator=rng).to(tensor))
    return own
