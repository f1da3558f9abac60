"""Is unreliable attention linked with miscalibration, on texts as well (the question of Jain §6.2.1)?

"The perturbations especially have barely any effect on the miscalibrated cases" (Jain §3.4.2) is asked in two
ways. ``…_gap`` takes the sentence as the document's figure has it, by tenths of confidence; as both gap and
effect follow confidence there, a model can have it without any link, and even a calibrated one, as tenths
with few predictions have a gap by chance: ``…_gap_beyond`` is less what the same predictions show with
answers that are right as often as they say. ``…_wrong`` holds wrong predictions
against right ones that are as sure of the same class, so that confidence explains nothing of it. Attention
that is trained to be even has no effect to compare; with weights frozen as they start, what is seen comes
from the inputs (their length, say) and not from what attention learned.

The same is asked of how far attention differs between seeds (``unstable_…``).
"""

from collections.abc import Callable, Iterator

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.draws import uniform
from holdfast.core.settings import label
from holdfast.measure.linked import (
    examples_left,
    gap_correlation,
    mean_over_both,
    over_both,
    wrong_beside_right,
)
from holdfast.measure.pairing import Pairs, over_members
from holdfast.measure.probes.base import MapProbe
from holdfast.measure.probes.moved import Moved
from holdfast.measure.reduce import Interval, mean_over_members
from holdfast.study.attending import MakeRow
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult

DRAWS = 5  # of labels that are as often right as the model says
ROUNDING = 1e-6  # the mean effect of shuffling weights that are all alike
DISTANCE = "tvd"  # the share of attention that lies elsewhere in another seed
BESIDE = {"false positive": "true positive", "false negative": "true negative", "wrong": "right"}
TAKEN = "taken"
OfMember = Callable[[int, Bool[Tensor, "K"]], float]


def effect_rows(
    found: Moved, family: FamilyResult, rows: Int[Tensor, "K"], probe: MapProbe, row: MakeRow
) -> Iterator[Measurement]:
    """Whether a change of attention moves miscalibrated predictions less: by tenths, of all cases (and of a
    recommender's true items, as the document has it), then wrong beside right."""
    if float(found.effect.mean()) < ROUNDING:
        return
    about = {"probe": label(probe)}
    right, weight = found.predicted == found.truth, stands_for(family, found)
    cases = {"": torch.ones_like(right)}
    if not family.dataset.task.classes:
        cases[TAKEN] = (found.truth != found.classes - 2).expand_as(right)
    for name, select in cases.items():
        by_tenth = _by_tenth(found, right, weight, select)
        yield from _known(row, f"{probe.quantity}_gap", rows, len(right), by_tenth, label=name, **about)
    drawn = [_by_tenth(found, _drawn(found, draw), weight, cases[""]) for draw in range(DRAWS)]
    everything = torch.ones(len(rows), dtype=torch.bool)
    calibrated = torch.tensor([[one(m, everything) for one in drawn] for m in range(len(right))]).nanmean(1)
    if bool(calibrated.isfinite().all()):
        yield row(f"{probe.quantity}_gap_calibrated", mean_over_members(calibrated), **about)
        by_tenth, chance = _by_tenth(found, right, weight, cases[""]), calibrated.tolist()
        yield from _known(
            row,
            f"{probe.quantity}_gap_beyond",
            rows,
            len(right),
            lambda m, keep: by_tenth(m, keep) - chance[m],
            **about,
        )
    for outcome, select in found.outcomes().items():
        if outcome in BESIDE:
            beside = _beside(found, right, select | right)
            yield from _known(
                row, f"{probe.quantity}_wrong", rows, len(right), beside, label=outcome, **about
            )


def stands_for(family: FamilyResult, found: Moved) -> Float[Tensor, "K"]:
    """How many test predictions each watched one stands for: of a recommender, one of a user's candidates
    that were not taken was drawn for all of them."""
    ones = torch.ones(len(found.truth), dtype=torch.float64)
    if family.dataset.task.classes:
        return ones
    others = family.probabilities.shape[-1] - 1
    return torch.where(found.truth == found.classes - 2, others * ones, ones)


def _by_tenth(found: Moved, right: Tensor, weight: Tensor, select: Bool[Tensor, "M K"]) -> OfMember:
    def of_member(m: int, keep: Bool[Tensor, "K"]) -> float:
        some = keep & select[m]
        effect, confidence = found.effect[m][some], found.confidence[m][some]
        return gap_correlation(effect, confidence, right[m][some], weight[some])

    return of_member


def _beside(found: Moved, right: Tensor, select: Bool[Tensor, "M K"]) -> OfMember:
    def of_member(m: int, keep: Bool[Tensor, "K"]) -> float:
        some = keep & select[m]
        return wrong_beside_right(
            *(one[m][some] for one in (found.effect, found.confidence, found.predicted, right))
        )

    return of_member


def _drawn(found: Moved, draw: int) -> Bool[Tensor, "M K"]:
    """Right as often as the model says."""
    lots = [uniform((found.confidence.shape[1],), None, "right", m, draw) for m in range(len(found.effect))]
    return torch.stack(lots) < found.confidence


def _known(
    row: MakeRow, quantity: str, rows: Int[Tensor, "K"], members: int, value: OfMember, **about: object
) -> Iterator[Measurement]:
    """A row with the error of members and examples, where there is enough to measure it."""
    table = torch.tensor([[value(m, keep) for m in range(members)] for keep in examples_left(rows)])
    interval = mean_over_both(table)
    if interval is not None:
        yield row(quantity, interval, **about)


def unstable_rows(
    family: FamilyResult, positive: Float[Tensor, "M N"], row: MakeRow
) -> Iterator[Measurement]:
    """Whether attention differs more between seeds where their mean prediction is miscalibrated. Of a
    recommender that is asked of true items, all of which are wrong below 0.5: by tenths only."""
    attention = family.explanations.get("attention")
    if attention is None or len(family.members) < 3:
        return
    pairs = over_members(attention.to(family.device), make("comparisons", DISTANCE)).cpu()
    if family.dataset.task.classes:
        probabilities, truth, cases = family.probabilities, family.targets, ""
    else:
        probabilities = torch.stack([1 - positive, positive], -1)
        truth, cases = torch.ones_like(family.targets), TAKEN
    shown = probabilities[:, family.rows].double(), truth[family.rows]
    about = {"explainer": "attention", "comparison": DISTANCE, "label": cases}
    for name, matched in {"gap": False, "wrong": True}.items():
        if matched and cases:
            continue
        interval = _of_mean(pairs, *shown, family.rows, matched)
        if interval is not None:
            yield row(f"unstable_{name}", interval, **about)


def _of_mean(
    pairs: Pairs, probabilities: Float[Tensor, "M K C"], truth: Tensor, rows: Tensor, matched: bool
) -> Interval | None:
    """The link of the mean prediction with the mean distance, and its errors."""

    def value(members: list[int], keep: Bool[Tensor, "K"]) -> float:
        distance = pairs.keep(members).values.double().mean(0)[keep]
        confidence, guess = probabilities[members].mean(0)[keep].max(-1)
        right = guess == truth[keep]
        if matched:
            return wrong_beside_right(distance, confidence, guess, right)
        return gap_correlation(distance, confidence, right)

    every, keeps = list(range(pairs.n)), examples_left(rows)
    whole = value(every, keeps[0])
    members = torch.tensor([value([i for i in every if i != out], keeps[0]) for out in every])
    groups = torch.tensor([value(every, keep) for keep in keeps[1:]])
    known = torch.cat([members, groups]).isfinite().all() and whole == whole
    return over_both(whole, members, groups) if bool(known) else None
