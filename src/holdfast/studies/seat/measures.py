"""What this study measures of a family beyond every audit, by seed and by group of texts, so that claims and
strengths follow from the rows alone."""

import math
from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.compare.jensen_shannon import JensenShannon
from holdfast.core.compare.tvd import Tvd
from holdfast.measure.embedding_noise import EmbeddingNoise, Noised, noised_family
from holdfast.measure.hold import leave_out_holds
from holdfast.measure.pairing import over_members, over_perturbations
from holdfast.measure.quality import macro_f1
from holdfast.measure.reduce import mean_over_members, over_instances
from holdfast.measure.scale import scale_of
from holdfast.measure.survival import restricted
from holdfast.studies.seat.plan import NOISES
from holdfast.studies.seat.seed_rows import SeedRows
from holdfast.studies.seat.strengths import VALIDATION
from holdfast.study.evidence import impostors_of
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.numbers import MEMBER, PAIR, WITHOUT, text_groups
from holdfast.study.probing import dropped
from holdfast.study.result import FamilyResult, family_of
from holdfast.train.evaluate import logits
from holdfast.train.family import template

ATTENTION, F1 = "attention", "macro_f1"
MOVED, CHANGED, FLIPPED, UNFLIPPED = "attention_moved", "prediction_moved", "flipped", "_unflipped"
CONSTANT, SAME = "constant", 0.99  # of the predictions are of one class
FAITHFUL = ("comprehensiveness", "sufficiency", "flipping_noise:shares=10")
RANGES = {MOVED: (0.0, math.log(2)), CHANGED: (0.0, 1.0), FLIPPED: (0.0, 1.0)}
FEW = 100  # texts for the last of them, which takes many passes


def trained_rows(family: FamilyResult) -> Iterator[Measurement]:
    """What a strength is chosen by, and whether a model says the same of every text."""
    row, split = Measurer(family).row, family.dataset.splits["validation"]
    for member in family.members:
        logits = family.job.tensors(member)["logits/validation"].double()
        value = float(macro_f1(logits, split.targets))
        yield row(VALIDATION, value, by=MEMBER, member=str(member.seed), n=len(split))
    yield row(CONSTANT, float(constant(family.probabilities).double().mean()), n=len(family.members))


def constant(probabilities: Float[Tensor, "M N C"]) -> Bool[Tensor, "M"]:
    """Which members predict one class for nearly every text.

    >>> constant(torch.tensor([[[0.9, 0.1], [0.8, 0.2]], [[0.9, 0.1], [0.2, 0.8]]])).tolist()
    [True, False]
    """
    guess = probabilities.argmax(-1)[..., None] == torch.arange(probabilities.shape[-1])
    return guess.double().mean(1).amax(-1) >= SAME


def family_rows(family: FamilyResult) -> Iterator[Measurement]:
    """All rows of a family that is compared."""
    row = Measurer(family).row
    group = text_groups(len(family.targets))[family.rows]
    for member, value in zip(family.members, macro_f1(family.probabilities, family.targets), strict=True):
        yield row(F1, float(value), by=MEMBER, member=str(member.seed), n=len(family.targets))
    for noise in NOISES:
        found = noised_family(family_of(family), family.dataset.splits["test"], family.rows, noise)
        yield from _moved_rows(SeedRows(row, family.members, name_of(noise), group), found)
    for text in family.changed:
        touched, found = replaced(family, text)
        yield from _moved_rows(SeedRows(row, family.members, text, group[touched]), found)
    yield from between_seeds(family, group)
    for probe in FAITHFUL:
        yield from _faithful_rows(family, probe, group)


def name_of(noise: EmbeddingNoise) -> str:
    """How rows name a noise.

    >>> name_of(EmbeddingNoise(1e-3, "l2", "worst"))
    'noise:radius=0.001,norm=l2,way=worst'
    """
    return f"noise:radius={noise.radius:g},norm={noise.norm},way={noise.way}"


def replaced(family: FamilyResult, text: str) -> tuple[Bool[Tensor, "K"], Noised]:
    """How far attention and prediction move under a perturbation of words, of the texts that it changed."""
    split = family.changed[text].split
    touched = split.touched.any(-1)
    laid, common = split.laid_over(family.changed[text].scores[ATTENTION])
    both = restricted(family.explanations[ATTENTION], laid, common)
    model, parameters = template(family.job.architecture, family.dataset.task), family_of(family).parameters
    before, after = (
        logits(model, parameters, one, family.rows, stacked=True).cpu().double().softmax(-1)
        for one in (family.dataset.splits["test"], split)
    )
    known = torch.ones_like(before, dtype=torch.bool)
    return touched, Noised(
        over_perturbations(*both, JensenShannon()).double()[:, touched],
        Tvd().between(before, after, known)[:, touched],
        (before.argmax(-1) != after.argmax(-1)).double()[:, touched],
    )


def _moved_rows(table: SeedRows, found: Noised) -> Iterator[Measurement]:
    """Every number by seed and by group; those of attention and prediction also without what was flipped."""
    kept = found.flipped == 0
    values = {MOVED: found.attention, CHANGED: found.prediction, FLIPPED: found.flipped}
    for quantity, each in values.items():
        yield from table.rows(quantity, each, *RANGES[quantity])
        if quantity != FLIPPED:
            left = torch.where(kept, each, 0.0).sum(1) / kept.sum(1).clamp(min=1)
            yield from table.by_member(f"{quantity}{UNFLIPPED}", left, *RANGES[quantity])


def between_seeds(family: FamilyResult, group: Int[Tensor, "K"]) -> Iterator[Measurement]:
    """How far attention is between seeds, by pair of seeds; and its hold without each seed."""
    row, seeds = Measurer(family).row, [str(member.seed) for member in family.members]
    explanation = family.explanations[ATTENTION].to(family.device)
    about = {"explainer": ATTENTION, "comparison": "jensen_shannon"}
    pairs = over_members(explanation, make("comparisons", "jensen_shannon")).cpu()
    means = over_instances(pairs.values).tolist()
    for i, j, value in zip(pairs.left.tolist(), pairs.right.tolist(), means, strict=True):
        pair = {"by": PAIR, "member": seeds[i], "other_member": seeds[j], "n": len(family.rows)}
        yield row("stability", value, **about, **pair)
    yield from SeedRows(row, family.members, "", group, about).by_group(
        "stability", pairs.values.double().mean(0)
    )
    scale = scale_of(explanation, impostors_of(family, ATTENTION), family.rows).cpu()
    for seed, value in zip(seeds if len(seeds) > 2 else (), leave_out_holds(scale)[1].tolist(), strict=False):
        yield row("hold", value, explainer=ATTENTION, by=WITHOUT, member=seed, n=len(seeds) - 1)


def _faithful_rows(family: FamilyResult, text: str, group: Int[Tensor, "K"]) -> Iterator[Measurement]:
    """How far the prediction drops by the attention's own order, and by random ones."""
    few = family.at(family.rows[:FEW]) if text == FAITHFUL[-1] else family
    row, probe = Measurer(few).row, make("probes", text)
    found = dropped(few, probe, (ATTENTION,), alone=False)
    table = SeedRows(row, few.members, text, group[: len(few.rows)], {"explainer": ATTENTION})
    yield from table.rows("drop", found.by[ATTENTION], *probe.bounds)
    chance = mean_over_members(over_instances(found.random)).within(*probe.bounds)
    yield row("drop_random", chance, probe=text)
