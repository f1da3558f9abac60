"""Scores are written as they come, by every network that is asked; what fails is written too."""

import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.train.explaining import explain
from holdfast.train.family import Family
from holdfast.train.fit import Trained
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile
from holdfast.train.untrained import UNTRAINED
from tests.train.test_untrained import REQUEST, job_in

MEMBERS = (Member(0), Member(1))


def test_stacked_members_answer_as_each_alone(planted, tmp_path, monkeypatch):
    one, both = job_in(tmp_path / "one"), job_in(tmp_path / "both")
    family = Family.init(one.architecture, planted.task, MEMBERS)
    for job in (one, both):
        for member in MEMBERS:
            job.keep_trained(Trained(member, family.parameters_of(member), 1, (), torch.empty(0)), {})
    for member in MEMBERS:
        explain(one, (member,), planted, one.explainers)
    monkeypatch.setattr("torch.Tensor.to", lambda self, *device: self)  # there is no GPU here
    explain(both, MEMBERS, planted, both.explainers, device="cuda")
    monkeypatch.undo()
    for member in MEMBERS:
        for text in one.explainers:
            alone, stacked = (ScoreFile(job, member, text).read(REQUEST).scores for job in (one, both))
            torch.testing.assert_close(stacked, alone, rtol=1e-4, atol=1e-6)


def test_it_tells_how_far_it_is_and_nothing_is_asked_of_nobody(planted, tmp_path):
    job, told = job_in(tmp_path), []
    explain(job, UNTRAINED[:1], planted, job.explainers, tell=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    count = len(told)
    assert count % 2 == 0
    explain(job, UNTRAINED[:1], planted, (), tell=told.append)
    assert len(told) == count
    assert Request.read(job.request).digest == REQUEST.digest


def test_what_fails_on_new_rows_was_not_asked_in_vain(planted, tmp_path, monkeypatch):
    job, group = job_in(tmp_path, ("gradient",)), UNTRAINED[:1]
    explain(job, group, planted, job.explainers)
    file = ScoreFile(job, group[0], "gradient")
    before = file.read(REQUEST).scores
    more = Request(
        torch.cat([REQUEST.rows, torch.tensor([18])]), torch.cat([REQUEST.target, torch.tensor([0])])
    )
    more.write(job.request)

    def fails(*args):
        raise BadSetting("too steep")

    monkeypatch.setattr("holdfast.train.explaining.scored", fails)
    explain(job, group, planted, job.explainers)
    assert file.read(more) == "BadSetting: too steep"
    REQUEST.write(job.request)
    explain(job, group, planted, job.explainers)  # nothing is asked, so nothing fails
    assert torch.equal(file.read(REQUEST).scores, before)
