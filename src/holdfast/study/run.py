"""Conducting a study: load, train, ask, explain, measure, write; whatever is finished is not done again."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from holdfast.core.catalogue import make
from holdfast.core.errors import Failed
from holdfast.core.files import read_json, sha256, write_json
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.data.source import Source, digest, load, reads
from holdfast.data.store import load_dataset
from holdfast.measure.reduce import spread
from holdfast.measure.verdict import Scale, Verdict, judge
from holdfast.study import result as cells
from holdfast.study.engine import Engine, Listener, Unit
from holdfast.study.estimate import estimate
from holdfast.study.examples import examples
from holdfast.study.f1 import f1_of
from holdfast.study.findings import Example, Findings, Heat
from holdfast.study.jobs import job_of
from holdfast.study.measure import measure_family, repair_rows
from holdfast.study.measurement import Measurement, read_measurements, write_measurements
from holdfast.study.notes import notes
from holdfast.study.picture import Picture, picture_from_json, picture_to_json
from holdfast.study.plan import Plan
from holdfast.study.preflight import preflight
from holdfast.study.result import FamilyResult
from holdfast.study.store import Store
from holdfast.study.views import views
from holdfast.train.job import Job
from holdfast.train.objective import top_decile
from holdfast.train.pool import cores

Extra = Callable[[Sequence[FamilyResult]], list[Measurement]]
Draw = Callable[[Sequence[FamilyResult]], list[Picture]]


@dataclass(frozen=True)
class Completed:
    """A study's families with the scales of their holds, and what was found."""

    cells: tuple[FamilyResult, ...]
    scales: tuple[dict[str, Scale], ...]
    findings: Findings


def with_digests(plan: Plan, data_dir: Path | None, fresh: bool = False) -> Plan:
    """The plan with the digests of its data: from here on another file is another plan.

    A model that cannot read its data is refused before there is a run. ``fresh`` reads the data and tries to
    explain some too: what is wrong must show before an older run is removed.
    """
    datasets = [load(source, data_dir) for source in plan.data] if fresh else []
    digests = tuple(digest(source, data_dir) for source in plan.data)
    for number, source in enumerate(plan.data):
        for model in plan.models_of(number):
            make("models", model).check_kind(reads(source))
    if datasets:
        preflight(plan, datasets)
    return replace(plan, digests=digests)


def run_study(
    plan: Plan,
    store: Store,
    command: str,
    data_dir: Path | None = None,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
    extra: Extra = lambda cells: [],
    draw: Draw | None = None,
) -> Completed:
    """Do everything the plan says that is not done yet, and write what was found.

    ``command`` is what to type for it; ``extra`` adds a study's own rows to those of every audit, ``draw``
    chooses other heat maps of images than an audit's. Before long work on the CPU ``listen`` hears of a
    stage ``estimate``: between how many seconds training and explaining will take.
    """
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
        truths = {
            path: dataset.splits["test"].targets if plan.target == "truth" else None
            for path, dataset in by_path.items()
        }
        kept = [cells.ask(job, members[job.data], plan.instances, truths[job.data]) for job in jobs]
        _enter(store, {job.request: sha256(job.request.read_bytes()) for job in jobs})
        units = [(job, member) for job, own in zip(jobs, kept, strict=True) for member in own]
        engine.explain(units, dict(by_path))
    loaded = []
    for job, own in zip(jobs, kept, strict=True):
        loaded.append(cells.load(job, members[job.data], own, by_path[job.data], plan.device))
        if not set(loaded[-1].explanations) - {"random"} and loaded[-1].failed:
            raise Failed(f"no explainer could be run on {job.model}: {_whys(loaded[-1].failed)}")
    seeds = [cell.only([member for member in plan.members if member.fold is None]) for cell in loaded]
    rows, scales = _measure(seeds, plan, listen)
    rows += extra(loaded)
    listen("measuring", len(loaded), len(loaded))
    pictures = (
        draw(loaded)
        if draw is not None
        else [p for pair in zip(seeds, scales, strict=True) for p in views(*pair)]
    )
    found = _findings(plan, command, seeds, scales, rows, pictures)
    write_findings(store, found)
    return Completed(tuple(loaded), tuple(scales), found)


def _tell_time(
    plan: Plan, units: list[Unit], datasets: dict[Path, Dataset], workers: int, listen: Listener
) -> None:
    """On a GPU members are stacked and steps captured, so that timing some of them says little."""
    found = estimate(units, datasets, plan.instances, workers) if plan.device == "cpu" else None
    if found is not None:
        listen("estimate", found.least, found.most)


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
    found = []
    for model in plan.models_of(number):
        for repair in plan.repairs:
            found.append(job_of(plan, store, number, dataset.name, model, repair))
    return found


def _members(plan: Plan, dataset: Dataset) -> tuple[Member, ...]:
    """The plan's members; folds only where the data have some."""
    folded = dataset.splits["train"].trains(Member(0)) is not None
    return tuple(member for member in plan.members if folded or member.fold is None)


