"""Two families on the same data, of two runs or of one: what changed, seed by seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadRun, BadSetting
from holdfast.core.files import read_json
from holdfast.data.store import load_dataset
from holdfast.measure.hold import hold
from holdfast.measure.pairing import over_repairs
from holdfast.measure.reduce import Interval, mean_over_members, over_instances
from holdfast.measure.scale import Scale, alike
from holdfast.measure.statistics import paired, paired_hold
from holdfast.study import result as results
from holdfast.study.answer import Answer, ExplainerVerdict
from holdfast.study.changes import Change, Changes, Side
from holdfast.study.choice import choose
from holdfast.study.evidence import evidence_of
from holdfast.study.result import FamilyResult
from holdfast.study.store import Store
from holdfast.study.worth import cost_of
from holdfast.train.job import Job
from holdfast.train.modality import modality as scoring

VERDICT = "verdict.json"


@dataclass(frozen=True)
class Compared:
    """A family with what its run's audit said of its explainers, the best first."""

    side: Side
    family: FamilyResult
    rows: dict[str, ExplainerVerdict]


def compare_runs(
    before: Path, after: Path, models: Sequence[str] = (), repairs: Sequence[str] = ()
) -> Changes:
    """Compare a family of each run over the seeds and test examples both have.

    ``models`` and ``repairs`` choose the family: one name for both runs, or one for each; by default the
    first of each run. The change that decides is that of the explainer the audit before found best, of those
    that both have.
    """
    if Store(before).plan.digests != Store(after).plan.digests:
        raise BadRun(f"{before} and {after} are runs on different data: compare runs on the same data")
    chosen = list(zip(_two("model", models), _two("repair", repairs), strict=True))
    sides = [_load(run, *names) for run, names in zip((before, after), chosen, strict=True)]
    a, b = _on_common(*(side.family for side in sides))
    names = [name for name in sides[0].rows if name in b.explanations and name in sides[1].rows]
    if not names:
        raise BadRun(f"{before} and {after} have no explainer in common")
    common = [member for member in a.members if member in b.members]
    right = [c.right[[c.members.index(m) for m in common]] for c in (a, b)]
    scales = [evidence_of(family).scales for family in (a, b)]
    return Changes(
        before=sides[0].side,
        after=sides[1].side,
        seeds=len(common),
        instances=len(a.rows),
        rows=tuple(
            Change.of(
                (sides[0].rows[name], sides[1].rows[name]),
                _held(*alike(scales[0][name], scales[1][name])),
                paired_hold(scales[0][name], scales[1][name]),
                _moved(a, b, name),
                _lacking(scales[0][name], scales[1][name]),
            )
            for name in names
        ),
        metric=scoring(a.dataset.task.kind).called or a.metric,
        quality=paired(*right),
        cost=cost_of(a, b),
    )


def _two(kind: str, names: Sequence[str]) -> tuple[str | None, str | None]:
    """One for each run."""
    if len(names) > 2:
        raise BadSetting(f"--{kind}: expected one name for both runs, or one for each, but got {len(names)}")
    return (names[0], names[-1]) if names else (None, None)


def _load(run: Path, model: str | None, repair: str | None) -> Compared:
    store = Store(run)
    plan = store.plan
    store.check(store.data(0).name, VERDICT)
    dataset = load_dataset(store.data(0))
    chosen = choose("model", model, plan.models_of(0)), choose("repair", repair, plan.repairs)
    others = 0 if model or repair else len(plan.models_of(0)) * len(plan.repairs) - 1
    folder = store.family(f"0-{dataset.name}", *chosen)
    job = Job(folder, store.data(0), *chosen, plan.fit, plan.explainers)
    seeds = tuple(member for member in plan.members if member.fold is None)
    kept = results.trained(run, job, seeds)
    store.check(str(job.request.relative_to(run)))
    answer = Answer.from_json(read_json(run / VERDICT))
    key = (dataset.name, *chosen)
    rows = {row.explainer: row for row in answer.rows if (row.data, row.model, row.repair) == key}
    return Compared(Side(str(run), *chosen, others), results.load(job, kept, kept, dataset), rows)


def _on_common(a: FamilyResult, b: FamilyResult) -> tuple[FamilyResult, FamilyResult]:
    """Both families, restricted to the test rows that both explained."""
    rows = sorted(set(a.rows.tolist()) & set(b.rows.tolist()))
    if not rows:
        raise BadRun("the two runs explained no test example in common")
    return a.at(torch.tensor(rows)), b.at(torch.tensor(rows))


def _held(a: Scale, b: Scale) -> tuple[Interval, Interval]:
    held, without = (hold(a), hold(b)), Interval(0.0, None, None, a.between.n)
    before, after = (without if one is None else one.interval for one in held)
    return before, after


def _lacking(a: Scale, b: Scale) -> dict[str, str]:
    """The impostors that one side lacks, and which side that is."""
    before = {name: "before" for name in b.impostors if name not in a.impostors}
    return before | {name: "after" for name in a.impostors if name not in b.impostors}


def _moved(a: FamilyResult, b: FamilyResult, name: str) -> Interval | None:
    """How far the very same seed's explanation moved, of rows that both explain for the same class."""
    same = a.target == b.target
    if not bool(same.any()):
        return None
    distance = make("comparisons", "jensen_shannon")
    return mean_over_members(
        over_instances(over_repairs(a.explanations[name], b.explanations[name], distance), same)
    )
