"""A score file answers one request, with these weights and this code, or it does not count."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.errors import BadRun
from holdfast.core.records import Member
from holdfast.train.job import Job
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile, Scores, explainers_of, left
from holdfast.train.untrained import UNTRAINED
from tests.train.test_job import FIT, TRAINED

ASKED = Request(torch.tensor([2, 5]), torch.tensor([0, 1]))
ROWS = Request(torch.tensor([2, 6]), torch.tensor([0, 1]))
OTHER = Request(torch.tensor([2, 5]), torch.tensor([0, 0]))


@pytest.fixture
def job(tmp_path):
    job = Job(tmp_path / "cell", tmp_path / "data", "cnn", "none", FIT, ("gradient", "random"))
    job.keep_trained(TRAINED, {"logits/test": torch.zeros(6, 2)})
    return job


@pytest.fixture
def file(job):
    file = ScoreFile(job, Member(4), "gradient")
    file.keep(Scores(ASKED, torch.ones(2, 3), torch.zeros(2)))
    return file


def test_scores_come_back(file):
    own = file.read(ASKED)
    assert own.scores.tolist() == [[1.0] * 3] * 2
    assert own.lost.tolist() == [0.0, 0.0]
    assert file.about(ASKED)["explainer"] == "gradient"
    assert not file.signed


def test_a_failure_comes_back_and_is_not_signed(file):
    file.keep_failure(ASKED, "too steep")
    assert file.read(ASKED) == "too steep"
    assert file.about(ASKED) is not None
    assert not file.signed


@pytest.mark.parametrize("request_", [ROWS, OTHER])
def test_another_request_is_not_answered(file, request_):
    assert file.about(request_) is None
    with pytest.raises(BadRun, match=r"gradient/seed-4\.json is missing or damaged: run its command again"):
        file.read(request_)


def test_scores_of_other_weights_do_not_count(file, job):
    job.keep_trained(replace(TRAINED, path=torch.zeros(2, 5)), {"logits/test": torch.zeros(6, 2)})
    assert file.about(ASKED) is None


def test_a_flipped_bit_does_not_count(file):
    path = file.job.path(Member(4), "gradient")
    data = bytearray(path.read_bytes())
    data[-1] ^= 4
    path.write_bytes(data)
    assert file.about(ASKED) is None
    with pytest.raises(BadRun, match=r"seed-4\.safetensors is missing or damaged"):
        file.read(ASKED)


def test_only_what_is_not_there_is_left(file, job):
    assert left(job, Member(4), ASKED) == ["random"]
    assert left(job, Member(4), OTHER) == ["gradient", "random"]
    assert left(job, UNTRAINED[0], ASKED) == ["gradient"]
    assert explainers_of(job, UNTRAINED[0]) == ["gradient"]


def test_explainers_never_share_a_folder(job):
    texts = (
        "shapley",
        "shapley:samples=64",
        "shapley-samples=64",
        "./mine.py:Mine",
        "mine.py:Mine",
        "x" * 99,
    )
    kinds = [ScoreFile(job, Member(0), text).kind for text in texts]
    assert len(set(kinds)) == len(texts)
    assert all(len(kind) < 100 and "/" not in kind and not kind.startswith(".") for kind in kinds)


def test_a_failure_on_new_rows_keeps_the_scores_that_are_there(file, job):
    more = Request(torch.tensor([2, 5, 6]), torch.tensor([0, 1, 1]))
    file.keep_failure(more, "too steep")
    assert file.read(more) == "too steep"
    assert file.read(ASKED).scores.tolist() == [[1.0] * 3] * 2
    assert file.read(ASKED).lost.tolist() == [0.0, 0.0]
    assert file.about(ASKED._replace(keep=True)) is not None
    assert file.held().request.entries == ASKED.entries
    file.keep_failure(OTHER, "again")
    assert file.held().request.entries == ASKED.entries
    other = ScoreFile(job, Member(4), "random")
    other.keep_failure(ASKED, "nothing was there")
    assert other.held() is None
    with pytest.raises(BadRun, match="missing or damaged"):
        other.read(OTHER)
