import pytest

from holdfast.report.charts.draw import svg
from holdfast.report.charts.select import select
from holdfast.studies.rollout.charts import (
    by_model,
    controls,
    correlations,
    deletions,
    dynamics,
    genres,
    histograms,
    left_out,
    worked,
)
from holdfast.studies.rollout.names import data_name, model_name
from holdfast.study.findings import Example, Heat
from holdfast.study.measurement import Measurement
from tests.later import Later
from tests.report.hostile import HOSTILE
from tests.study.rollout_made import made_rows

ROWS = Later(made_rows)


def example(model="sasrec", tokens=tuple("abcdefghijkl"), kinds=("shapley:absent=column", "rollout")):
    size = len(tokens)
    scores = tuple((place - 4) / 50 for place in range(size))
    heats = tuple(Heat(kind, True, (scores,), scores, 0.5, 0.4, 0.6, "shaky", 0, 1) for kind in kinds)
    return Example(
        "ml-1m:holdout=validation", model, "none", tokens, "x", "Gold & finger", (0.5,), (0,), heats
    )


def test_a_figure_for_each_shape_as_the_document_has_them():
    figures = correlations(ROWS)
    assert [f.key for f in figures] == [f"correlations-{s}" for s in ("b1h1", "b2h1", "b3h1", "b2h2")]
    assert ["Figure 4.1" in figures[0].caption, "Figure 4.5" in figures[3].caption] == [True, True]
    heads = [r for r in figures[3].records() if "head" in r["label"]]
    assert {r["label"] for r in heads} >= {"head 1 ~ head 2"}
    one = next(r for r in figures[0].records() if (r["label"], r["series"]) == ("∇ ~ rollout", "SASRec"))
    row = next(
        r
        for r in select(ROWS, "correlation", explainer="gradient", other_explainer="rollout")
        if r.model == "sasrec:blocks=1"
    )
    assert (one["value"], one["low"]) == (round(row.value, 4), round(row.low, 4))


def test_controls_stand_beside_what_they_control():
    figure = controls(ROWS)
    assert figure.unique("series") == ["same seed", "another seed", "untrained"]
    own = [r for r in figure.records() if r["label"] == "SASRec, b = 3"]
    assert own[0]["value"] > 0.9
    assert [r["value"] for r in own[1:]] == [0.1, 0.1]


def test_curves_have_a_line_for_each_ranking_and_chance():
    (figure,) = deletions(ROWS, "jeffreys")
    assert "random order" in figure.unique("series")
    assert "|Shapley|" in figure.unique("series")
    assert figure.unique("facet") == ["ML-1M, SASRec", "ML-1M, BERT4Rec"]
    assert "what the document calls JS" in figure.caption
    assert "at most 0.693" in deletions(ROWS, "jensen_shannon")[0].caption


def test_genres_are_two_tables_on_one_scale():
    in_order, mixed = genres([r for r in ROWS if r.model == "sasrec:blocks=1"])
    assert in_order.limits == mixed.limits == (0.9, 1.2)
    assert len(in_order) == 16
    assert in_order.unique("row")[0] == "Sci-Fi asks"


def test_users_epochs_and_leave_one_out_are_drawn():
    assert [f.key for f in histograms(ROWS)] == ["histogram-ML-1M"]
    (figure,) = dynamics(ROWS)
    assert figure.data["x"][:3] == (1.0, 2.0, 3.0)
    assert len(left_out(ROWS)) == 8


def test_a_number_of_each_method_has_a_panel_and_data_for_the_genres_alone_have_none():
    rows = [
        Measurement(data, "sasrec", "none", "hold", 0.5, explainer=name)
        for data in ("ml-1m:holdout=validation", "ml-1m:length=200,holdout=validation")
        for name in ("attention_first", "shapley:absent=column")
    ]
    figure = by_model(rows, "hold", "t", "c", "hold")
    assert figure.unique("facet") == ["α first", "Shapley"]
    assert figure.unique("series") == ["ML-1M"]


def test_the_worked_example_has_the_ten_latest_items_the_latest_first():
    (figure,) = worked([example(kinds=("rollout",)), example("bert4rec"), example()])
    assert "SASRec, b = 2 on ML-1M, asked for “Gold & finger”" in figure.caption
    labels = figure.unique("label")
    assert (labels[0], labels[-1], len(labels)) == ("1  l", "10  c", 10)
    assert figure.unique("facet") == ["Shapley value", "rollout"]
    assert figure.records()[0]["value"] == pytest.approx(0.14)
    assert worked([]) == worked([example(kinds=("rollout",))]) == ()


def test_titles_with_markup_are_text():
    (figure,) = worked([example(tokens=(HOSTILE, "b"))])
    drawn = svg(figure)
    assert "<script" not in drawn
    assert "onerror=alert(1)>" not in drawn


@pytest.mark.parametrize(
    "make",
    [
        correlations,
        histograms,
        dynamics,
        lambda rows: deletions(rows, "jeffreys"),
        genres,
        lambda rows: [left_out(rows), controls(rows)],
    ],
)
def test_every_figure_can_be_drawn_and_none_is_made_of_nothing(make):
    for figure in make(ROWS):
        assert svg(figure).startswith("<svg")
    assert not any(len(figure) for figure in make([]))


def test_names():
    assert model_name("sasrec:blocks=1", "aswa") == "SASRec, b = 1 (aswa)"
    assert model_name("gru4rec") == "gru4rec"
    assert data_name("C:\\plays.csv") == "C:\\plays.csv"
    row = Measurement(
        "my:plays.csv", "sasrec", "none", "correlation", 0.5, explainer="gradient", other_explainer="rollout"
    )
    assert correlations([row])[0].data["facet"] == ("my:plays.csv",)
