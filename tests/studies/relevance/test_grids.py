from base64 import b64decode
from dataclasses import replace

from holdfast.studies.relevance.grids import grids, positive_grids
from tests.later import Later
from tests.report.pictures import CELLS, pictures
from tests.report.test_images import read

MADE = Later(lambda: pictures(rows=(3,), shape=(8, 24, 3)))


def test_a_grid_has_a_row_for_each_method_and_a_column_for_each_cell_in_the_documents_order():
    (grid,) = grids(MADE)
    assert grid.columns[:5] == ("shallow", "deep", "deep_v2", "convdeep", "deep_sd")
    assert grid.methods == ("sensitivity", "guided backprop", "simple Taylor", "deep Taylor", "LRP")
    assert len(grid.columns) == len(CELLS)
    assert all(len(row) == len(CELLS) and all(row) for row in grid.cells)
    assert grid.title == "mnist-maj: 3"
    assert grid.image.alt.startswith("the image, class 3: ")
    assert grid.image.wide == 3


def alpha(image):
    """The opacity of the first pixel that is drawn at all."""
    return max(pixel[3] for pixel in read(b64decode(image.link.partition(",")[2])))


def test_all_maps_of_an_image_share_a_scale():
    """Each map is as strong as its peak beside all others; the image is as it was."""
    heats = {"deep": 0.5, "shallow": 0.25}
    kept = [replace(p, peak=heats.get(p.model, 1.0)) for p in MADE if p.model in ("", *heats)]
    (grid,) = grids(kept)
    assert grid.columns == ("shallow", "deep")
    for pale, strong in grid.cells:
        assert alpha(strong) == 255
        assert 100 < alpha(pale) < 200
    (weaker,) = grids([replace(p, peak=p.peak / 2) if p.explainer == "lrp" else p for p in kept])
    assert grid.methods[-1] == "LRP"
    for *others, lrp in (tuple(map(alpha, column)) for column in zip(*weaker.cells, strict=True)):
        assert lrp < min(others)
    assert grid.image == grids(MADE)[0].image
    (positive,) = positive_grids(kept, "lrp", ("shallow", "deep"))
    assert alpha(positive.cells[0][0]) < alpha(positive.cells[0][1]) == 255


def test_several_lengths_of_a_sequence_are_columns_of_one_grid():
    made = [
        picture
        for steps in (4, 1)
        for picture in pictures(f"mnist:steps={steps}", ("deep", "shallow"), (0,), (8, 8, 1), ("LRP",))
    ]
    (grid,) = grids(made)
    assert grid.columns == (
        "shallow T\xa0=\xa01",
        "deep T\xa0=\xa01",
        "shallow T\xa0=\xa04",
        "deep T\xa0=\xa04",
    )


def test_a_cell_without_a_heat_map_leaves_a_gap():
    (grid,) = grids([p for p in MADE if not (p.model == "deep" and p.explainer == "lrp")])
    assert grid.cells[-1][1] is None
    assert grid.cells[0][1] is not None


def test_without_the_images_of_the_data_the_heat_maps_stay():
    (grid,) = grids([p for p in MADE if p.explainer != "input"])
    assert grid.image is None
    assert all(map(all, grid.cells))


def test_the_first_example_of_every_data_set_comes_before_the_second_of_any():
    both = pictures("a-maj", rows=(1, 2), shape=(8, 24, 3)) + pictures("b-maj", rows=(7, 8), shape=(8, 24, 3))
    assert [grid.title for grid in grids(both)] == ["a-maj: 1", "a-maj: 2", "b-maj: 7", "b-maj: 8"]
    each = max(grid.size for grid in grids(both))
    few = grids(both, budget=2 * each)
    assert [grid.title for grid in few] == ["a-maj: 1", "b-maj: 7"]
    assert sum(grid.size for grid in few) <= 2 * each
    assert grids(both, budget=0) == []


def test_positive_relevance_of_two_cells():
    (grid,) = positive_grids(MADE, "lrp", ("rlstm_sd", "convrlstm_sd"))
    assert (grid.columns, grid.methods) == (("rlstm_sd", "convrlstm_sd"), ("LRP",))
    assert grid.cells[0][0] != grids(MADE)[0].cells[-1][6]
    assert positive_grids(MADE, "lrp", ("rlstm_sd", "no such cell")) == []


def test_an_explained_class_that_is_not_the_label_is_said():
    (grid,) = grids([replace(p, target="9") for p in MADE])
    assert grid.title == "mnist-maj: 3 (explained: 9)"
