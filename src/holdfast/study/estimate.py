"""How long the work of a study will take, before it begins."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.study.engine import Unit, in_order
from holdfast.train.job import Job
from holdfast.train.request import Request
from holdfast.train.score_file import left
from holdfast.train.timing import member_seconds
from holdfast.train.untrained import UNTRAINED

WORTH = 20_000  # training examples, counted in every epoch: less is over before it is estimated
PATIENCE = 15.0  # seconds of timing at most; the models left are taken to be like those before


class Cost(NamedTuple):
    """Seconds of one epoch of a member, and of explaining its examples."""

    epoch: float
    explain: float


@dataclass(frozen=True)
class Estimate:
    """Between how many seconds training and explaining will take; members may stop early, hence two."""

    least: float
    most: float


def estimate(
    units: Sequence[Unit], datasets: dict[Path, Dataset], instances: int | None, workers: int
) -> Estimate | None:
    """The time that what is not finished of ``units`` takes on so many cores; None where it is short,
    or where members are fitted without epochs.

    A few steps of every model, and explaining a few examples, are timed on this machine as it is now.
    """
    untrained = [
        (job, member)
        for stage in in_order(units)
        for job, member in stage
        if job.about(member) is None and not job.architecture.files
    ]
    unexplained = [unit for unit in units if unit in untrained or not _explained(*unit)]
    if any(job.architecture.fits for job, _ in untrained):
        return None
    if sum(job.fit.epochs * len(datasets[job.data].splits["train"]) for job, _ in untrained) < WORTH:
        return None
    costs = _costs([*unexplained, *untrained], datasets, instances)
    starting = {job.folder: (job, UNTRAINED[0]) for job, _ in unexplained if not job.change}.values()
    networks = [*unexplained, *(unit for unit in starting for _ in UNTRAINED if not _explained(*unit))]
    explain = sum(costs[job.data, job.model].explain for job, _ in networks)
    least, most = (
        sum(costs[job.data, job.model].epoch * _epochs(job)[end] for job, _ in untrained) + explain
        for end in (0, 1)
    )
    return Estimate(least / workers, most / workers)


def _explained(job: Job, member: Member) -> bool:
    return job.request.exists() and not left(job, member, Request.read(job.request))


def _epochs(job: Job) -> tuple[int, int]:
    """The fewest and the most epochs that a member may train."""
    fit = job.fit
    stops = job.repair_settings.stops and not fit.last
    return min(fit.epochs, fit.patience + 1) if stops else fit.epochs, fit.epochs


def _costs(
    units: Sequence[Unit], datasets: dict[Path, Dataset], instances: int | None
) -> dict[tuple[Path, str], Cost]:
    began, costs = time.monotonic(), dict[tuple[Path, str], Cost]()
    for job, _ in units:
        key, dataset = (job.data, job.model), datasets[job.data]
        if key in costs:
            continue
        if costs and time.monotonic() - began > PATIENCE:
            costs[key] = Cost(*(sum(parts) / len(parts) for parts in zip(*costs.values(), strict=True)))
        else:
            costs[key] = Cost(*member_seconds(job, dataset, instances or len(dataset.splits["test"])))
    return costs
