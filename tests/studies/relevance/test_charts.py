from holdfast.report.charts import draw
from holdfast.report.charts.select import select
from holdfast.studies.relevance.charts import EVEN, by_cell, cosine_figures, deletion_curves, over_time
from holdfast.studies.relevance.names import DEPTH, GATES, LITERAL, METHODS, cell_of
from holdfast.study.measurement import Measurement
from tests.later import Later
from tests.report.relevance_rows import every_row

ROWS = Later(every_row)


def test_each_of_the_documents_figures_has_its_cells_and_methods():
    figures = {figure.key: figure for figure in cosine_figures(ROWS)}
    assert list(figures) == ["cosine-depth", "cosine-gates", "cosine-literal"]
    for name, cells in (("depth", DEPTH), ("gates", GATES), ("literal", LITERAL)):
        figure = figures[f"cosine-{name}"]
        assert set(figure.data["label"]) == set(cells)
        assert len(figure) == len(cells) * len(METHODS) * 2
        assert figure.unique("facet")[:2] == ["sensitivity", "guided backprop"]
        assert figure.marks == (EVEN,)
    assert figures["cosine-depth"].unique("label") == list(DEPTH)


def test_a_dot_is_the_row_it_came_from():
    figure = cosine_figures(ROWS)[0]
    wanted = {
        (cell_of(r.model), r.data, round(r.value, 4), round(r.low, 4))
        for r in select(ROWS, "cosine", explainer="lrp")
        if cell_of(r.model) in DEPTH
    }
    shown = {(r["label"], r["series"], r["value"], r["low"]) for r in figure.records() if r["facet"] == "LRP"}
    assert shown == wanted


def test_time_is_drawn_for_the_longest_sequence_beside_the_ink():
    (figure,) = over_time(ROWS)
    assert figure.key == "time-mnist"
    assert "class 1" in figure.title
    assert figure.unique("series") == ["ink", "shallow", "deep"]
    assert max(figure.data["x"]) == 7
    assert len(figure) == len(METHODS) * 3 * 7


def test_deletion_has_a_panel_for_each_cell_and_the_random_order_in_every_one():
    figures = deletion_curves(ROWS)
    assert [figure.key for figure in figures] == ["deletion-mnist-maj", "deletion-fashion-maj"]
    assert figures[0].unique("facet") == ["shallow", "deep", "rlstm_sd", "convrlstm_sd"]
    assert figures[0].unique("series")[0] == "random order"
    assert len(figures[0]) == 4 * 6 * 13


def test_several_lengths_are_told_apart_by_their_label():
    rows = [r for r in ROWS if r.quantity == "accuracy" and r.by == "all" and not r.data.endswith("-maj")]
    labels = by_cell(rows, "k", "t", "c", "accuracy").data["label"]
    assert "deep, T = 7" in labels
    assert "shallow, T = 1" in labels


def test_nothing_measured_is_nothing_drawn():
    assert cosine_figures([]) == over_time([]) == deletion_curves([]) == ()


def test_every_figure_can_be_drawn():
    for figure in (cosine_figures(ROWS)[0], *over_time(ROWS)):
        assert draw.svg(figure).startswith("<svg")


def test_other_settings_are_drawn_apart():
    one, other = (
        Measurement("mnist-maj", "deep", repair, "cosine", value, explainer="lrp")
        for repair, value in (("none", 0.8), ("aswa", 0.3))
    )
    more = Measurement("mnist-maj:limit=600", "deep", "none", "cosine", 0.5, explainer="lrp")
    own, rest = cosine_figures([one, other, more])[0], cosine_figures([one, other, more])[-1]
    assert (rest.key, rest.data["label"], rest.data["value"]) == ("cosine-others", ("deep (aswa)",), (0.3,))
    assert list(zip(own.data["series"], own.data["value"], strict=True)) == [
        ("mnist-maj", 0.8),
        ("mnist-maj:limit=600", 0.5),
    ]


def test_repairs_are_not_one_line():
    about = {"explainer": "lrp", "by": "step", "bin": "0", "at": 0.0}
    rows = [Measurement("mnist-maj", "deep", repair, "deletion", 0.9, **about) for repair in ("none", "aswa")]
    (figure,) = deletion_curves(rows)
    assert len(figure) == 1
