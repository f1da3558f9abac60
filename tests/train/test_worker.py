"""Worker processes give the very bits that this process gives, one or two of them, resumed or not."""

import json
import os
import subprocess
import sys

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadRun, Failed
from holdfast.core.files import write_tensors
from holdfast.core.records import Member
from holdfast.explain.gradient import Gradient
from holdfast.study.engine import Engine
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile, left
from holdfast.train.scores import scores
from holdfast.train.worker import explain_member, fit_member, work
from tests.train.linear import digits

MEMBERS = (Member(0), Member(1), Member(2))
EXPLAINERS = ("attention", "gradient", "random")
ROWS, TARGET = torch.tensor([4, 9, 1]), torch.tensor([1, 0, 1])


@pytest.fixture(scope="module")
def job_in(planted, tmp_path_factory):
    """Make a job in a folder of its own."""
    data = tmp_path_factory.mktemp("data") / "data.safetensors"
    planted.save(data)

    def made(name, **changes):
        folder = tmp_path_factory.mktemp(name)
        settings = {"model": "cnn:filters=4,dim=16", "repair": "none", "fit": Fit(epochs=2)} | changes
        job = Job(folder, data, explainers=EXPLAINERS, **settings)
        write_tensors(job.request, {"rows": ROWS, "target": TARGET})
        return job

    return made


def run(job, members, workers, heard=None):
    """Train and explain with worker processes."""
    units = [(job, member) for member in members]
    listen = (lambda *said: heard.append(said)) if heard is not None else lambda *said: None
    with Engine(workers=workers, listen=listen) as engine:
        engine.fit(units, {})
        engine.explain(units, {})


def files(job):
    """Every file of the finished members, by name."""
    return {str(path.relative_to(job.folder)): path.read_bytes() for path in job.folder.rglob("seed-*.*")}


@pytest.fixture(scope="module")
def by_one(job_in):
    """The job done by one worker."""
    job = job_in("one")
    run(job, MEMBERS, 1)
    return job


def test_a_worker_gives_what_this_process_gives_bit_for_bit(by_one, family, planted):
    for m, member in enumerate(MEMBERS):
        own = by_one.parameters(member)
        for name, tensor in family.parameters.items():
            assert torch.equal(tensor[m], own[name]), name
        answers = by_one.tensors(member, "answers")
        assert torch.equal(answers.pop("logits/test"), by_one.tensors(member)["logits/test"])
        assert not answers
        for name in EXPLAINERS:
            tensor = by_one.tensors(member, name)["scores"]
            explainer, split = make("explainers", name), planted.splits["test"]
            here = scores(family.model, own, (member,), explainer, split, ROWS, TARGET, stacked=False)[0]
            assert torch.equal(tensor, here), name


def test_two_workers_and_a_resumed_run_give_the_very_same_files(by_one, job_in):
    job, heard = job_in("two"), []
    run(job, MEMBERS[1:2], 2)
    before = job.path(Member(1)).stat()
    run(job, MEMBERS, 2, heard)
    after = job.path(Member(1)).stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino), "trained again"
    assert files(job) == files(by_one)
    assert heard[0] == ("training", 1, 3), "what is finished counts from the start"
    assert heard[-1] == ("explaining", 3.0, 3)


def test_tasks_done_in_this_process_give_the_same_files(by_one, job_in):
    job, told = job_in("here"), []
    fit_member(job, Member(2), told.append)
    explain_member(job, Member(2), told.append)
    theirs = files(by_one)
    assert files(job) == {name: theirs[name] for name in files(job)}
    assert len(files(job)) == 10
    assert told == [
        {"epoch": 1, "epochs": 2, "ended": False},
        {"epoch": 2, "epochs": 2, "ended": True},
        {"epoch": 1 / 3, "epochs": 1, "ended": False},
        {"epoch": 2 / 3, "epochs": 1, "ended": False},
        {"epoch": 1, "epochs": 1, "ended": True},
    ]


def test_an_explainer_that_fails_is_noted_and_the_others_go_on(by_one, job_in, monkeypatch):
    def refuse(self, run, batch, target, noise=None):
        raise RuntimeError("too steep")

    job = job_in("failing")
    fit_member(job, Member(0), lambda answer: None)
    monkeypatch.setattr(Gradient, "scores", refuse)
    explain_member(job, Member(0), lambda answer: None)
    request = Request.read(job.request)
    assert ScoreFile(job, Member(0), "gradient").read(request) == "RuntimeError: too steep"
    assert left(job, Member(0), request) == [], "what failed is not tried again"
    for name in ("attention", "random"):
        assert ScoreFile(job, Member(0), name).read(request).scores.shape[0] == len(ROWS)


def test_work_says_what_is_wrong_with_a_job(tmp_path):
    job = Job(tmp_path, tmp_path / "data.safetensors", "cnn", "none", Fit())
    with pytest.raises(BadRun, match=r"data\.safetensors"):
        work({"do": "fit", "job": job.to_json(), "seed": 0}, lambda answer: None)


def test_an_error_in_a_worker_is_passed_on(job_in):
    job = job_in("broken", model="nothing")
    with pytest.raises(Failed, match=r"^seed 0: unknown model 'nothing'"):
        run(job, MEMBERS[:1], 1)


def test_a_worker_stops_in_the_middle_when_its_input_ends(job_in):
    job = job_in("endless", fit=Fit(epochs=10**6, patience=10**6))
    task = {"do": "fit", "job": job.to_json(), "seed": 0, "fold": None, "id": 5}
    command, pipe = [sys.executable, "-m", "holdfast.train.worker"], subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"}
    ) as process:
        process.stdin.write(json.dumps(task) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"id": 5, "epoch": 1, "epochs": 10**6, "ended": False}
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    assert files(job) == {}


def test_folds_of_strips(tmp_path):
    """A worker writes what a fold's member says of the rows it never saw."""
    data = digits("limit=250,folds=2")
    data.save(tmp_path / "data.safetensors")
    job = Job(tmp_path / "job", tmp_path / "data.safetensors", "shallow", "none", Fit(epochs=1), ("random",))
    member = Member(0, 1)
    write_tensors(job.request, {"rows": ROWS, "target": TARGET})
    for do in (fit_member, explain_member):
        do(job, member, lambda answer: None)
    found, held = job.tensors(member), data.splits["train"].held(member)
    assert found["logits/held"].shape == (len(held), 10)
    assert found["logits/test"].shape == (200, 10)
    assert job.tensors(member, "random")["scores"].shape == (3, 192)
