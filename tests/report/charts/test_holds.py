from holdfast.report.charts import holds
from holdfast.study.measurement import Measurement
from tests.report.synthetic import EXPLAINERS, make_findings

ROWS = make_findings().rows


def row(quantity, value=0.5, **more):
    return Measurement("d", "m", more.pop("repair", "none"), quantity, value, **more)


def test_hold_by_confidence_has_a_panel_per_explainer_and_a_line_per_repair():
    [figure] = holds.hold_by(ROWS, "confidence")
    assert figure.unique("facet") == [name.replace("_", " ") for name in EXPLAINERS]
    assert figure.unique("series") == ["none", "aswa"]
    assert len(figure) == 5 * 2 * 5
    assert figure.marks == (0.5, 0.8)


def test_points_are_ordered_along_the_axis():
    rows = [row("hold", explainer="a", by="length", bin=str(at), at=at) for at in (9.0, 1.0, 5.0)]
    [figure] = holds.hold_by(rows, "length")
    assert figure.data["x"] == (1.0, 5.0, 9.0)


def test_each_data_set_and_model_has_its_own_figure_and_says_so():
    rows = [Measurement("d", model, "none", "hold", 0.5, by="length", at=1.0) for model in ("cnn", "rnn")]
    assert [figure.title for figure in holds.hold_by(rows, "length")] == [
        "Hold by length (cnn on d)",
        "Hold by length (rnn on d)",
    ]


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
