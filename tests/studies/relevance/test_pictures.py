from dataclasses import replace

import pytest
import torch

from holdfast.studies.relevance.pictures import pictures
from holdfast.study.picture import signed_bytes
from tests.study.strips import cells


def test_the_same_examples_under_every_cell_and_method():
    made = pictures(cells()[:2], count=2)
    rows = list(dict.fromkeys(picture.row for picture in made))
    assert len(rows) == 2
    assert len(made) == 2 * (1 + 2 * 3)  # the image, and two cells under three methods; random is not shown
    assert {p.explainer for p in made} == {"input", "deep_taylor", "lrp", "sensitivity"}
    assert len({p.label for p in made}) == 2
    assert {(p.height, p.width) for p in made} == {(8, 24)}


def test_a_heat_map_is_the_first_members_and_the_image_is_the_datas():
    cell = cells()[0]
    image, heat = pictures([cell], count=1)[:2]
    place = cell.rows.tolist().index(heat.row)
    scores = cell.explanations["deep_taylor"].scores[0, place]
    assert heat.values == signed_bytes(cell.dataset.picture(scores).flatten().tolist())
    assert heat.peak == pytest.approx(float(scores.double().abs().max() / scores.double().abs().sum()))
    drawn = cell.dataset.pictures("test", torch.tensor([image.row]))[0]
    assert image.values == signed_bytes(drawn.flatten().tolist())
    assert min(image.values) == 0
    assert image.label == heat.label == str(int(cell.targets[heat.row]))


def test_a_picture_says_how_its_model_was_repaired():
    made = pictures([replace(cells()[0], repair="aswa")], count=1)
    assert {picture.repair for picture in made} == {"aswa"}


def test_the_class_whose_ink_is_in_the_middle_comes_first():
    made = pictures([cells()[2]], count=3)
    assert made[0].label == "1"
    assert len({picture.row for picture in made}) == 3


def test_examples_that_a_cell_did_not_explain_are_not_shown():
    cell = cells()[2]
    made = pictures([cell, replace(cell, target=(cell.targets[cell.rows] + 1) % 10)])
    assert made == []
