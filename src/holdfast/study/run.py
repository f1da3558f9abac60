"""Running a plan: read, train, explain, measure, write; whatever is finished is not done again."""

from collections.abc import Callable, Sequence
from pathlib import Path

from holdfast.core.errors import BadSetting, Failed
from holdfast.core.files import sha256
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.data.source import load, reads
from holdfast.data.store import load_dataset
from holdfast.study import result as results
from holdfast.study.answer import Answer
from holdfast.study.attending import attention_rows
from holdfast.study.certifying import certificate_rows
from holdfast.study.engine import Engine, Listener, Unit
from holdfast.study.estimate import estimate
from holdfast.study.evidence import Evidence, evidence_of
from holdfast.study.findings import Findings
from holdfast.study.findings_file import write_findings
from holdfast.study.jobs import job_of
from holdfast.study.judge import answer_of, unexplained
from holdfast.study.measure import Measurer, measure_family, repair_rows
from holdfast.study.measurement import Measurement
from holdfast.study.modality import Modality, modality
from holdfast.study.notes import coarse, notes, unprobed
from holdfast.study.perturbing import changed_jobs, perturb, survivals_of, with_changes
from holdfast.study.picture import Picture
from holdfast.study.plan import Plan
from holdfast.study.preflight import preflight
from holdfast.study.probing import Probed, matters_of, probe_rows
from holdfast.study.result import FamilyResult
from holdfast.study.store import Store
from holdfast.train.device import NO_GPU, at_hand
from holdfast.train.family import one_thread
from holdfast.train.job import Job
from holdfast.train.pool import cores
from holdfast.train.untrained import UNTRAINED

DELETING = 0.8  # of the time that measuring a family takes


def run_study(
    plan: Plan,
    store: Store,
    data_dir: Path | None = None,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
) -> list[FamilyResult]:
    """Train and explain everything the plan says that is not done yet.

    Before long work on the CPU ``listen`` hears of a stage ``estimate``: between how many seconds it will
    take. On a machine without the plan's GPU, a run whose members are all trained is explained and measured
    on the CPU.
    """
    store.forget_damaged()
    if at_hand(plan.device) != plan.device and not store.trained:
        raise BadSetting(NO_GPU)
    listen("reading", 0, len(plan.data))
    datasets = [_dataset(plan, store, number, data_dir, listen) for number in range(len(plan.data))]
    listen("reading", len(plan.data), len(plan.data))
    jobs = [job for number in range(len(datasets)) for job in _jobs(plan, store, number, datasets[number])]
    by_path = {store.data(number): dataset for number, dataset in enumerate(datasets)}
    preflight(plan, datasets)
    for number, dataset in enumerate(datasets):
        perturb(plan, store, number, dataset, data_dir)
    members = {path: _members(plan, dataset) for path, dataset in by_path.items()}
    units: list[Unit] = [(job, member) for job in jobs for member in members[job.data]]
    changed = [(job, member) for one, member in units for job in changed_jobs(one, plan)]
    _tell_time(plan, [*units, *changed], dict(by_path), workers or cores(), listen)
    with Engine(plan.device, workers or cores(), listen, lambda done: _enter(store, done)) as engine:
        engine.fit(units, dict(by_path))
        truths = {path: d.splits["test"].targets for path, d in by_path.items() if plan.target == "truth"}
        for job in jobs:
            results.enough(job, members[job.data])  # else a run of another size stays as it was
        store.turn_to(plan)
        kept = [
            results.ask(job, members[job.data], plan.instances, truths.get(job.data), plan.perturbations)
            for job in jobs
        ]
        _enter(store, {job.request: sha256(job.request.read_bytes()) for job in jobs})
        both = list(zip(jobs, kept, strict=True))
        units = [(job, member) for job, trained in both for member in (*trained, *UNTRAINED)]
        units += [(own, one) for job, trained in both for own in changed_jobs(job, plan) for one in trained]
        engine.explain(units, dict(by_path))
    families = []
    for job, trained in zip(jobs, kept, strict=True):
        family = results.load(job, members[job.data], trained, by_path[job.data], at_hand(plan.device))
        families.append(with_changes(family, plan))
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
    every = [family.only([member for member in plan.members if member.fold is None]) for family in families]
    seeds = [family for family in every if family.job.architecture.explains]
    with one_thread():  # many small products: more threads only wait for each other
        rows, evidences = _measure(seeds, plan, listen)
        rows += [row for family in every if family not in seeds for row in Measurer(family).quality()]
        probed = _probe(seeds, plan, listen)
        rows += [row for each in probed for row in each.rows]
        answer = answer_of(seeds, evidences, plan) if seeds else unexplained(every[0], plan)
    listen("measuring", len(families), len(families))
    shown = [
        (family, evidence.scales, _first(answer, evidence))
        for family, evidence in zip(seeds, evidences, strict=True)
    ]
    if pictures is None:
        pictures = [p for one in shown for p in _modality(one[0]).pictures(*one)]
    findings = Findings(
        title=f"Does it hold? {' and '.join(dict.fromkeys(family.data for family in seeds))}",
        command=command,
        plan=plan.to_json(),
        answer=answer,
        rows=(*rows, *extra),
        examples=tuple(example for one in shown for example in _modality(one[0]).examples(*one)),
        notes=(*notes(seeds, plan), *coarse(seeds, evidences), *unprobed(seeds, probed)),
        pictures=tuple(pictures),
        kind=reads(plan.data[0]),
    )
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


