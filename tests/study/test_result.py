from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadRun, TooFewMembers
from holdfast.core.files import read_tensors
from holdfast.core.records import Member
from holdfast.explain.integrated_gradients import IntegratedGradients
from holdfast.study import result as results
from holdfast.train.family import Family
from holdfast.train.fit import Fit
from holdfast.train.job import Job, stack
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile
from holdfast.train.untrained import UNTRAINED
from tests.study.strips import families as strips
from tests.study.tiny import copied, dataset, family, finished, flip, plan, weights

MEMBERS = plan().members


def job_of(run: Path) -> Job:
    (folder,) = (run / "families").iterdir()
    return Job(folder, run / "data-0.safetensors", plan().models[0], "none", Fit(epochs=2), plan().explainers)


def fake(folder: Path, logits: list[list[list[float]]], whys: list[str | None]) -> Job:
    """A job whose members have these logits on the test texts."""
    job = Job(folder, folder / "data", "cnn", "none", Fit())
    for number, (own, why) in enumerate(zip(logits, whys, strict=True)):
        job.keep(Member(number), {"logits/test": torch.tensor(own)}, {"why": why, "history": [], "best": 1})
    return job


def asked(job: Job) -> dict[str, torch.Tensor]:
    return read_tensors(job.request)


def test_the_target_is_the_consensus_and_not_the_majority(tmp_path: Path) -> None:
    # two members lean to class 0, the third is sure of class 1: together they favour class 1
    logits = [[[0.1, 0.0]], [[0.1, 0.0]], [[-9.0, 9.0]]]
    job = fake(tmp_path, logits, [None] * 3)
    assert results.ask(job, MEMBERS, None) == MEMBERS
    assert asked(job)["target"].tolist() == [1]


def test_a_member_left_out_has_no_say(tmp_path: Path) -> None:
    logits = [[[0.1, 0.0]], [[0.1, 0.0]], [[-9.0, 9.0]]]
    job = fake(tmp_path, logits, [None, None, "diverged in epoch 1"])
    assert results.ask(job, MEMBERS, None) == MEMBERS[:2]
    assert asked(job)["target"].tolist() == [0]


@pytest.mark.parametrize(("bound", "count"), [(None, 30), (30, 30), (31, 30), (7, 7), (1, 1)])
def test_instances_bound_what_is_explained(tmp_path: Path, bound: int | None, count: int) -> None:
    job = fake(tmp_path, torch.randn(2, 30, 2).tolist(), [None] * 2)
    results.ask(job, MEMBERS[:2], bound)
    rows = asked(job)["rows"].tolist()
    assert len(rows) == count
    assert rows == sorted(set(rows))
    assert set(rows) <= set(range(30))


def test_the_same_question_every_time(tmp_path: Path) -> None:
    job = fake(tmp_path, torch.randn(2, 30, 2).tolist(), [None] * 2)
    results.ask(job, MEMBERS[:2], 5)
    before = (tmp_path / "request.safetensors").read_bytes()
    results.ask(job, MEMBERS[:2], 5)
    assert (tmp_path / "request.safetensors").read_bytes() == before


def test_fewer_than_two_members_are_too_few(tmp_path: Path) -> None:
    job = fake(tmp_path, [[[0.0, 1.0]]] * 3, [None, "diverged in epoch 1", "diverged in epoch 2"])
    with pytest.raises(TooFewMembers) as caught:
        results.ask(job, MEMBERS, None)
    assert str(caught.value) == (
        "1 of 3 members trained well, but two are needed "
        "(seed 1: diverged in epoch 1; seed 2: diverged in epoch 2)"
    )


def test_a_cell_has_what_its_members_answered() -> None:
    run = finished()
    job = job_of(run)
    loaded = results.load(job, MEMBERS, MEMBERS, dataset())
    assert loaded.probabilities.shape == (3, 30, 2)
    assert torch.allclose(loaded.probabilities.sum(-1), torch.ones(3, 30).double())
    assert list(loaded.explanations) == list(plan().explainers)
    assert loaded.mask.sum(1).tolist() == dataset().splits["test"].lengths[loaded.rows].tolist()
    for k, row in enumerate(loaded.rows.tolist()):
        mean = loaded.probabilities[:, row].mean(0)
        assert int(loaded.target[k]) == int(mean.argmax())
        assert loaded.explained[:, k].tolist() == loaded.probabilities[:, row, int(loaded.target[k])].tolist()
    for explanation in loaded.explanations.values():
        assert not explanation.scores[:, ~explanation.mask].any()


def test_what_integrated_gradients_miss_is_kept_with_them(tmp_path: Path) -> None:
    job = job_of(copied(tmp_path / "run"))
    loaded = results.load(job, MEMBERS, MEMBERS, dataset())
    own = loaded.explanations["integrated_gradients"]
    trained = Family(job.architecture, dataset().task, MEMBERS, stack([job.parameters(m) for m in MEMBERS]))
    test, explainer = dataset().splits["test"], IntegratedGradients()
    again = trained.explain(explainer, test, loaded.rows, loaded.target)
    torch.testing.assert_close(own.lost, again.lost, rtol=1e-6, atol=1e-6)
    batch = test.batch(loaded.rows)
    for m in range(len(MEMBERS)):
        total = explainer.total(trained.run(m), batch, loaded.target)
        torch.testing.assert_close(own.evidence[m].float(), total, rtol=1e-4, atol=1e-5)
    assert loaded.explanations["gradient"].lost is None