def _enter(store: Store, files: dict[Path, str]) -> None:
    store.enter({str(path.relative_to(store.folder)): digest for path, digest in files.items()})


def _measure(
    loaded: list[FamilyResult], plan: Plan, listen: Listener
) -> tuple[list[Measurement], list[dict[str, Scale]]]:
    rows, scales = [], []
    for number, cell in enumerate(loaded):
        listen("measuring", number, len(loaded))
        own, scale = measure_family(cell, plan.comparisons)
        rows += own
        scales.append(scale)
    for plain, before in zip(loaded, scales, strict=True):
        for mended, after in zip(loaded, scales, strict=True):
            beside = (plain.data, plain.model) == (mended.data, mended.model)
            if plain.repair == "none" and mended.repair != "none" and beside:
                rows += repair_rows(plain, mended, before, after)
    return rows, scales


def _findings(
    plan: Plan,
    command: str,
    loaded: list[FamilyResult],
    scales: list[dict[str, Scale]],
    rows: list[Measurement],
    pictures: list[Picture],
) -> Findings:
    shown = [one for cell, scale in zip(loaded, scales, strict=True) for one in examples(cell, scale)]
    title = f"Does it hold? {' and '.join(dict.fromkeys(cell.data for cell in loaded))}"
    return Findings(
        title=title,
        command=command,
        plan=plan.to_json(),
        verdict=verdict_of(loaded[0], scales[0]),
        rows=tuple(rows),
        examples=tuple(shown),
        notes=notes(loaded, plan),
        pictures=tuple(pictures),
        kind=reads(plan.data[0]),
    )


def verdict_of(cell: FamilyResult, scales: dict[str, Scale]) -> dict[str, Any]:
    """The answer in plain values: the first explainer's verdict, every explainer's hold, the accuracy."""
    words = {name: judge(scale) for name, scale in scales.items()}
    first = next(iter(words.values()))
    right = spread(cell.right)
    return {
        "schema": 1,
        "verdict": first.word,
        "reason": first.reason
        + _near_chance_warning(cell.metric, right.mean, *_chance_level(cell), len(cell.targets)),
        "hold": _hold(first, "value"),
        "explainers": {
            name: _hold(verdict, "hold") | {"verdict": verdict.word}
            for name, verdict in words.items()
            if name != "random"
        },
        "accuracy": {"mean": right.mean, "sd": right.sd, "n": right.n} | _called(cell.metric),
        **f1_of(cell),
        "members": {
            "trained": len(cell.members),
            "left_out": [{"seed": out.member.seed, "why": out.why} for out in cell.left_out],
        },
    }


def _called(metric: str) -> dict[str, str]:
    """What a share of right answers is, where it is not accuracy."""
    return {} if metric == "accuracy" else {"called": "recall@10 %"}


def _chance_level(cell: FamilyResult) -> tuple[float, str]:
    """What somebody who has learned nothing gets right, and how."""
    if cell.metric == "recall":
        candidates = cell.probabilities.shape[-1]
        return top_decile(candidates) / candidates, "picking a tenth of the candidates at random"
    share = float(cell.targets.bincount().max() / len(cell.targets))
    return share, "always predicting the most common class"


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


def write_findings(store: Store, found: Findings) -> None:
    """Write the table, the verdict and everything else that a report shows."""
    store.enter({"results.parquet": write_measurements(store.folder / "results.parquet", list(found.rows))})
    store.enter({"verdict.json": write_json(store.folder / "verdict.json", found.verdict)})
    rest = {
        "title": found.title,
        "command": found.command,
        "notes": list(found.notes),
        "examples": [asdict(one) for one in found.examples],
        "pictures": [picture_to_json(one) for one in found.pictures],
    }
    store.keep("findings.json", json.dumps(rest, ensure_ascii=False, allow_nan=False).encode())


def read_findings(folder: Path) -> Findings:
    """Read back what :func:`write_findings` wrote."""
    store = Store(folder)
    plan = store.plan
    store.check("findings.json", "verdict.json", "results.parquet")
    rest = read_json(folder / "findings.json")
    return Findings(
        title=rest["title"],
        command=rest["command"],
        plan=plan.to_json(),
        verdict=read_json(folder / "verdict.json"),
        rows=tuple(read_measurements(folder / "results.parquet")),
        examples=tuple(_example(one) for one in rest["examples"]),
        notes=tuple(rest["notes"]),
        pictures=tuple(picture_from_json(one) for one in rest.get("pictures", [])),
        kind=reads(plan.data[0]),
    )


def _example(values: dict[str, Any]) -> Example:
    heats = tuple(
        Heat(**(heat | {"scores": tuple(map(tuple, heat["scores"])), "consensus": tuple(heat["consensus"])}))
        for heat in values["heats"]
    )
    plain: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
    return Example(**(plain | {"heats": heats}))
