from dataclasses import replace

from holdfast.report.charts import confidence
from holdfast.report.charts.draw import spec, svg
from holdfast.study.measurement import Measurement
from tests.report.synthetic import make_findings

ROWS = make_findings().rows
ABOUT = {"by": "confidence", "bin": "0.9"}


def permuted(at: float, label: str = "") -> Measurement:
    one, about = ROWS[0], {**ABOUT, "label": label}
    return Measurement(one.data, one.model, "none", "permutation", 0.1, 0.05, 0.15, 10, at=at, **about)


def test_accuracy_and_hold_stand_in_one_figure_along_confidence():
    [figure] = confidence.joined(ROWS)
    assert figure.unique("facet") == ["no repair", "aswa"]
    assert [name for name in figure.unique("series") if name != "accuracy"] == ["hold"]
    assert (figure.diagonal, figure.limits) == (True, (0.0, 1.0))
    assert "Shaded: of accuracy 95 % for all bins at once, over seeds and test examples" in figure.caption
    assert figure.caption.endswith("of hold (attention) 95 % over seeds.")


def test_the_effect_of_permuting_attention_is_drawn_where_it_was_measured():
    [figure] = confidence.joined([*ROWS, permuted(0.6), permuted(0.9), permuted(0.7, "true positive")])
    lines = [row for row in figure.records() if row["series"] == confidence.PERMUTED]
    assert [(row["facet"], row["x"], row["value"]) for row in lines] == [
        ("no repair", 0.6, 0.1),
        ("no repair", 0.9, 0.1),
    ]
    assert figure.caption.endswith("of permuted attention 95 % over seeds.")
    assert figure.y == "value"


def test_of_several_ways_to_permute_one_is_drawn():
    other = replace(permuted(0.6), probe="attention_permutation:shuffles=3", value=0.3)
    [figure] = confidence.joined([*ROWS, permuted(0.6), permuted(0.9), other])
    lines = [row for row in figure.records() if row["series"] == confidence.PERMUTED]
    assert [row["value"] for row in lines] == [0.1, 0.1]


def test_the_legend_is_not_cut_and_the_caption_says_whose_hold_it_is():
    swapped = {"attention": "integrated_gradients"}
    rows = [
        replace(row, explainer=swapped.get(row.explainer, row.explainer)) if row.repair == "aswa" else row
        for row in ROWS
    ]
    [figure] = confidence.joined([*rows, permuted(0.6), permuted(0.9)])
    assert "of hold (no repair: attention, aswa: integrated gradients) 95 %" in figure.caption
    assert "…" not in svg(figure)


def test_the_diagonal_goes_as_far_as_the_points():
    [figure] = confidence.joined(ROWS)
    ends = [{"x": end, "value": end} for end in (min(figure.data["x"]), max(figure.data["x"]))]
    assert str(ends) in str(spec(figure))
    assert str(ends) not in str(spec(replace(figure, diagonal=False)))
    assert "stroke-dasharray" in svg(figure)


def test_one_place_is_no_line_and_nothing_is_no_figure():
    assert confidence.joined([row for row in ROWS if row.at == 0.55]) == ()
    assert confidence.joined([]) == confidence.reliability([]) == confidence.by_class([]) == ()


def test_the_usual_diagram_has_a_line_for_each_repair_and_the_documents_one_for_each_class():
    [usual] = confidence.reliability(ROWS)
    assert usual.unique("series") == ["none", "aswa"]
    assert set(usual.data["n"]) == {30, 90, 150, 210, 270}
    plain, repaired = confidence.by_class(ROWS)
    assert plain.unique("series") == ["negative", "positive"]
    assert [one.title for one in (plain, repaired)] == [
        "Reliability by true class (no repair)",
        "Reliability by true class (aswa)",
    ]
    assert "A calibrated model need not lie on the dashed line here" in plain.caption
