"""What this study measures of one family: how sure it is, and whether attention matters there."""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.compare.ranks import average_ranks
from holdfast.core.draws import uniform
from holdfast.core.records import Member
from holdfast.core.settings import label
from holdfast.measure.bins import by_confidence
from holdfast.measure.pairing import over_members
from holdfast.measure.probes.adversarial_attention import AdversarialAttention
from holdfast.measure.probes.attention_permutation import AttentionPermutation
from holdfast.measure.probes.base import MapProbe
from holdfast.measure.probes.even_attention import EvenAttention
from holdfast.measure.probes.moved import Moved, moved
from holdfast.measure.reduce import Interval, jackknife, mean_over_members, over_pairs
from holdfast.studies.calibration.link import effect_rows, unstable_rows
from holdfast.studies.calibration.plan import SIGMOID
from holdfast.studies.calibration.ratings import with_ratings
from holdfast.study.attending import MakeRow, moved_rows
from holdfast.study.calibration import PAIRS, calibrated_of
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult, family_of

SHUFFLES = 100
FEW = 100  # examples for the adversary
LEAST = 20  # predictions that a correlation wants
DRAWS = 5  # of labels that are as sure as the model says
MIDDLE = (0.3, 0.7)  # of the mean probability
TOP = ("jaccard:fraction=0.1", "jaccard:k=5")
LOG_ODDS = AttentionPermutation(SHUFFLES, "log_odds")
PROBES: tuple[MapProbe, ...] = (AttentionPermutation(SHUFFLES), LOG_ODDS, EvenAttention())


def family_rows(family: FamilyResult) -> Iterator[Measurement]:
    """Every row of a family's own."""
    row = Measurer(family).row
    yield from _by_class(family, row)
    yield from _deviation(family, row)
    if family.job.architecture.attends:
        rows, places = watched(family)
        for probe in PROBES:
            yield from _effects(family, probe, rows, places, row)
        if family.repair == "none" and family.job.architecture != make("models", SIGMOID):
            yield from _effects(family, AdversarialAttention(), rows[:FEW], places[:FEW], row)
        yield from _tops(family, row)
        yield from unstable_rows(family, positives(family), row)


def watched(family: FamilyResult) -> tuple[Int[Tensor, "K"], Int[Tensor, "K"]]:
    """The test rows whose predictions attention is changed for, and which candidate each is about.

    Of a recommender that scores pairs, every true item, and for each user one of the others, drawn at random
    and the same for all seeds and repairs; of a classifier all rows.
    """
    targets = family.targets
    rows = torch.arange(len(targets))
    if family.dataset.task.classes:
        return rows, targets
    others = (uniform((len(targets),), None, "negatives") * (family.probabilities.shape[-1] - 1)).long()
    return rows.repeat(2), torch.cat([targets, others + (others >= targets)])


def _effects(
    family: FamilyResult,
    probe: MapProbe,
    rows: Int[Tensor, "K"],
    places: Int[Tensor, "K"],
    row: MakeRow,
) -> Iterator[Measurement]:
    """How far predictions move, by confidence and outcome, and whether that falls with confidence."""
    found = moved(family_of(family), probe, family.dataset.splits["test"], rows, places)
    found = with_ratings(found, family, rows)
    yield from moved_rows(found, probe, row)
    true = found.effect[:, _positive(found, family)].mean(1)
    yield row(f"{probe.quantity}_true", mean_over_members(true), probe=label(probe))
    for member, value in zip(family.members, true.tolist(), strict=True):
        yield row(f"{probe.quantity}_true", value, probe=label(probe), **of_member(member))
    for outcome, select in found.outcomes().items():
        slope = falls(found, select)
        if slope is not None:
            yield row(f"{probe.quantity}_slope", slope, label=outcome, probe=label(probe))
        share = mean_over_members(select.double().mean(1))
        yield row("outcomes", share, label=outcome, probe=label(probe))
    if isinstance(probe, AttentionPermutation):
        yield from effect_rows(found, family, rows, probe, row)


def _positive(found: Moved, family: FamilyResult) -> Bool[Tensor, "K"]:
    """The cases of the last class; of a recommender the true items, liked or not."""
    if family.dataset.task.classes:
        return found.truth == found.classes - 1
    return found.truth != found.classes - 2


def of_member(member: Member) -> dict[str, object]:
    """How a member's own rows name it."""
    return {"by": "member", "member": str(member.seed), "at": float(member.seed), "n": 1}