def _dataset(plan: Plan, store: Store, number: int, data_dir: Path | None, listen: Listener) -> Dataset:
    path = store.data(number)
    if store.sound(path.name):
        return load_dataset(path)
    several = len(plan.data)
    dataset = load(plan.data[number], data_dir, lambda share: listen("reading", number + share, several))
    store.enter({path.name: dataset.save(path)})
    return dataset


def _jobs(plan: Plan, store: Store, number: int, dataset: Dataset) -> list[Job]:
    jobs = []
    for model in plan.models_of(number):
        for repair in plan.repairs_of(model):
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
) -> tuple[list[Measurement], list[Evidence]]:
    rows, evidences = [], []
    for number, family in enumerate(families):
        listen("measuring", number, len(families))
        matters = matters_of(family, _heard(listen, number, len(families)))
        evidences.append(evidence_of(family, matters, survivals_of(family)))
        rows += measure_family(family, evidences[-1], plan.comparisons)
        rows += attention_rows(family, Measurer(family).row, plan.probes)
    for plain, before in zip(families, evidences, strict=True):
        for repaired, after in zip(families, evidences, strict=True):
            beside = (plain.data, plain.model) == (repaired.data, repaired.model)
            if plain.repair == "none" and repaired.repair != "none" and beside:
                rows += repair_rows(plain, repaired, before.scales, after.scales)
    rows += certificate_rows(families, lambda done, total: listen("certifying", done, total))
    return rows, evidences


def _heard(listen: Listener, number: int, total: int) -> Callable[[float], None]:
    """Hears how far the deletions of a family are."""
    return lambda share: listen("measuring", number + DELETING * share, total)


def _first(answer: Answer, evidence: Evidence) -> str:
    """The explainer that examples are chosen by: the headline's, where the family has it."""
    decides = "" if answer.decides is None else answer.decides.explainer
    return decides if decides in evidence.scales else next(iter(evidence.scales))


def _probe(families: list[FamilyResult], plan: Plan, listen: Listener) -> list[Probed]:
    found = []
    for number, family in enumerate(families if plan.probes else []):
        found.append(probe_rows(family, plan.probes, Measurer(family).row))
        listen("probing", number + 1, len(families))
    return found


def _modality(family: FamilyResult) -> Modality:
    return modality(family.dataset.task.kind)
