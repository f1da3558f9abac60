"""Explanations after every epoch are those of the weights that were kept."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.records import Member
from holdfast.data.sources import Source
from holdfast.study import cell as cells
from holdfast.study.cell import Cell
from holdfast.study.plan import Plan
from holdfast.study.rollout_stages import recall_rows, stages
from holdfast.study.run import conduct, settled
from holdfast.study.store import opened
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from tests.study.items import DATA, MODEL, dataset, finished
from tests.study.tiny import here


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Cell:
    fit = Fit(epochs=2, batch=32, patience=2, snapshots=1)
    plan = Plan((Source(DATA),), (MODEL,), seeds=2, explainers=("rollout", "gradient", "random"), fit=fit)
    plan = replace(settled(plan, None), instances=10)
    with here(), opened(tmp_path_factory.mktemp("stages") / "run", plan, fresh=False) as store:
        return conduct(plan, store).cells[0]


def test_each_epoch_is_explained_by_its_own_weights(cell: Cell) -> None:
    found = stages(cell)
    assert [sorted(stage) for stage in found] == [["gradient", "rollout"]] * 2
    first, last = (stage["gradient"] for stage in found)
    assert first.members == last.members == (Member(0),)
    assert not torch.equal(first.scores, last.scores)
    best = (cell.job.about(Member(0)) or {})["best"]
    kept = cell.explanations["gradient"].scores[:1]
    assert torch.equal(found[best - 1]["gradient"].scores, kept)


def test_recall_after_every_epoch(cell: Cell) -> None:
    rows = list(recall_rows(cell))
    histories = [(cell.job.about(member) or {})["history"] for member in cell.members]
    assert [row.value for row in rows] == pytest.approx(
        [sum(both) / 2 for both in zip(*histories, strict=True)]
    )
    assert [(row.by, row.bin) for row in rows] == [("epoch", "1"), ("epoch", "2")]


def test_without_snapshots_there_is_nothing_to_see() -> None:
    members = tuple(Member(seed) for seed in range(3))
    job = Job.load(next(iter((finished() / "cells").iterdir())))
    assert stages(cells.load(job, members, members, dataset())) == []
