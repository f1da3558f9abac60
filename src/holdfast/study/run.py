"""Running a plan: read, train, explain, measure, write; whatever is finished is not done again."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdfast.core.errors import Failed
from holdfast.core.files import sha256
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.data.source import Source, load, reads
from holdfast.data.store import load_dataset
from holdfast.measure.reduce import spread
from holdfast.measure.verdict import Scale, Verdict, judge
from holdfast.study import result as results
from holdfast.study.engine import Engine, Listener, Unit
from holdfast.study.estimate import estimate
from holdfast.study.f1 import f1_of
from holdfast.study.findings import Findings
from holdfast.study.findings_file import write_findings
from holdfast.study.jobs import job_of
from holdfast.study.measure import Measurer, measure_family, repair_rows
from holdfast.study.measurement import Measurement
from holdfast.study.modality import Modality, modality
from holdfast.study.notes import notes, unprobed
from holdfast.study.picture import Picture
from holdfast.study.plan import Plan
from holdfast.study.preflight import preflight
from holdfast.study.probing import Probed, probe_rows
from holdfast.study.result import FamilyResult
from holdfast.study.store import Store
from holdfast.train.job import Job
from holdfast.train.modality import modality as scoring
from holdfast.train.pool import cores
from holdfast.train.untrained import UNTRAINED


def run_study(
    plan: Plan,
    store: Store,
    data_dir: Path | None = None,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
) -> list[FamilyResult]:
    """Train and explain everything the plan says that is not done yet.

    Before long work on the CPU ``listen`` hears of a stage ``estimate``: between how many seconds it will
    take.
    """
    store.forget_damaged()
    listen("reading", 0, len(plan.data))
    datasets = [_dataset(store, number, source, data_dir) for number, source in enumerate(plan.data)]
    jobs = [job for number in range(len(datasets)) for job in _jobs(plan, store, number, datasets[number])]
    by_path = {store.data(number): dataset for number, dataset in enumerate(datasets)}
    preflight(plan, datasets)
    members = {path: _members(plan, dataset) for path, dataset in by_path.items()}
    units: list[Unit] = [(job, member) for job in jobs for member in members[job.data]]
    _tell_time(plan, units, dict(by_path), workers or cores(), listen)
    with Engine(plan.device, workers or cores(), listen, lambda done: _enter(store, done)) as engine:
        engine.fit(units, dict(by_path))
        truths = {path: d.splits["test"].targets for path, d in by_path.items() if plan.target == "truth"}
        store.turn_to(plan)
        kept = [results.ask(job, members[job.data], plan.instances, truths.get(job.data)) for job in jobs]
        _enter(store, {job.request: sha256(job.request.read_bytes()) for job in jobs})
        both = zip(jobs, kept, strict=True)
        units = [(job, member) for job, trained in both for member in (*trained, *UNTRAINED)]
        engine.explain(units, dict(by_path))
    families = []
    for job, trained in zip(jobs, kept, strict=True):
        families.append(results.load(job, members[job.data], trained, by_path[job.data], plan.device))
        if not set(families[-1].explanations) - {"random"} and families[-1].failed:
            raise Failed(f"no explainer could be run on {job.model}: {_whys(families[-1].failed)}")
    return families


def write_results(
    plan: Plan,
    store: Store,
    command: str,
    families: Sequence[FamilyResult],
    listen: Listener = lambda stage, done, total: None,
    extra: Sequence[Measurement] = (),
    pictures: Sequence[Picture] | None = None,
) -> Findings:
    """Measure what every audit measures of a plan's families, and write what was found.

    ``command`` is what to type for it; ``extra`` are a study's own rows, ``pictures`` other heat maps of
    images than an audit's.
    """
    seeds = [family.only([member for member in plan.members if member.fold is None]) for family in families]
    rows, scales = _measure(seeds, plan, listen)
    probed = _probe(seeds, plan, listen)
    listen("measuring", len(families), len(families))
    if pictures is None:
        both = zip(seeds, scales, strict=True)
        pictures = [p for family, scale in both for p in _modality(family).pictures(family, scale)]
    rows += [row for each in probed for row in each.rows]
    findings = _findings(plan, command, seeds, scales, [*rows, *extra], pictures)
    findings = replace(findings, notes=(*findings.notes, *unprobed(seeds, probed)))
    write_findings(store, findings)
    return findings


def _tell_time(
    plan: Plan, units: list[Unit], datasets: dict[Path, Dataset], workers: int, listen: Listener
) -> None:
    """On a GPU members are stacked and steps captured, so that timing some of them says little."""
    seconds = estimate(units, datasets, plan.instances, workers) if plan.device == "cpu" else None
    if seconds is not None:
        listen("estimate", seconds.least, seconds.most)


def _whys(failed: dict[str, str]) -> str:
    return "; ".join(f"{name}: {why}" for name, why in failed.items())


def _dataset(store: Store, number: int, source: Source, data_dir: Path | None) -> Dataset:
    path = store.data(number)
    if store.sound(path.name):
        return load_dataset(path)
    dataset = load(source, data_dir)
    store.enter({path.name: dataset.save(path)})
    return dataset


def _jobs(plan: Plan, store: Store, number: int, dataset: Dataset) -> list[Job]:
    jobs = []
    for model in plan.models_of(number):
        for repair in plan.repairs:
            jobs.append(job_of(plan, store, number, dataset.name, model, repair))
    return jobs


def _members(plan: Plan, dataset: Dataset) -> tuple[Member, ...]:
    """The plan's members; folds only where the data have some."""
    folded = dataset.splits["train"].trains(Member(0)) is not None
    return tuple(member for member in plan.members if folded or member.fold is None)


