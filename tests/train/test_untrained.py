"""Networks as they start: which explains which row, and what is stored of them."""

from pathlib import Path

import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.explain.gradient import Gradient
from holdfast.train.explaining import explain
from holdfast.train.family import initial, template
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile
from holdfast.train.scores import scores
from holdfast.train.seats import turns
from holdfast.train.untrained import EACH, FIRST, UNTRAINED, shares

MODEL = "cnn:filters=4,dim=16"
REQUEST = Request(torch.tensor([1, 4, 9, 12, 17]), torch.tensor([0, 1, 1, 0, 1]))


def job_in(folder: Path, explainers: tuple[str, ...] = ("gradient", "leave_one_out")) -> Job:
    job = Job(folder, folder / "data", MODEL, "none", Fit(), explainers)
    REQUEST.write(job.request)
    return job


def test_a_rows_networks_do_not_depend_on_what_else_is_asked(planted):
    split = planted.splits["test"]
    whole = shares(split, torch.arange(len(split)))
    assert sorted(torch.cat(whole).tolist()) == list(range(len(split)))
    some = shares(split, REQUEST.rows)
    for all_, few in zip(whole, some, strict=True):
        assert set(REQUEST.rows[few].tolist()) == set(all_.tolist()) & set(REQUEST.rows.tolist())


def test_each_row_is_explained_by_one_network_of_each_group(planted, tmp_path):
    job, split = job_in(tmp_path), planted.splits["test"]
    for group in UNTRAINED:
        explain(job, (group,), planted, job.explainers)
    architecture = make("models", MODEL)
    model, draws = template(architecture, planted.task), turns(split, REQUEST.rows, EACH)
    for k, group in enumerate(UNTRAINED):
        own = ScoreFile(job, group, "gradient").read(REQUEST).scores
        for place, (row, target) in enumerate(zip(*REQUEST[:2], strict=True)):
            member = Member(FIRST + EACH * k + int(draws[place]))
            alone = scores(
                model,
                initial(architecture, planted.task, member),
                (member,),
                make("explainers", "gradient"),
                split,
                row[None],
                target[None],
                stacked=False,
            )[0, 0]
            torch.testing.assert_close(own[place, : len(alone)], alone)
            assert not own[place, len(alone) :].any()


def test_groups_can_be_stacked(planted, tmp_path, monkeypatch):
    one, all_ = job_in(tmp_path / "one"), job_in(tmp_path / "all")
    for group in UNTRAINED:
        explain(one, (group,), planted, one.explainers)
    monkeypatch.setattr("torch.Tensor.to", lambda self, *device: self)  # there is no GPU here
    explain(all_, UNTRAINED, planted, all_.explainers, device="cuda")
    monkeypatch.undo()
    for group in UNTRAINED:
        for text in one.explainers:
            alone, stacked = (ScoreFile(job, group, text).read(REQUEST).scores for job in (one, all_))
            torch.testing.assert_close(stacked, alone, rtol=1e-4, atol=1e-6)


def test_an_explainer_that_fails_on_them_is_recorded_and_the_others_go_on(planted, tmp_path, monkeypatch):
    def refuse(self, *about):
        raise RuntimeError("too flat")

    job = job_in(tmp_path)
    monkeypatch.setattr(Gradient, "scores", refuse)
    explain(job, UNTRAINED[:1], planted, job.explainers)
    assert ScoreFile(job, UNTRAINED[0], "gradient").read(REQUEST) == "RuntimeError: too flat"
    assert ScoreFile(job, UNTRAINED[0], "leave_one_out").read(REQUEST).scores.any()
