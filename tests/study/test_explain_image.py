import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadData, BadInput, BadRun, BadSetting, Failed, UnknownName
from holdfast.core.files import read_tensors
from holdfast.core.records import Member
from holdfast.study import explain_image as module
from holdfast.study.explain_image import ImageExample, explain_image
from holdfast.study.in_run import best_first
from tests.study.majority import dataset, majority, right_row
from tests.study.strips import images
from tests.study.tiny import finished

ROW = 7
ATTEND = (
    "attention",
    "attention_first",
    "attention_last",
    "flow",
    "gradient_rollout",
    "rollout",
    "signed_attention",
)


@pytest.fixture(scope="module")
def one() -> ImageExample:
    return explain_image(majority(), row=ROW)


@pytest.fixture(scope="module")
def right() -> ImageExample:
    return explain_image(majority(), row=right_row())


def shares(values: list[list[float]]) -> np.ndarray:
    """Each seed's scores over the sum of their absolute values."""
    return np.array([np.array(own) / np.abs(own).sum() for own in values])


def test_every_seed_explains_the_class_they_favour_together(one: ImageExample) -> None:
    assert (one.data, one.model, one.repair) == (dataset().name, "shallow", "none")
    assert (one.source, one.white, one.row) == (f"test image 7 of {dataset().name}", 16, 7)
    assert one.seeds == (0, 1, 2)
    assert (one.height, one.width, len(one.pixels)) == (8, 24, 192)
    drawn = dataset().images("test", torch.tensor([ROW]))[0].flatten()
    assert one.pixels == pytest.approx(drawn.tolist(), abs=1e-4)
    assert one.label == dataset().task.classes[int(dataset().splits["test"].targets[ROW])]
    assert tuple(heat.heat.explainer for heat in one.heats) == best_first(
        majority(), "shallow", "none", ("lrp", "sensitivity")
    )
    (name, why), *others = one.left_out
    assert (name, others) == ("attention", [])
    assert why == (
        "attention: expected a model with attention, but got one without: "
        "choose gradient, leave_one_out or shapley instead"
    )


def test_a_test_image_gets_the_scores_of_the_study() -> None:
    job = module.load_family(majority(), None, None).job
    question = read_tensors(job.request)
    row, target = int(question["rows"][0]), int(question["target"][0])
    found = explain_image(majority(), row=row, explainers=("lrp", "sensitivity", "random"))
    assert found.target == dataset().task.classes[target]
    for heat in found.heats:
        known = [job.tensors(Member(s), heat.heat.explainer)["scores"][0] for s in found.seeds]
        own = shares([dataset().image(scores.double()).flatten().tolist() for scores in known])
        assert np.array(heat.heat.scores) == pytest.approx(own, rel=1e-3, abs=1e-6)
        logits = torch.stack([job.tensors(Member(s))["logits/test"][row] for s in found.seeds])
        if heat.heat.explainer == "lrp":  # the evidence of a strip model is its logit
            whole = logits[:, target]
            gone = (whole - torch.stack([scores.sum() for scores in known])) / whole
            assert heat.heat.lost == pytest.approx(float(gone.abs().mean()), abs=1e-3)
        else:
            assert heat.heat.lost is None
        assert found.probabilities == pytest.approx(logits.double().softmax(-1)[:, target].tolist(), abs=1e-5)