def falls(found: Moved, select: Bool[Tensor, "M K"]) -> Interval | None:
    """Spearman's correlation of a member's confidence with the effect on its predictions, over the members
    that have enough such predictions: below 0, attention matters less where the model is surer."""
    values = []
    for effect, sure, some in zip(found.effect, found.confidence, select, strict=True):
        if int(some.sum()) >= LEAST and bool((effect[some] > 0).any()):
            a, b = (average_ranks(one[some]) for one in (effect, sure))
            values.append(torch.corrcoef(torch.stack([a, b]))[0, 1])
    known = [value for value in values if bool(value.isfinite())]
    return mean_over_members(torch.stack(known)) if len(known) > 1 else None


def _by_class(family: FamilyResult, row: MakeRow) -> Iterator[Measurement]:
    """Over-confidence on the cases of each true class, as the document plots it; and what it would be of a
    model that is calibrated: with the same predictions and labels that are drawn as they say."""
    probabilities, targets = calibrated_of(family)
    if probabilities.shape[-1] != 2:
        return
    measured = torch.stack([over(p, targets) for p in probabilities]).cpu()
    chance = torch.stack([_calibrated(p, m) for m, p in enumerate(probabilities)]).cpu()
    for number, name in enumerate(family.dataset.task.classes or PAIRS):
        own, drawn = measured[:, number], chance[:, number]
        yield row("overconfidence_class", mean_over_members(own), label=name)
        yield row("overconfidence_calibrated", mean_over_members(drawn), label=name)
        yield row("overconfidence_beyond", mean_over_members(own - drawn), label=name)


def over(probabilities: Float[Tensor, "N 2"], targets: Int[Tensor, "N"]) -> Float[Tensor, "2"]:
    """Mean confidence less the share of right answers, of the examples of each class; NaN where it has
    none."""
    return _over(*probabilities.double().max(-1), targets)


def _over(confidence: Tensor, guess: Tensor, labels: Int[Tensor, "N"]) -> Float[Tensor, "2"]:
    gap = confidence - (guess == labels).double()
    return labels.bincount(gap, minlength=2) / labels.bincount(minlength=2)


def _calibrated(probabilities: Float[Tensor, "N 2"], member: int) -> Float[Tensor, "2"]:
    positive, (confidence, guess) = probabilities[:, 1], probabilities.double().max(-1)
    draws = (uniform((len(positive),), None, "labels", member, draw) for draw in range(DRAWS))
    labels = ((u.to(positive.device) < positive).long() for u in draws)
    return torch.stack([_over(confidence, guess, some) for some in labels]).nanmean(0)


def positives(family: FamilyResult) -> Float[Tensor, "M N"]:
    """Every member's probability that the true item is taken, or of the second class of a text."""
    if family.dataset.task.classes:
        return family.probabilities[..., 1]
    assert family.logits is not None
    return family.logits.gather(-1, family.targets[None, :, None].expand(len(family.members), -1, 1))[
        ..., 0
    ].sigmoid()


def _deviation(family: FamilyResult, row: MakeRow) -> Iterator[Measurement]:
    """How far the probability moves from seed to seed, by its mean (Figure 3.10), and in the middle against
    the ends."""
    if len(family.dataset.task.classes) > 2 or len(family.members) < 3:
        return
    p = positives(family).double()
    for bin in by_confidence(p.mean(0)):
        value = jackknife(lambda keep, mask=bin.mask: _spread(p[keep][:, mask]), len(p))  # type: ignore[misc]
        about = {"by": "probability", "bin": bin.label, "at": bin.at, "n": int(bin.mask.sum())}
        yield row("prediction_deviation", value, **about)
    middle = (p.mean(0) > MIDDLE[0]) & (p.mean(0) < MIDDLE[1])
    if bool(middle.any()) and not bool(middle.all()):
        gap = jackknife(lambda keep: _spread(p[keep][:, middle]) - _spread(p[keep][:, ~middle]), len(p))
        yield row("deviation_middle", gap)


def _spread(p: Float[Tensor, "M N"]) -> float:
    return float((p - p.mean(0)).abs().mean())


def _tops(family: FamilyResult, row: MakeRow) -> Iterator[Measurement]:
    """How many of the most attended positions two seeds share (Figure 3.11), by the mean probability."""
    attention = family.explanations.get("attention")
    if attention is None or len(family.members) < 3:
        return
    p = positives(family)[:, family.rows].mean(0)
    attention = attention.to(family.device)
    for text in TOP:
        pairs = over_members(attention, make("comparisons", text)).cpu()
        about = {"explainer": "attention", "comparison": text}
        yield row("top_shared", _index(over_pairs(pairs)), **about)
        for bin in by_confidence(p):
            place = {"by": "probability", "bin": bin.label, "at": bin.at}
            yield row("top_shared", _index(over_pairs(pairs, bin.mask)), **(about | place))


def _index(distance: Interval) -> Interval:
    """The index, of a distance: 1 less."""
    low, high = (None if end is None else 1 - end for end in (distance.high, distance.low))
    return Interval(1 - distance.value, low, high, distance.n)
