from holdfast.report.charts import agree
from holdfast.report.modality import modality
from holdfast.study.measurement import Measurement


def row(quantity, value=0.5, **more):
    return Measurement("d", "m", more.pop("repair", "none"), quantity, value, **more)


def test_agreement_is_filled_in_both_ways_and_keeps_a_value_given_twice():
    rows = [
        row("agreement", v, explainer=a, other_explainer=b, comparison="kl")
        for a, b, v in (("a", "b", 0.1), ("b", "a", 0.3))
    ]
    [figure] = agree.agreement(rows, "kl")
    cells = {(r["row"], r["column"]): r["value"] for r in figure.records()}
    assert cells == {("a", "b"): 0.1, ("b", "a"): 0.3, ("a", "a"): None, ("b", "b"): None}


def test_explainers_stand_in_the_order_of_the_rows():
    pair = row("agreement", 0.1, explainer="a", other_explainer="b", comparison="kl")
    [figure] = agree.agreement([row("hold", explainer="b"), row("hold", explainer="a"), pair], "kl")
    assert figure.unique("row") == figure.unique("column") == ["b", "a"]


def test_the_random_floor_comes_last():
    rows = [row("truth", explainer=name) for name in ("random", "attention")]
    [figure] = agree.truth(rows, modality("text").unit)
    assert figure.data["label"] == ("attention", "random")


def test_no_rows_no_figures():
    assert agree.truth([], modality("text").unit) == ()
    assert agree.agreement([], "kl") == ()
