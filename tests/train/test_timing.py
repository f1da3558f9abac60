import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.train import timing
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from holdfast.train.seats import full_batch

EXPLAINERS = ("attention", "leave_one_out")


class Clock:
    """A clock that goes on by a second at each look."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 1.0
        return self.now


@pytest.fixture
def job(tmp_path):
    def made(**changes):
        about = {"model": "cnn:filters=4,dim=8", "repair": "none", "fit": Fit(), "explainers": EXPLAINERS}
        return Job(tmp_path, tmp_path / "data", **(about | changes))

    return made


def test_it_is_timed_for_real(job, planted):
    epoch, explain = timing.member_seconds(job(), planted, 40)
    assert 0 < epoch < 30
    assert 0 < explain < 30


def test_a_few_examples_stand_for_all(job, planted, monkeypatch):
    """Each explainer's full batch takes a second; there are forty examples."""
    monkeypatch.setattr(timing, "time", Clock())
    sizes = [len(full_batch(planted.splits["test"], make("explainers", text).batch)) for text in EXPLAINERS]
    assert timing.member_seconds(job(), planted, 40)[1] == pytest.approx(sum(40 / size for size in sizes))
    half, all_ = (timing.member_seconds(job(explainers=EXPLAINERS[:1]), planted, n)[1] for n in (20, 10**6))
    assert (half, all_) == pytest.approx((20 / sizes[0], 40 / sizes[0]))


def test_what_cannot_explain_costs_nothing(job, planted, monkeypatch):
    monkeypatch.setattr(timing, "time", Clock())
    assert timing.member_seconds(job(model="rlstm", explainers=("attention",)), planted, 40)[1] == 0


def test_nothing_is_changed(job, planted):
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    timing.member_seconds(job(fit=Fit(snapshots=2)), planted, 4)
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads
    assert not list(job().folder.iterdir())
