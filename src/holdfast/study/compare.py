"""Two runs on the same data: what changed, seed by seed."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadRun
from holdfast.core.schema import SCHEMA
from holdfast.data.store import load_dataset
from holdfast.measure.pairing import over_repairs
from holdfast.measure.reduce import Interval, mean_over_members, over_instances
from holdfast.measure.statistics import Paired, paired, paired_hold
from holdfast.study import result as results
from holdfast.study.evidence import evidence_of
from holdfast.study.judge import verdicts
from holdfast.study.result import FamilyResult
from holdfast.study.store import Store
from holdfast.train.job import Job

NOTHING = "says nothing"


@dataclass(frozen=True)
class Changes:
    """What changed between two runs: the hold of each explainer, the accuracy, and how far the very same
    seed's explanation moved (``moved``, Jensen–Shannon: 0 is not at all, ln 2 is entirely). ``verdicts`` are
    the words before and after."""

    before: str
    after: str
    seeds: int
    instances: int
    hold: dict[str, Paired]
    verdicts: dict[str, tuple[str, str]]
    accuracy: Paired
    moved: dict[str, Interval]

    @property
    def sentence(self) -> str:
        """The answer."""
        name, change = next(iter(self.hold.items()))
        gain = change.difference
        sure = gain.low is not None and gain.high is not None and (gain.low > 0 or gain.high < 0)
        word = ("rose" if gain.value > 0 else "fell") if sure else "did not change beyond chance"
        cost = self.accuracy.difference
        paid = f"accuracy changed by {100 * cost.value:+.1f} points ({_ends(cost, 100)})"
        words = zip(("before", "after"), self.verdicts[name], strict=True)
        empty = [when for when, said in words if said == NOTHING]
        if empty:
            return f"{name} says nothing {' and '.join(empty)}, so its hold cannot be compared; {paid}."
        return (
            f"The hold of {name} {word}: {change.before:.2f} before, {change.after:.2f} after "
            f"({_ends(gain)}); {paid}."
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"schema": SCHEMA, "sentence": self.sentence} | asdict(self)


def compare_runs(before: Path, after: Path) -> Changes:
    """Compare the first family of each run over the seeds and test texts both have."""
    a, b = _first(before), _first(after)
    if Store(before).plan.digests != Store(after).plan.digests:
        raise BadRun(f"{before} and {after} are runs on different data: compare runs on the same data")
    a, b = _on_common(a, b)
    names = [name for name in a.explanations if name in b.explanations and name != "random"]
    if not names:
        raise BadRun(f"{before} and {after} have no explainer in common")
    common = [member for member in a.members if member in b.members]
    right = [c.right[[c.members.index(m) for m in common]] for c in (a, b)]
    same = a.target == b.target
    distance = make("comparisons", "jensen_shannon")
    moved = {
        name: mean_over_members(
            over_instances(over_repairs(a.explanations[name], b.explanations[name], distance), same)
        )
        for name in names
        if bool(same.any())
    }
    both = [evidence_of(family) for family in (a, b)]
    words = [
        {row.explainer: row.verdict for row in verdicts(*pair)} for pair in zip((a, b), both, strict=True)
    ]
    return Changes(
        before=f"{a.model}, {a.repair} ({before})",
        after=f"{b.model}, {b.repair} ({after})",
        seeds=len(common),
        instances=len(a.rows),
        hold={name: paired_hold(*(evidence.scales[name] for evidence in both)) for name in names},
        verdicts={name: (words[0][name], words[1][name]) for name in names},
        accuracy=paired(*right),
        moved=moved,
    )


def _first(run: Path) -> FamilyResult:
    store = Store(run)
    plan = store.plan
    store.check(store.data(0).name)
    dataset = load_dataset(store.data(0))
    model, repair = plan.models_of(0)[0], plan.repairs[0]
    folder = store.family(f"0-{dataset.name}", model, repair)
    job = Job(folder, store.data(0), model, repair, plan.fit, plan.explainers)
    seeds = tuple(member for member in plan.members if member.fold is None)
    kept = results.trained(run, job, seeds)
    store.check(str(job.request.relative_to(run)))
    return results.load(job, kept, kept, dataset)


def _on_common(a: FamilyResult, b: FamilyResult) -> tuple[FamilyResult, FamilyResult]:
    """Both families, restricted to the test rows that both explained."""
    rows = sorted(set(a.rows.tolist()) & set(b.rows.tolist()))
    if not rows:
        raise BadRun("the two runs explained no test example in common")
    return a.at(torch.tensor(rows)), b.at(torch.tensor(rows))


def _ends(interval: Interval, scale: float = 1) -> str:
    if interval.low is None or interval.high is None:
        return "no interval from two seeds"
    return f"95 % interval {scale * interval.low:+.2f} to {scale * interval.high:+.2f}"
