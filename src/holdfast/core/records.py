"""The records that travel between layers: frozen, and pytrees, so that ``vmap`` maps them as they are.

A field that is ``None`` is left out of the tree; a record mapped over members therefore keeps its shape.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.utils import _pytree as pytree

from holdfast.core.rules import Rules

Record = TypeVar("Record")


def register(cls: type[Record]) -> type[Record]:
    """Register a dataclass as a pytree whose leaves are the fields that are set.

    >>> from torch.utils import _pytree
    >>> batch = Batch(torch.ones(2, 3, dtype=torch.long), torch.ones(2, 3, dtype=torch.bool))
    >>> len(_pytree.tree_leaves(batch))
    2
    """

    def flatten(record: Record) -> tuple[list[Any], tuple[str, ...]]:
        pairs = [(f.name, getattr(record, f.name)) for f in fields(record)]  # type: ignore[arg-type]
        kept = [(name, value) for name, value in pairs if value is not None]
        return [value for _, value in kept], tuple(name for name, _ in kept)

    def unflatten(values: Any, names: tuple[str, ...]) -> Record:
        return cls(**dict(zip(names, values, strict=True)))

    pytree.register_pytree_node(cls, flatten, unflatten)
    return cls


@register
@dataclass(frozen=True)
class Batch:
    """Inputs for one member: ``B`` examples of ``T`` positions.

    ``mask`` False means that the position does not exist for *any* layer: a hole, not a shift. Padding,
    deletion, coalitions and leave-one-out are this one operation. ``weight`` 0 marks a row that only fills
    the batch. ``rows`` are the examples' indices in their split.

    In a recommender's batch the inputs are the items of a history, which ends in the last position (padding
    is on the left); ``candidates`` are the items to return logits for (all items if not given), ``following``
    are ``S`` items to predict, in a window the one that came next after each position (S = T),
    ``negatives`` for each of them items that the user did not touch in training. ``user`` is the number of
    the user. Where a model scores one candidate, ``query`` is that candidate, and ``labels`` are the classes
    of the items in ``following`` where users rated them: 0 disliked, 2 liked (1: not taken).

    In a batch of cloze questions ``options`` says which classes can be the answer: the entities that the
    passage names. They are a fact of the question: deleting words does not change them.

    ``shift`` is noise on the embedded input, added wherever a model embeds the inputs.
    """

    inputs: Tensor
    mask: Bool[Tensor, "*M B T"]
    targets: Int[Tensor, "*M B"] | None = None
    weight: Float[Tensor, "*M B"] | None = None
    rows: Int[Tensor, "*M B"] | None = None
    query: Int[Tensor, "*M B Q"] | None = None
    query_mask: Bool[Tensor, "*M B Q"] | None = None
    candidates: Int[Tensor, "*M B C"] | None = None
    following: Int[Tensor, "*M B S"] | None = None
    negatives: Int[Tensor, "*M B S K"] | None = None
    labels: Int[Tensor, "*M B S"] | None = None
    user: Int[Tensor, "*M B"] | None = None
    options: Bool[Tensor, "*M B C"] | None = None
    shift: Float[Tensor, "*M B T D"] | None = None

    def map(self, function: Callable[[Tensor], Tensor]) -> Self:
        """Apply ``function`` to every tensor that is set."""
        tensors = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(self, **{k: function(v) for k, v in tensors.items() if v is not None})

    def take(self, index: Tensor) -> Self:
        """The examples at ``index``; an index of shape (M, B) gives every tensor a leading member axis."""
        return self.map(lambda tensor: tensor[index])

    def moved(self, place: Int[Tensor, "B T"]) -> Self:
        """The same examples, whose positions come from ``place``."""
        shift = None if self.shift is None else self.shift.take_along_dim(place[..., None], 1)
        return replace(
            self, inputs=self.inputs.gather(1, place), mask=self.mask.gather(1, place), shift=shift
        )

    def to(self, device: torch.device | str) -> Self:
        """The same batch on another device."""
        return self.map(lambda tensor: tensor.to(device))

    @property
    def pixels(self) -> tuple[int, ...]:
        """The shape of one position: height and width of a strip, nothing of a word or an item.

        >>> Batch(torch.zeros(2, 5, 8, 3), torch.ones(2, 5, dtype=torch.bool)).pixels
        (8, 3)
        """
        return tuple(self.inputs.shape[self.mask.dim() :])

    def __len__(self) -> int:
        return self.mask.shape[-2]


@dataclass(frozen=True)
class Site:
    """Where one attention map sits: its layer, its kind, and which of its entries may carry weight."""

    layer: int
    kind: Literal["pool", "self"]
    allowed: Bool[Tensor, "..."]


@dataclass(frozen=True)
class Edit:
    """What to change in a forward pass; by default nothing.

    ``embedded`` replaces the embedded input; ``attention`` maps the weights of each site (after the softmax)
    to others and must respect ``site.allowed``; ``rules`` rewrites the layers so that gradients carry
    relevance; ``noise`` holds the uniform draws that dropout reads (a name that is absent means no dropout).
    """

    embedded: Tensor | None = None
    attention: Callable[[Tensor, Site], Tensor] | None = None
    rules: Rules | None = None
    noise: dict[str, Tensor] = field(default_factory=dict)


PLAIN = Edit()


@register
@dataclass(frozen=True)
class Trace:
    """What a forward pass computed: logits over the classes, every attention map, embedded input, states.

    A map is (B, T) where states are pooled, (B, heads, T, T) where positions attend to each other; a model
    may put positions of its own after those of the input. ``read`` is the weight with which the output reads
    each position of the last map of the second kind.
    """

    logits: Float[Tensor, "*M B C"]
    attention: tuple[Tensor, ...]
    embedded: Tensor
    states: Tensor
    read: Float[Tensor, "*M B T"] | None = None


@dataclass(frozen=True, order=True)
class Member:
    """One member of a family: a seed, and a fold where members are folds."""

    seed: int
    fold: int | None = None

    def __str__(self) -> str:
        return f"seed {self.seed}" if self.fold is None else f"seed {self.seed}, fold {self.fold}"


@dataclass(frozen=True)
class Explanation:
    """Scores of every member for the same examples and the same targets.

    ``scores`` is (members, examples, positions); masked positions are 0. ``method`` is the explainer's label,
    ``signed`` says whether a negative score means "speaks against". Some explainers share a total out among
    the positions: the evidence for the target, or F(x) − F(0) for integrated gradients. ``lost`` is the part
    of it that no position received: Σ scores + lost = evidence.
    """

    scores: Float[Tensor, "M B T"]
    mask: Bool[Tensor, "B T"]
    target: Int[Tensor, "B"]
    members: tuple[Member, ...]
    method: str
    signed: bool
    lost: Float[Tensor, "M B"] | None = None

    def __post_init__(self) -> None:
        expected = (len(self.members), *self.mask.shape)
        if tuple(self.scores.shape) != expected:
            raise ValueError(f"expected scores of shape {expected}, but got {tuple(self.scores.shape)}")
        if self.lost is not None and tuple(self.lost.shape) != expected[:2]:
            raise ValueError(f"expected lost of shape {expected[:2]}, but got {tuple(self.lost.shape)}")

    @property
    def evidence(self) -> Float[Tensor, "M B"] | None:
        """The total that was shared out, Σ scores + lost; None where the explainer shares nothing out."""
        return None if self.lost is None else self.lost + self.scores.to(self.lost).sum(-1)

    def to(self, device: torch.device | str) -> "Explanation":
        """The same explanation on another device."""
        tensors = (self.scores.to(device), self.mask.to(device), self.target.to(device))
        lost = None if self.lost is None else self.lost.to(device)
        return Explanation(*tensors, self.members, self.method, self.signed, lost)