def _enter(store: Store, files: dict[Path, str]) -> None:
    store.enter({str(path.relative_to(store.folder)): digest for path, digest in files.items()})


def _measure(
    families: list[FamilyResult], plan: Plan, listen: Listener
) -> tuple[list[Measurement], list[dict[str, Scale]]]:
    rows, scales = [], []
    for number, family in enumerate(families):
        listen("measuring", number, len(families))
        measured, scale = measure_family(family, plan.comparisons)
        rows += measured
        scales.append(scale)
    for plain, before in zip(families, scales, strict=True):
        for repaired, after in zip(families, scales, strict=True):
            beside = (plain.data, plain.model) == (repaired.data, repaired.model)
            if plain.repair == "none" and repaired.repair != "none" and beside:
                rows += repair_rows(plain, repaired, before, after)
    return rows, scales


def _probe(families: list[FamilyResult], plan: Plan, listen: Listener) -> list[Probed]:
    found = []
    for number, family in enumerate(families if plan.probes else []):
        found.append(probe_rows(family, plan.probes, Measurer(family).row))
        listen("probing", number + 1, len(families))
    return found


def _modality(family: FamilyResult) -> Modality:
    return modality(family.dataset.task.kind)


def _findings(
    plan: Plan,
    command: str,
    families: list[FamilyResult],
    scales: list[dict[str, Scale]],
    rows: list[Measurement],
    pictures: Sequence[Picture],
) -> Findings:
    both = zip(families, scales, strict=True)
    shown = [one for family, scale in both for one in _modality(family).examples(family, scale)]
    title = f"Does it hold? {' and '.join(dict.fromkeys(family.data for family in families))}"
    return Findings(
        title=title,
        command=command,
        plan=plan.to_json(),
        verdict=verdict_of(families[0], scales[0]),
        rows=tuple(rows),
        examples=tuple(shown),
        notes=notes(families, plan),
        pictures=tuple(pictures),
        kind=reads(plan.data[0]),
    )


def verdict_of(family: FamilyResult, scales: dict[str, Scale]) -> dict[str, Any]:
    """The answer in plain values: the first explainer's verdict, every explainer's hold, the accuracy."""
    words = {name: judge(scale) for name, scale in scales.items()}
    first = next(iter(words.values()))
    right = spread(family.right)
    return {
        "schema": 1,
        "verdict": first.word,
        "reason": first.reason
        + _near_chance_warning(family.metric, right.mean, *family.chance, len(family.targets)),
        "hold": _hold(first, "value"),
        "explainers": {
            name: _hold(verdict, "hold") | {"verdict": verdict.word}
            for name, verdict in words.items()
            if name != "random"
        },
        "accuracy": {"mean": right.mean, "sd": right.sd, "n": right.n} | _called(family),
        **f1_of(family),
        "members": {
            "trained": len(family.members),
            "left_out": [{"seed": out.member.seed, "why": out.why} for out in family.left_out],
        },
    }


def _called(family: FamilyResult) -> dict[str, str]:
    """What a share of right answers is, where that has another name than accuracy."""
    called = scoring(family.dataset.task.kind).called
    return {} if called is None else {"called": called}


def _near_chance_warning(what: str, right: float, share: float, by: str, count: int) -> str:
    """A warning where the models have hardly learned: near chance, explanations mean nothing.

    Two standard errors of so many test examples above what is had without learning is clear.
    """
    if right > share + 2 * math.sqrt(share * (1 - share) / count):
        return ""
    level = f"{100 * right:.1f} % is not clearly above the {100 * share:.1f} % of {by}"
    return f" Near chance, explanations mean nothing: the {what} of {level}."


def _hold(verdict: Verdict, name: str) -> dict[str, float | None]:
    """Fractions from 0 to 1, as the reason says them; the table has them as they were measured."""
    held = verdict.hold
    ends = (None, None, None) if held is None else (held.value, held.low, held.high)
    value, low, high = (None if end is None else min(max(end, 0.0), 1.0) for end in ends)
    return {name: value, "low": low, "high": high}
