from base64 import b64decode
from dataclasses import replace

from holdfast.report.grids import seed_grids
from holdfast.study.picture import CONSENSUS
from tests.later import Later
from tests.report.pictures import audited, pictures
from tests.report.test_images import read

MADE = Later(lambda: pictures(rows=(3,), shape=(8, 24, 3)))


def alpha(image):
    """The opacity of the first pixel that is drawn at all."""
    return max(pixel[3] for pixel in read(b64decode(image.link.partition(",")[2])))


def test_seeds_share_a_scale():
    made = [replace(p, peak=0.5 if p.seed == 1 else 1.0) for p in audited(rows=(3,))]
    (grid,) = seed_grids(made, ["lrp"])
    for row in grid.cells:
        assert [alpha(image) == 255 for image in row] == [True, True, False, True]


def test_a_map_that_is_spread_out_is_seen_beside_one_that_is_not():
    """Each explainer has its own scale, and it is said how little stands out."""
    spread = [replace(p, peak=0.01 if p.explainer == "deep_taylor" else p.peak) for p in audited(rows=(3,))]
    (grid,) = seed_grids(spread, ["lrp", "deep_taylor"])
    assert [alpha(row[0]) for row in grid.cells] == [255, 255]
    even = replace(spread[-1], seed=CONSENSUS, values=(100,) * len(spread[-1].values))
    (grid,) = seed_grids([spread[0], even], ["lrp"])
    assert grid.shares == ("top tenth: 10 % (even: 10 %): little stands out",)


def test_an_audit_has_a_column_for_the_consensus_and_for_each_seed():
    made = audited()
    first, second = seed_grids(made, ["lrp"])
    assert first.columns == ("consensus", "seed 0", "seed 1", "seed 2")
    assert first.methods == ("LRP", "deep Taylor")
    assert (first.title, second.title) == ("explained: 3", "explained: 5")
    assert first.image.alt.startswith("the image, class 3: ")
    assert first.cells[0][2].alt.startswith("LRP, seed 1: ")
    assert len({image.link for row in first.cells for image in row}) > 4
    assert second.cells != first.cells


def test_the_same_image_under_another_model_is_another_grid():
    both = audited(rows=(3,)) + audited(rows=(3,), model="deep")
    assert [g.title for g in seed_grids(both, ["lrp"])] == [
        "convrlstm on digits-maj (none), explained: 3",
        "deep on digits-maj (none), explained: 3",
    ]
    assert len(seed_grids(audited(rows=(3,)) * 2, ["lrp"])) == 2


def test_an_explained_class_beside_the_label_in_an_audit():
    made = [replace(p, target="9") for p in audited(rows=(3,))]
    assert [grid.title for grid in seed_grids(made, ["lrp"])] == ["explained: 9 (labelled 3)"]


def test_seeds_go_before_images_do():
    made = audited()
    whole = sum(grid.size for grid in seed_grids(made, ["lrp"]))
    fewer = seed_grids(made, ["lrp"], whole - 1)
    assert [grid.columns for grid in fewer] == [("consensus", "seed 0", "seed 1")] * 2
    alone = seed_grids(made, ["lrp"], seed_grids(made, ["lrp"])[0].first(1).size)
    assert [grid.columns for grid in alone] == [("consensus",)]
    assert seed_grids(made, ["lrp"], 10) == []
    assert seed_grids([], ["lrp"]) == []