def test_shares_of_strips_and_blocks_by_hand(right: ImageExample) -> None:
    """In loops over pixels: six columns are a strip, eight a block."""
    truth = dataset().splits["test"].majority
    assert truth is not None
    assert right.truth == tuple(truth[right.row].tolist())
    assert sum(right.truth) == 2
    for heat in right.heats:
        assert heat.heat.consensus == pytest.approx(np.mean(heat.heat.scores, 0).tolist(), abs=1e-5)
        total = sum(abs(value) for value in heat.heat.consensus)
        for strip in range(4):
            own = [v for place, v in enumerate(heat.heat.consensus) if place % 24 // 6 == strip]
            up, down = (sum(max(0.0, sign * v) for v in own) / total for sign in (1, -1))
            assert (heat.speaks_for[strip], heat.against[strip]) == pytest.approx((up, down), abs=1e-3)
            assert heat.strips[strip] == pytest.approx(up + down, abs=1e-3)
        for share, scores in zip(heat.right, heat.heat.scores, strict=True):
            blocks = [0.0, 0.0, 0.0]
            for place, value in enumerate(scores):
                blocks[place % 24 // 8] += max(0.0, value)
            decide = sum(own for own, true in zip(blocks, right.truth, strict=True) if true)
            assert share == pytest.approx(decide / sum(blocks), abs=1e-3)
        assert heat.known == heat.right


def test_of_another_class_the_blocks_say_nothing(one: ImageExample) -> None:
    assert one.target != one.label
    assert one.truth is None
    assert all(heat.right == () for heat in one.heats)


def test_the_same_image_from_a_file_is_explained_the_same(one: ImageExample, tmp_path: Path) -> None:
    split = dataset().splits["test"]
    shown = dataset().images("test", torch.arange(ROW + 1)).mul(split.top).byte().numpy()
    np.savez(tmp_path / "shown.npz", images=shown)
    found = explain_image(majority(), tmp_path / "shown.npz", ROW)
    assert (found.source, found.white, found.label, found.truth) == ("image 7 of shown.npz", 16, "", None)
    assert (found.target, found.probabilities) == (one.target, one.probabilities)
    for new, old in zip(found.heats, one.heats, strict=True):
        assert (new.heat, new.speaks_for, new.against) == (old.heat, old.speaks_for, old.against)
        assert new.right == ()
    np.save(tmp_path / "shown.npy", shown[0])
    assert explain_image(majority(), tmp_path / "shown.npy").pixels == pytest.approx(
        (shown[0].flatten() / 16).tolist(), abs=1e-4
    )


def test_every_explainer_that_suits_explains_every_pixel() -> None:
    names = tuple(name for name in catalogue("explainers") if name not in (*ATTEND, "permutation"))
    found = explain_image(images(), row=3, explainers=names)
    assert [heat.heat.explainer for heat in found.heats] == list(names)
    for heat in found.heats:
        assert {len(scores) for scores in (*heat.heat.scores, heat.heat.consensus)} == {64}
        assert heat.heat.signed == make("explainers", heat.heat.explainer).signed
        assert sum(heat.strips) == pytest.approx(1, abs=1e-3)
        assert (heat.right, found.truth) == ((), None)


def test_an_empty_image_is_no_nan(tmp_path: Path) -> None:
    np.save(tmp_path / "nothing.npy", np.zeros((8, 24)))
    found = explain_image(majority(), tmp_path / "nothing.npy")
    assert "NaN" not in json.dumps(found.to_json())


def test_another_model_of_the_run(one: ImageExample) -> None:
    found = explain_image(majority(), row=ROW, model="rlstm", repair="none", explainers=("sensitivity",))
    assert found.model == "rlstm"
    assert found.heats[0].heat.scores != one.heats[1].heat.scores


def test_json(one: ImageExample) -> None:
    told = json.loads(json.dumps(one.to_json(), allow_nan=False))
    assert (told["schema"], told["target"], told["seeds"]) == (2, one.target, [0, 1, 2])
    first = told["heats"][0]
    assert set(first) == {
        "explainer", "signed", "scores", "consensus", "hold", "low", "high", "verdict", "lost",
        "speaks_for", "against", "right", "strongest", "agree", "nearest", "missing", "in_run",
    }  # fmt: skip
    assert (first["explainer"], first["verdict"]) == (one.heats[0].heat.explainer, one.heats[0].heat.verdict)
    assert told["left_out"] == [{"explainer": "attention", "why": one.left_out[0][1]}]


@pytest.mark.parametrize(
    ("about", "error", "sentence"),
    [
        ({}, BadSetting, "RUN is a run on images: give a .npz or .npy file, or --row for a test image"),
        (
            {"row": 600},
            BadSetting,
            "the test split of NAME: expected --row from 0 to 599, but got 600",
        ),
        ({"row": -1}, BadSetting, "the test split of NAME: expected --row from 0 to 599, but got -1"),
        (
            {"path": Path("a joy")},
            BadData,
            "expected a .npz or .npy file with an image, but got 'a joy'",
        ),
        (
            {"row": 0, "model": "deep"},
            UnknownName,
            "unknown model of this run 'deep' (there are: rlstm, shallow)",
        ),
        (
            {"row": 0, "explainers": ("attention",)},
            BadSetting,
            "attention: expected a model with attention, but got one without: "
            "choose gradient, leave_one_out or shapley instead",
        ),
    ],
)
def test_bad_use_is_one_sentence(about: dict[str, object], error: type[BadInput], sentence: str) -> None:
    with pytest.raises(error) as caught:
        explain_image(majority(), **about)  # type: ignore[arg-type]
    assert str(caught.value).replace(str(majority()), "RUN").replace(dataset().name, "NAME") == sentence


def test_texts_are_no_images() -> None:
    with pytest.raises(BadSetting) as caught:
        explain_image(finished(), row=0)
    assert str(caught.value) == f"{finished()} is a run on texts: expected the text to explain, in quotes"


def test_nothing_that_explains() -> None:
    loaded = module.load_family(majority(), None, None)
    tested = module._tested(dataset(), ROW)
    poor = replace(loaded, job=replace(loaded.job, explainers=("attention", "random")))
    with pytest.raises(Failed, match=r"^attention: expected a model with attention"):
        module._heats(poor, dataset(), tested, torch.tensor([0]), None)


def test_folds_are_left_out_and_two_seeds_are_needed() -> None:
    loaded = module.load_family(majority(), None, None)
    members = (Member(0), Member(1), Member(2, 2))
    folded = replace(loaded, family=replace(loaded.family, members=members))
    assert module._seeds(majority(), folded).family.members == members[:2]
    lone = replace(loaded, family=replace(loaded.family, members=(Member(0), Member(1, 1), Member(2, 2))))
    with pytest.raises(BadRun, match=r": 1 of its seeds trained well, but two are needed$"):
        module._seeds(majority(), lone)
