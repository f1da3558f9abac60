from holdfast.report.agreement import agreement, losses
from holdfast.report.modality import modality
from holdfast.study.measurement import Measurement
from tests.report.synthetic import make_findings

ROWS = make_findings().rows


def test_the_truth_comes_before_agreement():
    section = agreement(ROWS, modality("text").unit)
    assert [figure.kind for figure in section.figures] == ["dots", "matrix", "matrix"]
    assert [table.title for table in section.folded] == ["Agreement by every comparison"]


def test_random_scores_are_the_floor_of_the_truth_and_no_explainer_to_agree_with():
    pair = {"explainer": "attention", "other_explainer": "random", "comparison": "spearman"}
    rows = [*ROWS, Measurement("planted", "cnn", "none", "agreement", 0.0, **pair)]
    truth, *matrices = agreement(rows, modality("text").unit).figures
    assert "random" in truth.data["label"]
    assert not any("random" in matrix.data["column"] for matrix in matrices)


def test_the_truth_of_images_is_told_in_pixels():
    said = [figure.caption for figure in agreement(ROWS, modality("image").unit).figures]
    assert any("a pixel of the blocks" in caption for caption in said)
    assert not any("token" in caption for caption in said)


def test_what_scores_leave_out():
    lost = Measurement("d", "m", "none", "lost", 0.02, explainer="lrp")
    [table] = losses([lost], modality("text").unit)
    assert table.rows[0][1].text == "2.0 %"
    assert losses([], modality("text").unit) == []
