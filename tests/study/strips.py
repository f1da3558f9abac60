"""A few real families on a few digits, trained once for all tests."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from holdfast.commands.audit import carry_out
from holdfast.core.records import Member
from holdfast.data.source import Source, load
from holdfast.study import result as cells_of
from holdfast.study.plan import Plan
from holdfast.study.result import FamilyResult
from holdfast.train import worker
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from holdfast.train.optimise import Adam
from holdfast.train.untrained import UNTRAINED
from tests.study.tiny import here

EXPLAINERS = ("deep_taylor", "lrp", "sensitivity", "random")
FIT = Fit(epochs=1, batch=50, patience=1, optimiser=Adam(lr=3e-3))
MEMBERS = (Member(0), Member(1), Member(0, 0), Member(1, 1), Member(2, 2))


@cache
def families() -> tuple[FamilyResult, ...]:
    """Two families on the majority task with seeds and folds, and one on the sequence task with seeds."""
    folded = "digits-maj:folds=3,limit=600"
    return (
        *_trained(folded, ("shallow", "rlstm:stationary=true"), MEMBERS),
        *_trained("digits:limit=60", ("deep",), MEMBERS[:2]),
    )


def _trained(data: str, models: tuple[str, ...], members: tuple[Member, ...]) -> list[FamilyResult]:
    folder = Path(tempfile.mkdtemp(prefix="holdfast-strips-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    dataset = load(Source(data))
    dataset.save(folder / "data.safetensors")
    found = []
    for number, model in enumerate(models):
        job = Job(folder / str(number), folder / "data.safetensors", model, "none", FIT, EXPLAINERS)
        for member in members:
            worker.fit_member(job, member, lambda answer: None)
        kept = cells_of.ask(job, members, 40, dataset.splits["test"].targets)
        for member in (*kept, *UNTRAINED):
            worker.explain_member(job, member, lambda answer: None)
        found.append(cells_of.load(job, members, kept, dataset))
    return found


def images_plan() -> Plan:
    """A tiny audit of digits."""
    return Plan(
        data=(Source("digits:limit=60,steps=2"),),
        models=("shallow",),
        seeds=2,
        explainers=("lrp", "random"),
        comparisons=("jensen_shannon", "cosine"),
        fit=FIT,
        instances=12,
    )


@cache
def images() -> Path:
    """The folder of a finished tiny audit of digits. Look, do not touch."""
    folder = Path(tempfile.mkdtemp(prefix="holdfast-images-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with here():
        carry_out(images_plan(), folder / "run")
    return folder / "run"
