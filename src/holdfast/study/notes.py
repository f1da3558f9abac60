"""What a reader must know of the families of a study, in sentences."""

import math
from collections.abc import Sequence
from functools import reduce

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.data.reading import listed
from holdfast.measure.hold import hold
from holdfast.models.base import TEMPERATURE
from holdfast.study.drawn_anew import drawn_anew_note
from holdfast.study.evidence import Evidence
from holdfast.study.growth import NOTHING, More, more, seeds_named
from holdfast.study.headline import family_name, said
from holdfast.study.plan import Plan
from holdfast.study.probing import Probed
from holdfast.study.result import FamilyResult
from holdfast.study.same_bits import alike
from holdfast.train.family import template
from holdfast.train.here import only_here
from holdfast.train.request import Request

RAN = {
    "cpu": "Trained on the CPU, each seed alone and on one thread.",
    "cuda": "Trained on a GPU, seeds stacked, in CUDA graphs, with products in TF32.",
}

ELSEWHERE = (
    "Measured on the CPU of a machine without a GPU, and explained there where it had not been on the GPU."
)

DRAWN = 0.01
"""A standard error from the draw of untrained networks that is worth a word."""


def notes(families: Sequence[FamilyResult], plan: Plan) -> tuple[str, ...]:
    """Every sentence once: of the families one after the other, then of how they were trained."""
    sentences = [note for family in families for note in _of_family(family)]
    ran = [
        *_ran(families, plan),
        *_elsewhere(families, plan),
        *_parts(families),
        *_here(families, plan),
        *_epochs(families, plan),
        *_more(families, plan),
    ]
    return tuple(dict.fromkeys([*sentences, *ran]))


def _ran(families: Sequence[FamilyResult], plan: Plan) -> list[str]:
    """How members were trained, or which files they come from."""
    brought = [family for family in families if family.job.architecture.files]
    fitted = [family for family in families if family.job.architecture.fits]
    ran = [RAN[plan.device]] if len(brought) + len(fitted) < len(families) else []
    return ran + [_from_files(family) for family in brought]


def _from_files(family: FamilyResult) -> str:
    files = family.job.architecture.files
    each = listed([f"seed {member.seed} is {files[member.seed]}" for member in family.members])
    alone = " Of a single one, what is said to be over seeds is over this one, and is its consensus."
    return f"Nothing of {family_name(family)} was trained here: {each}.{alone * (len(family.members) == 1)}"


def _undrawn(family: FamilyResult) -> list[str]:
    """Why nothing is held against untrained networks, where that is so."""
    why = family.job.architecture.undrawn
    return [f"{family_name(family)}: no hold is measured against untrained networks, because {why}."] * bool(
        why
    )


def _elsewhere(families: Sequence[FamilyResult], plan: Plan) -> list[str]:
    """That this machine lacks the device that trained."""
    return [ELSEWHERE] if any(family.device != plan.device for family in families) else []


def _parts(families: Sequence[FamilyResult]) -> list[str]:
    """Which seeds were stacked on a GPU, where not all of a family were at once: that gives other bits."""
    found: set[tuple[int, ...]] = set()
    for family in families:
        told = (family.job.note(member) or {} for member in family.members)
        parts = {tuple(note["stacked"]) for note in told if "stacked" in note}
        found |= parts if len(parts) > 1 else set()
    named = [seeds_named(part) for part in sorted(found)]
    said = "Seeds were stacked in parts, as the run grew or as memory allowed"
    return [f"{said}: {listed(named)}."] if named else []


def _more(families: Sequence[FamilyResult], plan: Plan) -> list[str]:
    """What the run holds beyond what was asked."""
    held = [
        more(family.job, plan.members, Request(family.rows, family.target), plan.perturbations)
        for family in families
    ]
    said = reduce(More.__or__, held, NOTHING).sentence
    return [said] if said else []


def unprobed(families: Sequence[FamilyResult], probed: Sequence[Probed]) -> list[str]:
    """Which probes could not be run, and why."""
    both = zip(families, probed, strict=False)
    said = [f"{name} could not probe {f.model}: {why}" for f, own in both for name, why in own.failed.items()]
    return list(dict.fromkeys(said))


def coarse(families: Sequence[FamilyResult], evidences: Sequence[Evidence]) -> list[str]:
    """Where so few untrained networks make a hold uncertain."""
    return [
        f"{name} of {family.model} ({family.repair}): other untrained networks would change the hold against "
        f"{one.impostor} by ± {one.drawn:.2f} (standard error), which its interval includes."
        for family, evidence in zip(families, evidences, strict=True)
        for name, scale in evidence.scales.items()
        if (held := hold(scale)) is not None
        for one in held.against
        if one.drawn > DRAWN
    ]


