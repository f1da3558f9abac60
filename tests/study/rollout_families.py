"""Families of tiny recommenders on planted plays, never trained, explained; and rows of the whole study."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation, Member
from holdfast.data.source import Source, load
from holdfast.studies.rollout.study import own_rows
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult
from holdfast.train.family import Family
from holdfast.train.fit import Fit
from holdfast.train.job import Job

DATA = "planted-plays:length=14,holdout=validation,users=60"
EXPLAINERS = (
    "rollout",
    "gradient",
    "attention_first",
    "attention_last",
    "shapley:samples=64,absent=column",
    "leave_one_out",
)
MEMBERS, ROWS = 3, 24


@dataclass(frozen=True)
class Kept(Job):
    """A job whose members were never written: their weights are the first ones."""

    def note(self, member, kind=""):
        return {"history": [0.1, 0.2 + 0.01 * member.seed]}

    def snapshots(self, member):
        """Of the first two seeds: twice the same."""
        return [self.parameters(member)] * 2 if member.seed < 2 else []

    def parameters(self, member):
        family = Family.init(self.architecture, dataset().task, [member])
        own = family.parameters_of(member)
        # larger than a model's first weights, so that rankings differ
        return {name: tensor if name == "temperature" else tensor * 8 for name, tensor in own.items()}


@cache
def dataset():
    return load(Source(DATA))


@cache
def family(model="sasrec:dim=8,blocks=1", members=MEMBERS, names=EXPLAINERS) -> FamilyResult:
    """An untrained family, explained."""
    data, split = dataset(), dataset().splits["test"]
    job = Kept(Path("nowhere"), Path("nowhere"), model, "none", Fit(), names)
    people = tuple(Member(seed) for seed in range(members))
    parts = [job.parameters(member) for member in people]
    trained = Family(
        job.architecture,
        data.task,
        people,
        {name: torch.stack([part[name] for part in parts]) for name in parts[0]},
    )
    rows, target = torch.arange(ROWS), torch.zeros(ROWS, dtype=torch.long)
    found = {name: trained.explain(make("explainers", name), split, rows, target) for name in names}
    probabilities = trained.logits(split).double().softmax(-1)
    return FamilyResult(
        job, data, data.name, model, "none", people, (), probabilities, rows, target, found, {}, "cpu"
    )


def families() -> list[FamilyResult]:
    """One block and two, causal and both ways."""
    return [family(f"{name}:dim=8,blocks={blocks}") for name in ("sasrec", "bert4rec") for blocks in (1, 2)]


@cache
def rows() -> tuple[Measurement, ...]:
    """Everything that the study measures on them."""
    return tuple(own_rows(families()))


def made(scores, mask=None, name="mine", signed=False) -> Explanation:
    """An explanation with these scores."""
    values = torch.as_tensor(scores, dtype=torch.float64)
    there = torch.ones(values.shape[1:], dtype=torch.bool) if mask is None else mask
    people = tuple(Member(seed) for seed in range(len(values)))
    return Explanation(values * there, there, torch.zeros(len(there), dtype=torch.long), people, name, signed)
