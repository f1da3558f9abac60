"""A job is files: what is finished counts, what is not never happened."""

import json

import pytest
import torch

from holdfast.core.errors import BadRun
from holdfast.core.records import Member
from holdfast.repair.aswa import Aswa
from holdfast.train.fit import Fit, Trained
from holdfast.train.job import Job, fit_from_json, fit_to_json, stack, under
from holdfast.train.optimise import Sgd

FIT = Fit(epochs=3, batch=7, patience=2, optimiser=Sgd(lr=0.5, momentum=0.0), decay_embeddings=True)
TRAINED = Trained(Member(4), {"w": torch.arange(3.0)}, 2, (0.5, float("nan")), torch.ones(2, 5))


@pytest.fixture
def job(tmp_path):
    return Job(tmp_path / "cell", tmp_path / "data", "cnn:filters=4", "aswa", FIT, ("attention", "gradient"))


@pytest.fixture
def kept(job):
    job.keep_trained(TRAINED, {"logits/test": torch.zeros(6, 2)})
    return job


def test_saved_and_loaded_is_the_same_job(job):
    job.save()
    assert Job.load(job.folder) == job
    assert job.architecture.filters == 4
    assert job.mending == Aswa()


def test_a_fit_survives_json():
    assert fit_from_json(json.loads(json.dumps(fit_to_json(FIT)))) == FIT


def test_a_kept_member_comes_back(kept):
    about = kept.about(Member(4))
    assert (about["best"], about["history"], about["why"]) == (2, [0.5, None], None)
    assert torch.equal(kept.parameters(Member(4))["w"], torch.arange(3.0))
    tensors = kept.tensors(Member(4))
    assert tensors.keys() == {"parameter/w", "logits/test", "path"}
    assert torch.equal(tensors["path"], TRAINED.path)


def test_members_and_kinds_have_files_of_their_own(job):
    members = (Member(1), Member(1, 0), Member(1, 1), Member(11))
    paths = {job.path(member, kind) for member in members for kind in ("", ".explained")}
    assert len(paths) == 8
    assert job.path(Member(1, 0), ".explained").name == "seed-1-fold-0.explained.safetensors"


def test_a_member_never_kept_is_not_finished(job):
    assert job.about(Member(0)) is None


def test_without_its_note_a_member_is_not_finished(kept):
    kept.path(Member(4)).with_suffix(".json").unlink()
    assert kept.about(Member(4)) is None


@pytest.mark.parametrize("note", ["", "[]", "3", "{}", '{"sha256": 3}', "\udcff"])
def test_a_damaged_note_is_not_finished(kept, note):
    kept.path(Member(4)).with_suffix(".json").write_bytes(note.encode(errors="surrogateescape"))
    assert kept.about(Member(4)) is None


def test_a_flipped_bit_is_not_finished_and_not_read(kept):
    path = kept.path(Member(4))
    data = bytearray(path.read_bytes())
    data[-1] ^= 4
    path.write_bytes(data)
    assert kept.about(Member(4)) is None
    with pytest.raises(BadRun, match=r"seed-4\.safetensors is damaged"):
        kept.tensors(Member(4))


def test_tensors_that_are_gone_are_not_finished(kept):
    kept.path(Member(4)).unlink()
    assert kept.about(Member(4)) is None


def test_stack_and_under_are_plain():
    stacked = stack([{"a": torch.zeros(2)}, {"a": torch.ones(2)}])
    assert stacked["a"].tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert under("a/", {"a/x": torch.ones(1), "b/x": torch.zeros(1), "a/a/y": torch.ones(1)}).keys() == {
        "x",
        "a/y",
    }