def _here(families: Sequence[FamilyResult], plan: Plan) -> list[str]:
    """What workers could not do."""
    methods = [text for family in families for text in (*family.job.methods, *family.job.explainers)]
    names = only_here(methods) if plan.device == "cpu" else []
    return [
        f"Worker processes cannot import {name}: what it takes part in ran in the process that started them."
        for name in names
    ]


def _of_family(family: FamilyResult) -> list[str]:
    left = [f"{out.member} of {family_name(family)} is left out: {out.why}." for out in family.left_out]
    failed = [f"{name} could not explain {family.model}: {why}" for name, why in family.failed.items()]
    some = len(family.rows) < len(family.targets)
    bound = [
        f"{len(family.rows)} of {len(family.targets)} test examples of {family.data} were explained."
    ] * some
    known = family.dataset.splits["test"].truth(family.rows) is not None
    wrong = [
        f"{family.model}: no explained class is the true one, so nothing is compared with the known truth."
    ]
    untold = wrong * (known and not bool(family.true.any()))
    return [
        *family.dataset.notes,
        *bound,
        *left,
        *failed,
        *family.job.architecture.notes(family.dataset.task),
        *_undrawn(family),
        *drawn_anew_note(family),
        *_suited(family),
        *_fitted(family),
        *_tempered(family),
        *untold,
        *_missed(family),
    ]


def _suited(family: FamilyResult) -> list[str]:
    """How an explainer ran whose settings leave something to the model."""
    model = template(family.job.architecture, family.dataset.task)
    made = {text: make("explainers", text) for text in family.explanations}
    ran = {text: suited for text, one in made.items() if (suited := one.suited(model)) != one}
    return [f"{text} ran as {label(suited)} on {family.model}." for text, suited in ran.items()]


def _fitted(family: FamilyResult) -> list[str]:
    """What follows where a learner of its own fits the members; which of them are the same."""
    fits = [
        f"{family.model} is fitted by scikit-learn, on the CPU and one thread. There is nothing before its "
        "training, so the impostor “untrained order” is missing."
    ] * family.job.architecture.fits
    told = f"of {family_name(family)} are the same, bit for bit: training made no use of their seeds."
    return [*fits, *(f"{seeds.capitalize()} {told}" for seeds in map(seeds_named, alike(family)))]


def _tempered(family: FamilyResult) -> list[str]:
    """Which temperatures were fitted, and how many could not be."""
    if "temperature" not in family.repair.split("+"):
        return []
    fitted = [float(family.job.parameters(member)[TEMPERATURE]) for member in family.members]
    kept = sum(one == 1.0 for one in fitted)
    none = f"; it stayed 1 in {kept} of {len(fitted)} seeds: their validation answers name no best one"
    return [
        f"Temperature of {family.model} ({family.repair}): {min(fitted):.2f} to {max(fitted):.2f} over "
        f"seeds{none if kept else ''}."
    ]


def _missed(family: FamilyResult) -> list[str]:
    """Which explainers' scores miss more of what they should add up to than they promise."""
    told = []
    for name, explanation in family.explanations.items():
        within = make("explainers", name).within
        if explanation.lost is None or explanation.evidence is None or within == math.inf:
            continue
        far = explanation.lost.abs() > within * explanation.evidence.abs()
        if bool(far.any()):
            told.append(
                f"{said(name)} of {family_name(family)}: the scores of {int(far.sum())} of "
                f"{far.numel()} explanations miss more than {100 * within:g} % of what they should add up to."
            )
    return told


def _epochs(families: Sequence[FamilyResult], plan: Plan) -> list[str]:
    """Which epochs count, where the best one on the validation split does, and whose first was the best."""
    several = len({family.data for family in families}) > 1
    ranges, first = [], []
    for family in families if plan.fit.epochs > 1 else ():
        name = family_name(family) + (f" on {family.data}" if several else "")
        best = _best(family)
        if best:
            ends = dict.fromkeys((str(min(best)), str(max(best))))
            ranges.append(f"epoch {' to '.join(ends)} for {name}")
        if 1 in best:
            first.append(
                f"Training of {name} stopped improving after the first epoch in {best.count(1)} of "
                f"{len(best)} seeds: if they are not good enough, try a smaller learning rate (--optimiser) "
                "or more data."
            )
    most = (
        f"Of at most {plan.fit.epochs} epochs, every seed keeps the one that is best on the validation split"
    )
    counts = f"{most}: {listed(ranges)}."
    return [*([counts] if ranges else []), *first]


def _best(family: FamilyResult) -> list[int]:
    """The best epoch of every member; nothing where the last one counts."""
    job = family.job
    kept = job.architecture.files or job.architecture.fits
    if job.fit.last or not job.repair_settings.stops or kept:
        return []
    told = (family.job.note(member) or {} for member in family.members)
    return [about["best"] for about in told if "best" in about]


def best_was_last(family: FamilyResult) -> bool:
    """Whether most members were still improving in their last epoch."""
    best = _best(family)
    return sum(epoch == family.job.fit.epochs for epoch in best) * 2 > len(best) > 0
