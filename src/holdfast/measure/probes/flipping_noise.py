"""Flipping noise: how little noise on what scores point at is enough to change the prediction."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.compare.ranks import ranks
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.core.settings import at_most
from holdfast.explain.slope import ascend, slope
from holdfast.measure.probes.base import Probe
from holdfast.measure.probes.deletion import Deletion
from holdfast.measure.probes.removal import Fill, patches
from holdfast.measure.probes.shares import SHARES, Shares, check_shares, counts_of
from holdfast.models.run import Run

# The first radius, times what a linear model needs: halved however often it is never 1, where rounding rules
FIRST = 1.5
WIDER = 4.0  # times the radius that did not flip


class Question(NamedTuple):
    """Examples, where their embedded input may move, and the class that each is predicted as."""

    run: Run
    batch: Batch
    embedded: Tensor
    inside: Bool[Tensor, "B T ..."]
    guess: Int[Tensor, "B"]


@dataclass(frozen=True)
class FlippingNoise(Probe):
    """Noise is added to the embeddings of a share of the parts, the highest scores first, and little of it
    should flip the prediction (Yin et al. 2022, who call it sensitivity).

    The mean over ``shares``, in percent, rounded up, of the smallest L2 norm that does; lower is better:
    ``min ‖δ‖₂, δ = 0 outside the share, so that argmax f(e + δ) ≠ argmax f(e)``: bisection over the radius in
    ``rounds``, each with ``steps`` projected gradient steps on the margin between the predicted class and the
    next, so it is an upper bound of the smallest. The first radius is 1.5 times what a linear model would
    need; until one flips, each is four times the last, and ``most`` is tried too. What none flips counts as
    ``most``. Parts are words or items, of images patches of side ``patch``, whose pixels are moved.

    >>> from holdfast.core.settings import label
    >>> label(FlippingNoise(shares=(10,), most=2.0))
    'flipping_noise:shares=10,most=2.0'
    """

    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    shares: Shares = SHARES
    most: float = 10.0
    rounds: int = 8
    steps: int = 3
    patch: int | None = None

    def __post_init__(self) -> None:
        check_shares("flipping_noise", self.shares)
        for field in ("most", "steps", "patch"):
            came = getattr(self, field)
            if came is not None and not (came > 0 and math.isfinite(came)):
                raise BadSetting(f"flipping_noise: expected {field} to be above 0, but got {came}")
        if self.rounds < 2:  # the second tries the largest radius
            raise BadSetting(f"flipping_noise: expected rounds to be at least 2, but got {self.rounds}")
        for field in ("rounds", "steps"):
            at_most(f"flipping_noise: expected {field}", getattr(self, field), 10_000)

    @property
    def measured(self) -> str:
        """The smallest noise."""
        return "smallest noise that flips the prediction (L2)"

    def parts(self, batch: Batch, scores: Float[Tensor, "*M B P"]) -> Float[Tensor, "*M B K"]:
        """The sum of the scores of each patch, or the scores of words and items."""
        fill: Fill = "background" if batch.pixels else "hole"
        return Deletion(patch=self.patch, fill=fill).parts(batch, scores)

    def curve(
        self, run: Run, batch: Batch, parts: Float[Tensor, "B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "B S"]:
        """0, then the smallest noise on each share; the target does not matter."""
        shares = self._tops(parts)
        row = torch.arange(len(batch), device=parts.device).repeat_interleave(len(self.shares))
        radius = self._radius(run, batch.take(row), shares.flatten(0, 1))
        return _with_nothing(torch.unflatten(radius, 0, (len(batch), len(self.shares))))

    def orders(
        self, run: Run, batch: Batch, parts: Float[Tensor, "O B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "O B S"]:
        """The same curves; an example's share that is the same in several orders is one question."""
        tops = self._tops(parts)
        row = torch.arange(len(batch), device=parts.device)[:, None].expand(tops.shape[:-1])
        rows = torch.cat((row[..., None], tops.to(row)), -1).flatten(0, -2)
        once, which = torch.unique(rows, dim=0, return_inverse=True)
        radius = self._radius(run, batch.take(once[:, 0]), once[:, 1:] > 0)
        return _with_nothing(radius[which].view(tops.shape[:-1]))

    def drop(self, curve: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"]:
        """The smallest noise, mean over the shares."""
        return curve[..., 1:].mean(-1)

    def unflipped(self, curve: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"]:
        """The share of the steps that no noise up to ``most`` flips."""
        return (curve[..., 1:] >= self.most).to(curve.dtype).mean(-1)

    def _tops(self, parts: Float[Tensor, "*I K"]) -> Bool[Tensor, "*I S K"]:
        rank, exist = ranks(parts), parts > -torch.inf
        return torch.stack([exist & (rank < count) for count in counts_of(parts, self.shares)], -2)

    def _radius(self, run: Run, batch: Batch, top: Bool[Tensor, "B K"]) -> Float[Tensor, "B"]:
        """The smallest radius of noise on these parts that was found to flip; ``most`` where none was."""
        embedded = run.embed(batch).detach()
        if batch.pixels:
            top = top[:, patches(batch, self.patch)].reshape(batch.inputs.shape)
        inside = top.reshape(*top.shape, *[1] * (embedded.dim() - top.dim()))
        guess = run(batch, Edit(embedded=embedded)).logits.argmax(-1)
        asked = Question(run, batch, embedded, inside, guess)
        noise = torch.zeros_like(embedded)
        radius = (FIRST * _linear(asked)).clamp(max=self.most)
        low, high = torch.zeros_like(radius), torch.full_like(radius, self.most)
        found = torch.zeros_like(radius, dtype=torch.bool)
        for left in reversed(range(self.rounds)):
            noise, flips = self._attack(asked, noise, radius)
            low, high = torch.where(flips, low, radius), torch.where(flips, radius, high)
            found = found | flips
            wider = high if left == 1 else (radius * WIDER).clamp(max=self.most)
            radius = torch.where(found, (low + high) / 2, wider)
        return high

    def _attack(
        self, asked: Question, noise: Tensor, radius: Float[Tensor, "B"]
    ) -> tuple[Tensor, Bool[Tensor, "B"]]:
        """Projected gradient steps as long as the radius, from the noise of the round before."""
        noise = _within(noise, radius)
        for _ in range(self.steps):
            falls = slope(asked.run, asked.batch, asked.guess, asked.embedded + noise, margin)
            noise = _within(noise - _scaled(torch.where(asked.inside, falls, 0.0), radius), radius)
        logits = asked.run(asked.batch, Edit(embedded=asked.embedded + noise)).logits
        return noise, margin(asked.run, logits, asked.guess) < 0


def _linear(asked: Question) -> Float[Tensor, "B"]:
    """The smallest noise if the margin were linear: ``margin / ‖its gradient‖``."""
    value, falls = ascend(asked.run, asked.batch, asked.guess, asked.embedded, margin, None)
    size = _length(torch.where(asked.inside, falls, 0.0))
    return torch.where(size > 0, value / size, torch.inf)


def margin(run: Run, logits: Float[Tensor, "B C"], guess: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
    """How far the logit of a class lies above that of the best other one.

    >>> margin(None, torch.tensor([[1.0, 3.0, 2.5]]), torch.tensor([1])).tolist()
    [0.5]
    """
    own = torch.arange(logits.shape[-1], device=logits.device) == guess[:, None]
    others = torch.where(own, -torch.inf, logits).amax(-1)
    return logits.gather(-1, guess[:, None])[:, 0] - others


def _scaled(noise: Tensor, radius: Float[Tensor, "B"]) -> Tensor:
    """Noise of this length; where there is none to scale, none."""
    size, tiny = _length(noise), torch.finfo(noise.dtype).tiny
    return noise * _like(torch.where(size > tiny, radius / size.clamp(min=tiny), 0.0), noise)


def _within(noise: Tensor, radius: Float[Tensor, "B"]) -> Tensor:
    """The nearest noise in the ball."""
    size = _length(noise).clamp(min=torch.finfo(noise.dtype).tiny)
    return noise * _like((radius / size).clamp(max=1.0), noise)


def _length(noise: Tensor) -> Float[Tensor, "B"]:
    return noise.flatten(1).square().sum(-1).sqrt()


def _like(values: Float[Tensor, "B"], noise: Tensor) -> Tensor:
    return values.reshape(-1, *[1] * (noise.dim() - 1))


def _with_nothing(radius: Float[Tensor, "*I S"]) -> Float[Tensor, "*I S"]:
    return torch.cat((torch.zeros_like(radius[..., :1]), radius), -1)
