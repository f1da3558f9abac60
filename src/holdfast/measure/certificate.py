"""How stable and explainable a model's attention is: SEAT's Definition 2, measured for each example."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.func import vmap

from holdfast.core.compare.topk_overlap import TopkOverlap
from holdfast.core.draws import uniform
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.core.settings import at_most
from holdfast.data.base import Split
from holdfast.models.run import Run
from holdfast.repair.adversary import frozen
from holdfast.repair.ball import Ball
from holdfast.repair.seat import cross_entropy, displaced, pooled
from holdfast.train.evaluate import POSITIONS, batches
from holdfast.train.family import Family
from holdfast.train.repair import Tensors

BALL = Ball(steps=20)
TOGETHER = 32  # texts in a batch, where there are so many: each is asked hundreds of times
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


class Certificate(NamedTuple):
    """What a model achieves against its teacher, for each example.

    γ, how far the prediction is from the teacher's; β, the overlap of the two top k; α, how far the worst
    ``w̃ + δ`` that was found in the ball moves the prediction, by ascent and by random search. Each divergence
    is the document's cross-entropy and, as ``…_kl``, without the entropy of its target: what is 0 where
    nothing differs. Both α are lower bounds of the true one; where random search finds more than ascent, the
    ascent is weak.
    """

    gamma: Float[Tensor, "B"]
    gamma_kl: Float[Tensor, "B"]
    beta: Float[Tensor, "B"]
    ascent: Float[Tensor, "B"]
    ascent_kl: Float[Tensor, "B"]
    random: Float[Tensor, "B"]
    random_kl: Float[Tensor, "B"]

    @property
    def alpha_kl(self) -> Float[Tensor, "B"]:
        """The larger of what both found."""
        return torch.maximum(self.ascent_kl, self.random_kl)


@dataclass(frozen=True)
class Definition:
    """What is asked: the ball of δ, how many random points of it are tried, and k.

    >>> Definition(ball=Ball(radius=0.2)).k
    5
    """

    ball: Ball = BALL
    trials: int = 100
    k: int = 5
    renormalised: bool = False

    def __post_init__(self) -> None:
        self.ball.check("certificate")
        for field in ("trials", "k"):
            if getattr(self, field) < 1:
                came = getattr(self, field)
                raise BadSetting(f"certificate: expected {field} of at least 1, but got {came}")
        at_most("certificate: expected trials", self.trials, 100_000)


def certificate(
    run: Run, teacher: Run, batch: Batch, drawn: Float[Tensor, "B 2"], settings: Definition | None = None
) -> Certificate:
    """The certificate of one member, safe under ``vmap``; the text is encoded once. What is ``drawn`` for an
    example says which points are tried for it (:func:`points`)."""
    asked, run = settings or Definition(), frozen(run)
    states = run.encode(run.embed(batch), batch)
    own, vanilla = run.decide(states, batch), teacher(batch)

    mine, theirs = own.logits.double(), vanilla.logits.double()  # the entropy is taken off again

    def harm(delta: Tensor) -> Tensor:
        return cross_entropy(mine, displaced(run, states, batch, delta, asked.renormalised).logits.double())

    drawn = drawn.to(states)
    way = asked.ball.way(harm, asked.ball.inside(drawn, batch.mask), batch.mask)
    ascent = torch.stack([harm(delta) for delta in way]).amax(0)
    tries = (asked.ball.inside(drawn, batch.mask, turn) for turn in range(1, asked.trials + 1))
    chance = torch.stack([harm(delta) for delta in tries]).amax(0)
    overlap = TopkOverlap(asked.k)
    maps = [overlap.prepare(pooled(trace, batch), batch.mask, False) for trace in (own, vanilla)]
    gamma, sure = cross_entropy(theirs, mine), cross_entropy(mine, mine)
    return Certificate(
        gamma,
        gamma - cross_entropy(theirs, theirs),
        overlap.between(maps[0], maps[1], batch.mask),
        ascent,
        ascent - sure,
        chance,
        chance - sure,
    )


def points(batch: Batch) -> Float[Tensor, "B 2"]:
    """Two numbers for each example, by its row, on which the points hang that are tried for it: neighbours
    and padding change none.

    >>> points(Batch(torch.ones(1, 3), torch.ones(1, 3, dtype=torch.bool), rows=torch.tensor([7]))).shape
    torch.Size([1, 2])
    """
    if batch.rows is None:
        raise BadSetting("certificate: expected a batch whose rows are named (rows), but got none")
    return torch.stack([uniform((2,), None, "certificate", row) for row in batch.rows.tolist()])


def certified(
    family: Family,
    teachers: Family,
    split: Split,
    rows: Int[Tensor, "K"],
    settings: Definition | None = None,
) -> Certificate:
    """The certificates (members, rows) of a family, whose members learned from those of ``teachers`` in the
    same place. A GPU takes all members at once, where they can be stacked."""
    own, device = family.model, next(iter(family.parameters.values())).device

    def one(weights: Tensors, given: Tensors) -> Certificate:
        return certificate(Run(own, weights), Run(own, given), batch, drawn, settings)

    values = Certificate(*torch.zeros(len(Certificate._fields), len(family), len(rows), dtype=torch.float64))
    for place, plain in batches(split, rows, POSITIONS[device.type], TOGETHER):
        batch, drawn = plain.to(device), points(plain).to(device)
        if device.type == "cuda" and own.stacks:
            found = vmap(one, randomness="error")(family.parameters, teachers.parameters)
        else:
            pairs = zip(family.members, teachers.members, strict=True)
            each = [one(family.parameters_of(a), teachers.parameters_of(b)) for a, b in pairs]
            found = Certificate(*map(torch.stack, zip(*each, strict=True)))
        for whole, part in zip(values, found, strict=True):
            whole[:, place] = part.detach().double().cpu()
    return values


def quantiles(certificate: Certificate, at: tuple[float, ...] = QUANTILES) -> dict[str, Float[Tensor, "Q"]]:
    """The quantiles of each number over the examples (of all members, where there are several).

    >>> one = Certificate(*torch.arange(3.0).expand(7, 3))
    >>> quantiles(one, (0.5, 1.0))["beta"]
    tensor([1., 2.])
    """
    points, numbers = torch.tensor(at), certificate._asdict() | {"alpha_kl": certificate.alpha_kl}
    return {name: values.flatten().quantile(points.to(values)) for name, values in numbers.items()}


def stable_radius(worst: Float[Tensor, "R B"], radii: Float[Tensor, "R"], limit: float) -> Float[Tensor, "B"]:
    """The R that each example achieves: the largest of the ``radii``, smallest first, up to which α stays
    within the limit; 0 where it does at none.

    >>> stable_radius(torch.tensor([[0.1, 0.3], [0.3, 0.1]]), torch.tensor([0.1, 0.2]), limit=0.2)
    tensor([0.1000, 0.0000])
    """
    within: Bool[Tensor, "R B"] = (worst <= limit).long().cumprod(0).bool()
    return (within * radii[:, None]).amax(0)
