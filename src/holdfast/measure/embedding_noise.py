"""How far attention and predictions move when the embedded text moves a little: at random, and at worst."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.func import vmap

from holdfast.core.compare.jensen_shannon import JensenShannon
from holdfast.core.compare.tvd import Tvd
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit, Trace
from holdfast.core.settings import at_most
from holdfast.data.base import Split
from holdfast.measure.certificate import points
from holdfast.models.run import Run
from holdfast.repair.adversary import frozen
from holdfast.repair.ball import Ball, Norm
from holdfast.repair.seat import pooled
from holdfast.train.evaluate import POSITIONS, batches
from holdfast.train.family import Family
from holdfast.train.repair import Tensors

Way = Literal["random", "worst"]
ALIKE = JensenShannon()
TINY = 1e-30


class Noised(NamedTuple):
    """For each example: how far the attention moved (Jensen–Shannon, nats), how far the prediction did (total
    variation), and how often another class is predicted."""

    attention: Float[Tensor, "*M B"]
    prediction: Float[Tensor, "*M B"]
    flipped: Float[Tensor, "*M B"]


@dataclass(frozen=True)
class EmbeddingNoise:
    """Noise on the word vectors of a text: each number within ``radius`` (linf), or all together (l2).

    ``random`` is the mean over ``draws`` uniform points of the ball. ``worst`` are the farthest points on two
    ways of projected ascent from one of them, in ``steps``: of ``JS(w, w + …)`` for the attention, and of
    ``−log p`` of the predicted class for the prediction. Both are lower bounds of the true worst.

    >>> EmbeddingNoise(radius=0.01, way="worst").ball
    Ball(radius=0.01, norm='linf', steps=10, size=None)
    """

    radius: float = 1e-3
    norm: Norm = "linf"
    way: Way = "random"
    draws: int = 5
    steps: int = 10

    def __post_init__(self) -> None:
        self.ball.check("embedding noise")
        if self.way not in get_args(Way):
            raise BadSetting(f"embedding noise: expected way to be random or worst, but got {self.way}")
        if self.draws < 1:
            raise BadSetting(f"embedding noise: expected draws of at least 1, but got {self.draws}")
        at_most("embedding noise: expected draws", self.draws, 10_000)

    @property
    def ball(self) -> Ball:
        """Where the noise may be."""
        return Ball(self.radius, self.norm, self.steps)


def noised(run: Run, batch: Batch, drawn: Float[Tensor, "B 2"], noise: EmbeddingNoise) -> Noised:
    """What noise does to one member, safe under ``vmap``. What is ``drawn`` for an example says where its
    noise lies (:func:`holdfast.measure.certificate.points`)."""
    run = frozen(run)
    embedded = run.embed(batch).detach()
    exists = batch.mask[..., None].expand_as(embedded).flatten(1)
    clean = run(batch, Edit(embedded=embedded))
    own, sure = _weights(clean, batch), clean.logits.double().softmax(-1)
    guess, everywhere = clean.logits.argmax(-1), torch.ones_like(sure, dtype=torch.bool)

    def moved(delta: Tensor) -> Trace:
        return run(batch, Edit(embedded=embedded + delta.view_as(embedded)))

    def attention(trace: Trace) -> Float[Tensor, "B"]:
        return ALIKE.between(own, _weights(trace, batch), batch.mask)

    def loss(delta: Tensor) -> Float[Tensor, "B"]:
        return -moved(delta).logits.log_softmax(-1).gather(-1, guess[:, None])[:, 0]

    def all_of(traces: Iterator[Trace]) -> tuple[Tensor, Tensor, Tensor]:
        every = [
            (
                attention(trace),
                Tvd().between(sure, trace.logits.double().softmax(-1), everywhere),
                (trace.logits.argmax(-1) != guess).double(),
            )
            for trace in traces
        ]
        return tuple(torch.stack(column) for column in zip(*every, strict=True))  # type: ignore[return-value]

    drawn = drawn.to(embedded)
    if noise.way == "random":
        starts = (noise.ball.inside(drawn, exists, turn) for turn in range(noise.draws))
        return Noised(*(values.mean(0) for values in all_of(map(moved, starts))))
    start = noise.ball.inside(drawn, exists)
    far = all_of(moved(d) for d in noise.ball.way(lambda d: attention(moved(d)), start, exists))
    wrong = all_of(moved(d) for d in noise.ball.way(loss, start, exists))
    return Noised(far[0].amax(0), wrong[1].amax(0), wrong[2].amax(0))


def noised_family(family: Family, split: Split, rows: Int[Tensor, "K"], noise: EmbeddingNoise) -> Noised:
    """The same of every member and row; a GPU takes all members at once."""
    model, device = family.model, next(iter(family.parameters.values())).device

    def one(weights: Tensors) -> Noised:
        return noised(Run(model, weights), batch, drawn, noise)

    values = Noised(*torch.zeros(len(Noised._fields), len(family), len(rows), dtype=torch.float64))
    for place, plain in batches(split, rows, POSITIONS[device.type]):
        batch, drawn = plain.to(device), points(plain).to(device)
        if device.type == "cuda" and model.stacks:
            found = vmap(one, randomness="error")(family.parameters)
        else:
            each = [one(family.parameters_of(member)) for member in family.members]
            found = Noised(*map(torch.stack, zip(*each, strict=True)))
        for whole, part in zip(values, found, strict=True):
            whole[:, place] = part.detach().double().cpu()
    return values


def _weights(trace: Trace, batch: Batch) -> Float[Tensor, "B T"]:
    """Attention whose logarithm has a gradient everywhere; positions that do not exist are alike."""
    return torch.where(batch.mask, pooled(trace, batch).double(), 1.0).clamp(min=TINY)
