"""How far attention and predictions move when the embedded text moves a little: at random, and at worst."""

from collections.abc import Callable
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


class Watched:
    """One member and some texts, as they are, beside which the same texts moved can be held."""

    def __init__(self, run: Run, batch: Batch) -> None:
        self.run, self.batch = frozen(run), batch
        self.embedded = self.run.embed(batch).detach()
        self.exists = batch.mask[..., None].expand_as(self.embedded).flatten(1)
        clean = self.run(batch, Edit(embedded=self.embedded))
        self.own, self.sure = _weights(clean, batch), clean.logits.double().softmax(-1)
        self.guess = clean.logits.argmax(-1)
        self.everywhere = torch.ones_like(self.sure, dtype=torch.bool)

    def moved(self, delta: Tensor) -> Trace:
        """A pass over the texts moved so."""
        return self.run(self.batch, Edit(embedded=self.embedded + delta.view_as(self.embedded)))

    def attention(self, trace: Trace) -> Float[Tensor, "B"]:
        """How far the attention moved."""
        return ALIKE.between(self.own, _weights(trace, self.batch), self.batch.mask)

    def loss(self, trace: Trace) -> Float[Tensor, "B"]:
        """``−log p`` of the predicted class."""
        return -trace.logits.log_softmax(-1).gather(-1, self.guess[:, None])[:, 0]

    def apart(self, trace: Trace) -> Noised:
        """How far all of it moved."""
        prediction = Tvd().between(self.sure, trace.logits.double().softmax(-1), self.everywhere)
        return Noised(self.attention(trace), prediction, (trace.logits.argmax(-1) != self.guess).double())


def noised(run: Run, batch: Batch, drawn: Float[Tensor, "B 2"], noise: EmbeddingNoise) -> Noised:
    """What noise does to one member, safe under ``vmap``. What is ``drawn`` for an example says where its
    noise lies (:func:`holdfast.measure.certificate.points`)."""
    watched = Watched(run, batch)
    if noise.way == "random":
        return _random([watched], drawn, noise)[0]
    start = noise.ball.inside(drawn.to(watched.embedded), watched.exists)

    def along(harm: Callable[[Trace], Tensor]) -> Noised:
        def look(delta: Tensor) -> tuple[Tensor, Noised]:
            trace = watched.moved(delta)
            return harm(trace), watched.apart(trace)

        way = noise.ball.seen(look, start, watched.exists)
        return Noised(*(torch.stack(column).amax(0) for column in zip(*way, strict=True)))

    far, wrong = along(watched.attention), along(watched.loss)
    return Noised(far.attention, wrong.prediction, wrong.flipped)


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
            weights = [family.parameters_of(member) for member in family.members]
            if noise.way == "random":
                each = _random([Watched(Run(model, own), batch) for own in weights], drawn, noise)
            else:
                each = [one(own) for own in weights]
            found = Noised(*map(torch.stack, zip(*each, strict=True)))
        for whole, part in zip(values, found, strict=True):
            whole[:, place] = part.detach().double().cpu()
    return values


def _random(every: list[Watched], drawn: Float[Tensor, "B 2"], noise: EmbeddingNoise) -> list[Noised]:
    """The mean over the draws, of members that read the same texts; each point is made once for all."""
    first = every[0]
    totals: list[list[Tensor]] = [[] for _ in every]
    for turn in range(noise.draws):
        delta = noise.ball.inside(drawn.to(first.embedded), first.exists, turn)
        for place, watched in enumerate(every):
            found = watched.apart(watched.moved(delta))
            before = totals[place]
            totals[place] = [a + b for a, b in zip(before, found, strict=True)] if before else list(found)
    return [Noised(*(total / noise.draws for total in own)) for own in totals]


def _weights(trace: Trace, batch: Batch) -> Float[Tensor, "B T"]:
    """Attention whose logarithm has a gradient everywhere; positions that do not exist are alike."""
    return torch.where(batch.mask, pooled(trace, batch).double(), 1.0).clamp(min=TINY)
