"""A job is files: what is finished counts, what is not never happened."""

import json
from dataclasses import replace

import pytest
import torch

from holdfast.core.errors import BadRun
from holdfast.core.files import sha256
from holdfast.core.records import Member
from holdfast.repair.aswa import Aswa
from holdfast.train.fit import Fit, Trained
from holdfast.train.job import Job, fit_from_json, fit_to_json, stack, under
from holdfast.train.optimise import Sgd
from holdfast.train.untrained import UNTRAINED

FIT = Fit(epochs=3, batch=7, patience=2, optimiser=Sgd(lr=0.5, momentum=0.0), decay_embeddings=True)
TRAINED = Trained(Member(4), {"w": torch.arange(3.0)}, 2, (0.5, float("nan")), torch.ones(2, 5))


@pytest.fixture
def job(tmp_path):
    return Job(tmp_path / "cell", tmp_path / "data", "cnn:filters=4", "aswa", FIT, ("attention", "gradient"))


@pytest.fixture
def kept(job):
    job.keep_trained(TRAINED, {"logits/test": torch.zeros(6, 2)})
    return job


def test_told_to_a_worker_it_is_the_same_job(job):
    assert Job.from_json(json.loads(json.dumps(job.to_json()))) == job
    assert job.architecture.filters == 4
    assert job.repair_settings == Aswa()


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
    members = (Member(1), Member(1, 0), Member(1, 1), Member(11), *UNTRAINED)
    paths = {job.path(member, kind) for member in members for kind in ("", "gradient")}
    assert len(paths) == 12
    assert job.path(Member(1, 0), "gradient") == job.folder / "gradient" / "seed-1-fold-0.safetensors"
    assert job.path(UNTRAINED[1], "gradient") == job.folder / "gradient" / "untrained-1.safetensors"


def test_a_member_never_kept_is_not_finished(job):
    assert job.about(Member(0)) is None


def test_without_its_note_a_member_is_not_finished(kept):
    kept.path(Member(4)).with_suffix(".json").unlink()
    assert kept.about(Member(4)) is None


@pytest.mark.parametrize("note", ["", "[]", "3", "{}", '{"sha256": 3}', "\udcff", "[" * 100_000])
def test_a_damaged_note_is_not_finished(kept, note):
    kept.path(Member(4)).with_suffix(".json").write_bytes(note.encode(errors="surrogateescape"))
    assert kept.about(Member(4)) is None
    with pytest.raises(BadRun, match=r"seed-4\.json is missing or damaged: run its command again"):
        kept.tensors(Member(4))


def test_every_flipped_bit_of_a_note_is_seen(kept):
    """``"why"`` read as ``"wiy"`` must be no other answer, and no error of ours."""
    path = kept.path(Member(4)).with_suffix(".json")
    data = path.read_bytes()
    for place in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        assert kept.note(Member(4)) is None, place


def test_a_flipped_bit_is_not_finished_and_not_read(kept):
    path = kept.path(Member(4))
    data = bytearray(path.read_bytes())
    data[-1] ^= 4
    path.write_bytes(data)
    assert kept.about(Member(4)) is None
    with pytest.raises(BadRun, match=r"seed-4\.safetensors is missing or damaged: run its command again"):
        kept.tensors(Member(4))


def test_tensors_that_are_gone_are_not_finished(kept):
    kept.path(Member(4)).unlink()
    assert kept.about(Member(4)) is None


def test_answers_of_other_weights_do_not_count(kept):
    kept.keep_answers(Member(4))
    assert kept.about(Member(4), "answers") is not None
    assert list(kept.tensors(Member(4), "answers")) == ["logits/test"]
    kept.keep_trained(replace(TRAINED, best=1, path=torch.zeros(2, 5)), {"logits/test": torch.zeros(6, 2)})
    assert kept.about(Member(4), "answers") is None


def test_digests_are_of_both_files(kept):
    found = kept.digests(Member(4))
    assert {path.name for path in found} == {"seed-4.safetensors", "seed-4.json"}
    assert all(sha256(path.read_bytes()) == digest for path, digest in found.items())


def test_stack_and_under_are_plain():
    stacked = stack([{"a": torch.zeros(2)}, {"a": torch.ones(2)}])
    assert stacked["a"].tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert under("a/", {"a/x": torch.ones(1), "b/x": torch.zeros(1), "a/a/y": torch.ones(1)}).keys() == {
        "x",
        "a/y",
    }
