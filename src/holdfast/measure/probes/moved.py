"""How far every member's predictions move when its attention is changed, and how sure it was of them."""

from typing import Literal, NamedTuple, get_args

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.func import vmap

from holdfast.core.records import Batch
from holdfast.data.base import Split
from holdfast.measure.bins import confidence_bin
from holdfast.measure.probes.base import MapProbe
from holdfast.measure.reduce import Interval, mean_over_members
from holdfast.models.run import Run
from holdfast.train.evaluate import POSITIONS, batches
from holdfast.train.family import Family

BINS = 10
Outcome = Literal["true positive", "false positive", "true negative", "false negative", "right", "wrong"]


class Moved(NamedTuple):
    """Of every member and example: the effect, the confidence in the predicted class, and that class; and
    each example's true class."""

    effect: Float[Tensor, "M K"]
    confidence: Float[Tensor, "M K"]
    predicted: Int[Tensor, "M K"]
    truth: Int[Tensor, "K"]
    classes: int

    def outcomes(self) -> dict[Outcome, Bool[Tensor, "M K"]]:
        """Which predictions came out how: of two classes the second is the positive one."""
        right = self.predicted == self.truth
        if self.classes != 2:
            return {"right": right, "wrong": ~right}
        positive = self.predicted == 1
        sides = (right & positive, ~right & positive, right & ~positive, ~right & ~positive)
        return dict(zip(get_args(Outcome)[:4], sides, strict=True))


class Binned(NamedTuple):
    """The mean effect on the predictions of one confidence: each member's own, then over the members that
    have such predictions; ``examples`` is how many predictions those are."""

    label: str
    at: float
    effect: Interval
    examples: int


def moved(
    family: Family, probe: MapProbe, split: Split, rows: Int[Tensor, "K"], target: Int[Tensor, "K"]
) -> Moved:
    """The effect of a change of attention on the predictions for these rows; of recommenders that score
    pairs, on those for the candidates at ``target``. A GPU takes all members at once."""
    effect = torch.zeros(len(family), len(rows), dtype=torch.float64)
    confidence, predicted = torch.zeros_like(effect), torch.zeros_like(effect, dtype=torch.long)
    device, model, classes = next(iter(family.parameters.values())).device, family.model, 0
    truth = model.right(target, split.targets[rows])
    watch = at_once if device.type == "cuda" and model.stacks else one_by_one
    for place, batch in batches(split, rows, POSITIONS[device.type], probe.together):
        focused, _ = model.focused(batch.to(device), target[place].to(device))
        probabilities, effects = watch(family, probe, focused)
        classes, (sure, chosen) = probabilities.shape[-1], probabilities.max(-1)
        effect[:, place] = effects.detach().double().cpu()
        confidence[:, place], predicted[:, place] = sure.double().cpu(), chosen.cpu()
    return Moved(effect, confidence, predicted, truth, classes)


Watched = tuple[Float[Tensor, "M B C"], Float[Tensor, "M B"]]


def one_by_one(family: Family, probe: MapProbe, batch: Batch) -> Watched:
    """Every member's probabilities and effects, one member after the other."""
    model = family.model
    each = [_watch(probe, Run(model, family.parameters_of(member)), batch) for member in family.members]
    probabilities, effects = zip(*each, strict=True)
    return torch.stack(probabilities), torch.stack(effects)


def at_once(family: Family, probe: MapProbe, batch: Batch) -> Watched:
    """The same, mapped over the members."""
    model = family.model  # not inside: a fresh one is drawn
    # probes draw by name and row, so that all members get the same numbers, as they do alone
    mapped = vmap(lambda p: _watch(probe, Run(model, p), batch), randomness="same")
    return mapped(family.parameters)


def _watch(probe: MapProbe, run: Run, batch: Batch) -> Watched:
    with torch.no_grad():
        probabilities = run(batch).logits.softmax(-1)
    return probabilities, probe.effect(run, batch)


def by_confidence(found: Moved, select: Bool[Tensor, "M K"] | None = None) -> list[Binned]:
    """The effect by each member's own confidence, in tenths; of ``select`` only, where it is given."""
    which = confidence_bin(found.confidence, BINS)
    chosen = torch.ones_like(which, dtype=torch.bool) if select is None else select
    binned = []
    for number in range(BINS):
        inside = chosen & (which == number)
        have = inside.any(1)
        if bool(have.any()):
            counts = inside.sum(1)[have]
            means = (found.effect * inside).sum(1)[have] / counts
            at = float((found.confidence * inside).sum() / inside.sum())
            binned.append(Binned(f"{number / BINS:.1f}", at, mean_over_members(means), int(counts.sum())))
    return binned
