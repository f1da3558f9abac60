from holdfast.report.charts import holds
from holdfast.study.measurement import Measurement
from tests.report.synthetic import EXPLAINERS, make_findings

ROWS = make_findings().rows


def row(quantity, value=0.5, **more):
    return Measurement("d", "m", more.pop("repair", "none"), quantity, value, **more)


def test_hold_by_confidence_is_one_chart_with_a_line_for_each_explainer():
    [figure] = holds.hold_by(ROWS, "confidence")
    assert figure.unique("facet") == ["no repair", "aswa"]
    assert figure.unique("series") == [name.replace("_", " ") for name in EXPLAINERS]
    assert len(figure) == 5 * 2 * 5
    assert figure.marks == (0.4, 0.7)
    assert figure.y == "hold (higher is better)"
    assert figure.banded == "attention"
    assert holds.hold_by([r for r in ROWS if r.repair == "none"], "confidence")[0].unique("facet") == [""]


def test_where_all_examples_lie_at_one_place_there_is_no_line():
    assert holds.hold_by([row("hold", explainer="a", by="confidence", at=0.02)], "confidence") == ()


def test_points_are_ordered_along_the_axis():
    rows = [row("hold", explainer="a", by="length", bin=str(at), at=at) for at in (9.0, 1.0, 5.0)]
    [figure] = holds.hold_by(rows, "length")
    assert figure.data["x"] == (1.0, 5.0, 9.0)


def test_each_model_has_its_own_panel():
    rows = [
        Measurement("d", model, "none", "hold", 0.5, by="length", at=at)
        for model in ("cnn", "rnn")
        for at in (1.0, 2.0)
    ]
    [figure] = holds.hold_by(rows, "length")
    assert figure.unique("facet") == ["cnn", "rnn"]


def test_by_label_and_of_all():
    [by_label], [all_of] = holds.hold_by_label(ROWS), holds.hold_of_all(ROWS)
    assert by_label.unique("label") == ["negative", "positive"]
    assert len(all_of) == 10


def test_words_stand_in_the_order_of_the_sentence():
    rows = [
        row("word", value, by="word", bin=name, sentence="s1", explainer="attention", repair=repair)
        for repair, value in (("none", 0.2), ("aswa", 0.1))
        for name in ("10:end", "2:mid", "1:be:gin")
    ]
    [figure] = holds.per_word(rows)
    assert figure.unique("label") == ["1  be:gin", "2  mid", "3  end"]
    assert figure.unique("series") == ["none", "aswa"]


def test_layers():
    [layers] = holds.by_layer([row("layer", 0.3, by="layer", bin="encoder.weight")])
    assert layers.data["label"] == ("encoder.weight",)


def test_no_rows_no_figures():
    assert holds.hold_by([], "length") == ()
    assert holds.hold_by_label([]) == ()
    assert holds.hold_of_all([]) == ()
    assert holds.per_word([]) == ()
    assert holds.by_layer([]) == ()