def test_some_rows_of_a_cell() -> None:
    whole = family()
    some = whole.at(torch.tensor([3, 13]))
    assert some.rows.tolist() == [3, 13]
    for name, explanation in some.explanations.items():
        width = explanation.mask.shape[1]
        assert torch.equal(explanation.scores, whole.explanations[name].scores[:, [2, 9], :width])
        assert torch.equal(explanation.mask, whole.mask[[2, 9], :width])
        assert width == int(whole.mask[[2, 9]].sum(1).max())


def test_scores_that_are_no_numbers_are_a_failed_explainer(tmp_path: Path) -> None:
    job = job_of(copied(tmp_path / "run"))
    file = ScoreFile(job, Member(1), "gradient")
    own = file.read(Request.read(job.request))
    own.scores[3, 0] = torch.nan
    file.keep(own)
    loaded = results.load(job, MEMBERS, MEMBERS, dataset())
    assert loaded.failed == {"gradient": "its scores are not all finite numbers"}
    assert "gradient" not in loaded.explanations
    assert "attention" in loaded.explanations


def test_a_damaged_note_is_refused_not_forgotten(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    flip(weights(run, 1).with_suffix(".json"))
    with pytest.raises(BadRun, match=r"seed-1\.json is missing or damaged: run its command again"):
        results.trained(run, job_of(run), MEMBERS)


def test_damaged_explanations_are_refused_not_forgotten(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    flip(weights(run, 1, "gradient"))
    told = r"gradient/seed-1\.safetensors is missing or damaged: run its command again"
    with pytest.raises(BadRun, match=told):
        results.load(job_of(run), MEMBERS, MEMBERS, dataset())


def test_trained_members_are_those_without_a_reason(tmp_path: Path) -> None:
    job = fake(tmp_path, [[[0.0, 1.0]]] * 3, [None, "diverged", None])
    assert results.trained(tmp_path, job, MEMBERS) == (Member(0), Member(2))
    job = fake(tmp_path, [[[0.0, 1.0]]] * 3, [None, "diverged", "diverged"])
    with pytest.raises(BadRun, match="1 of 3 members trained well, but two are needed"):
        results.trained(tmp_path, job, MEMBERS)


def test_the_target_is_the_truth_where_it_is_asked_for(tmp_path: Path) -> None:
    job = fake(tmp_path, torch.randn(2, 30, 3).tolist(), [None] * 2)
    truth = torch.arange(30) % 3
    results.ask(job, MEMBERS[:2], 7, truth)
    asked_for = asked(job)
    assert torch.equal(asked_for["target"], truth[asked_for["rows"]])
    results.ask(job, MEMBERS[:2], 7)
    assert torch.equal(asked(job)["rows"], asked_for["rows"]), "which rows does not depend on the target"


def test_some_members_of_a_cell() -> None:
    whole = family()
    assert whole.only(whole.members) is whole
    some = whole.only([Member(3), Member(1), Member(9)])
    assert some.members == (Member(1), Member(3))
    assert torch.equal(some.probabilities, whole.probabilities[[1, 3]])
    assert torch.equal(some.explained, whole.explained[[1, 3]])
    for name, explanation in some.explanations.items():
        assert explanation.members == some.members
        assert torch.equal(explanation.scores, whole.explanations[name].scores[[1, 3]])
    assert torch.equal(some.rows, whole.rows)


def test_folds_are_other_members_than_seeds() -> None:
    folded = strips()[0]
    seeds = folded.only([Member(0), Member(1)])
    assert seeds.members == (Member(0), Member(1))
    assert folded.members[2:] == (Member(0, 0), Member(1, 1), Member(2, 2))
    assert torch.equal(folded.target, folded.targets[folded.rows])
    assert folded.mask.shape == (len(folded.rows), 12 * 8 * 2)


def test_a_family_has_what_untrained_networks_say() -> None:
    loaded = results.load(job_of(finished()), MEMBERS, MEMBERS, dataset())
    assert list(loaded.untrained) == [name for name in plan().explainers if name != "random"]
    for name, scores in loaded.untrained.items():
        assert scores.shape == (2, *loaded.mask.shape), name
        assert not scores[:, ~loaded.mask].any()
        assert not torch.equal(scores[0], scores[1])
    some = loaded.at(loaded.rows[[2, 5]]).only(MEMBERS[:2])
    width = some.mask.shape[1]
    assert torch.equal(some.untrained["gradient"], loaded.untrained["gradient"][:, [2, 5], :width])


def test_without_untrained_scores_the_rest_goes_on(tmp_path: Path) -> None:
    job = job_of(copied(tmp_path / "run"))
    ScoreFile(job, UNTRAINED[1], "gradient").keep_failure(Request.read(job.request), "too flat")
    loaded = results.load(job, MEMBERS, MEMBERS, dataset())
    assert "gradient" in loaded.explanations
    assert "gradient" not in loaded.untrained
    assert "attention" in loaded.untrained
    assert loaded.failed == {}
