import csv
from collections import Counter
from dataclasses import replace
from importlib.resources import files

import pytest
from scipy import stats

from holdfast.core.errors import BadRun
from holdfast.studies.relevance.names import CELLS, DEPTH, METHODS, cell_of
from holdfast.studies.relevance.published_tables import published, tukey_rows
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published
from tests.study.relevance_rows import COSINE, DATA, cosine_rows

ROWS = cosine_rows(noise=0.02)


def quality(model: str, data: str, **changes: object) -> list[Measurement]:
    found = [
        Measurement(data, model, "none", "weights", 1000.0),
        Measurement(data, model, "none", "accuracy", 0.98, 0.97, 0.99, 7),
    ]
    held = [0.97, 0.98, 0.99]
    return found + [
        Measurement(data, model, "none", "accuracy_held", v, n=1, by="member", member=str(k))
        for k, v in enumerate(held)
    ]


def measured(rows) -> list[Published]:
    return [number for number in published(rows) if number.measured is not None]


def test_every_published_number_is_listed_measured_or_not():
    found = published([])
    counts = Counter(number.table for number in found)
    assert counts == {
        "Figure 3.14": 2, "4.3": 6, "4.4": 12, "4.5": 12, "4.6": 18, "Appendix 1": 40,
        "Appendix 2: ANOVA": 20, "Appendix 2: Tukey": 72,
    }  # fmt: skip
    assert {(number.measured, number.note) for number in found} == {(None, "not run")}
    assert [(n.table, n.row, n.column) for n in published(ROWS)] == [
        (n.table, n.row, n.column) for n in found
    ]


def test_every_row_of_tables_4_5_and_4_6_finds_its_cell():
    rows = [row for data in DATA for model in COSINE for row in quality(model, data)]
    found = [p for p in published(rows) if p.table in ("4.5", "4.6")]
    assert {p.row for p in found} == set(CELLS)
    assert len(found) == 10 * 3
    deep = {p.column: p for p in found if p.row == "deep_sd"}
    assert (deep["weights"].published, deep["weights"].measured) == (153578, 1000)
    assert (deep["fashion-maj"].published, deep["fashion-maj"].measured) == (89.47, 98.0)
    assert (deep["fashion-maj"].low, deep["fashion-maj"].high) == pytest.approx((97.0, 99.0))


def test_every_row_of_appendix_1_finds_its_cell():
    rows = [row for data in DATA for model in COSINE for row in quality(model, data)]
    found = [p for p in published(rows) if p.table == "Appendix 1"]
    assert len(found) == 20 * 2
    assert {p.row for p in found} == {f"{data} {cell}" for data in DATA for cell in CELLS}
    accuracy, sd = found[:2]
    assert (accuracy.measured, sd.measured) == pytest.approx((98.0, 1.0))


@pytest.mark.parametrize("steps", [1, 4, 7])
def test_the_sequence_task_is_found_by_its_length(steps):
    name = "" if steps == 4 else f":steps={steps}"
    rows = quality("deep", f"mnist{name}") + quality("shallow", f"fashion-mnist{name}")
    found = [p for p in published(rows) if p.measured is not None]
    assert {(p.table, p.row, p.column) for p in found} == {
        ("4.3", f"deep T={steps}", "weights"),
        ("4.4", f"deep T={steps}", "mnist"),
        ("4.4", f"shallow T={steps}", "fashion-mnist"),
    }


def test_appendix_2_is_set_beside_scipys_anova_and_tukey():
    pooled = {
        cell: [r.value for r in ROWS if r.model == cell and r.by == "member" and r.explainer == "deep_taylor"]
        for cell in DEPTH
    }
    f = stats.f_oneway(*pooled.values()).statistic
    beside = {(p.table, p.row, p.column): p for p in published(ROWS)}
    anova = beside["Appendix 2: ANOVA", "deep_taylor", "F"]
    assert (anova.published, anova.n) == (295.54357, 56)
    assert anova.measured == pytest.approx(f)
    tukey = stats.tukey_hsd(pooled["convdeep"], pooled["shallow"], pooled["deep"], pooled["deep_v2"])
    ends = tukey.confidence_interval()
    found = beside["Appendix 2: Tukey", "deep_taylor: shallow − convdeep", "difference"]
    assert found.published == -0.2313
    assert found.measured == pytest.approx(tukey.statistic[1, 0])
    assert (found.low, found.high) == pytest.approx((ends.low[1, 0], ends.high[1, 0]), abs=1e-6)
    assert sum(p.table == "Appendix 2: Tukey" for p in beside.values()) == 3 * 24
    lower = beside["Appendix 2: Tukey", "deep_taylor: shallow − convdeep", "lower"]
    assert (lower.published, lower.measured) == (-0.2544, found.low)


def test_every_two_cells_are_compared_by_every_method():
    rows = tukey_rows(ROWS)
    pairs = [row for row in rows if row.quantity == "tukey"]
    assert len(pairs) == 45 * len(METHODS)
    assert {row.data for row in rows} == {"mnist-maj and fashion-maj"}
    one = next(r for r in pairs if (r.model, r.other_model, r.explainer) == ("rlstm", "shallow", "lrp"))
    means = {
        cell: [r.value for r in ROWS if (cell_of(r.model), r.explainer, r.by) == (cell, "lrp", "member")]
        for cell in ("rlstm", "shallow")
    }
    assert one.value == pytest.approx(sum(means["shallow"]) / 14 - sum(means["rlstm"]) / 14)
    about = {
        r.quantity: r.value
        for r in rows
        if (r.model, r.other_model, r.explainer) == ("rlstm", "shallow", "lrp")
    }
    assert about["tukey_p"] <= about["tukey_holm"] < 0.05
    assert {r.explainer for r in rows if r.quantity == "anova_eta"} == set(METHODS)


def test_too_few_members_or_one_cell_compare_nothing():
    assert tukey_rows(cosine_rows(members=1, data=("digits-maj",))) == []
    assert tukey_rows(cosine_rows(means={"deep": 0.8})) == []
    assert tukey_rows([]) == []
    assert measured(cosine_rows(data=("digits-maj",))) == []


def test_no_accuracy_of_folds_is_above_all():
    rows = [
        Measurement("mnist-maj", "deep", "none", "accuracy_held", value, by="member", member=f"fold {fold}")
        for fold, value in enumerate((1.0, 1.0, 0.97))
    ]
    (mean,) = (line for line in measured(rows) if line.column == "accuracy")
    assert mean.measured == pytest.approx(99.0)
    assert mean.low < 97
    assert mean.high == 100.0


def test_the_published_tables_are_whole():
    folder = files("holdfast.studies.relevance").joinpath("published")
    names = sorted(path.name for path in folder.iterdir() if path.name.startswith("chormai_"))
    counts = {
        name: len(list(csv.DictReader(folder.joinpath(name).read_text("utf-8").splitlines())))
        for name in names
    }
    assert counts == {
        "chormai_appendix_1_kfold_accuracy.csv": 20,
        "chormai_appendix_2_anova.csv": 4,
        "chormai_appendix_2_tukey.csv": 24,
        "chormai_figure_3_14_control.csv": 1,
        "chormai_table_4_3_parameters.csv": 3,
        "chormai_table_4_4_accuracy.csv": 3,
        "chormai_tables_4_5_4_6_majority.csv": 10,
    }


def test_another_length_is_not_set_beside_the_published_one():
    rows = cosine_rows(data=("mnist-maj:steps=6", "fashion-maj:steps=6"))
    rows.append(Measurement("mnist-maj:steps=6", "deep", "none", "accuracy", 0.9))
    rows.append(Measurement("mnist-maj:steps=6", "deep", "none", "weights", 1000.0))
    assert measured(rows) == []


def test_pairs_are_compared_within_members():
    """Two cells in blocks of members are the paired t-test."""
    rows = cosine_rows(noise=0.05, means={"deep": 0.8, "rlstm": 0.81}, methods=("lrp",), data=("mnist-maj",))
    values = {m: [r.value for r in rows if (r.model, r.by) == (m, "member")] for m in ("deep", "rlstm")}
    found = {row.quantity: row for row in tukey_rows(rows)}
    t = stats.ttest_rel(values["rlstm"], values["deep"])
    assert found["tukey_p"].value == pytest.approx(t.pvalue, abs=1e-6)
    ends = t.confidence_interval()
    assert (found["tukey"].low, found["tukey"].high) == pytest.approx((ends.low, ends.high), abs=1e-6)


def test_lengths_are_blocks_of_their_own():
    rows = tukey_rows(cosine_rows(data=("digits-maj:steps=3", "digits-maj:steps=6")))
    assert {row.data for row in rows} == {"digits-maj:steps=3 and digits-maj:steps=6"}


def test_repairs_and_biases_are_groups_of_their_own():
    two = {"deep": 0.8, "rlstm": 0.9}
    rows = [*cosine_rows(means=two), *cosine_rows(means={"deep": 0.5}, repair="aswa")]
    rows += cosine_rows(means={"deep:bias=0.1": 0.6})
    found = tukey_rows(rows)
    groups = {name for r in found if r.quantity == "tukey" for name in (r.model, r.other_model)}
    assert groups == {"deep", "deep (aswa)", "deep:bias=0.1", "rlstm"}
    (pair,) = (
        r
        for r in found
        if (r.quantity, r.model, r.other_model, r.explainer) == ("tukey", "deep", "rlstm", "lrp")
    )
    assert pair.value == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize(
    "more",
    [
        {"repair": "aswa"},
        {"data": tuple(f"{name}:limit=600" for name in DATA)},
        {"means": {f"{cell}:bias=0.1": 0.5 for cell in DEPTH}},
        {"means": {f"{cell}:bias=0.001": 0.5 for cell in DEPTH}},
    ],
    ids=["repair", "limit", "bias", "small bias"],
)
def test_other_settings_are_not_set_beside_the_published(more):
    about = {"means": dict.fromkeys(DEPTH, 0.5)} | more
    others = [*cosine_rows(**about), *(replace(r, repair="aswa") for r in quality("deep", "mnist-maj"))]
    rows = [*ROWS, *quality("deep", "mnist-maj")]
    wanted = published(rows)
    for mixed in ([*others, *rows], [*rows, *others]):
        found = published(mixed)
        assert [(p.table, p.row, p.column) for p in found] == [(p.table, p.row, p.column) for p in wanted]
        assert [p.measured for p in found] == pytest.approx([p.measured for p in wanted])
    assert measured(others) == []


def test_the_control_stands_beside_figure_3_14():
    rows = [*quality("lenet", "mnist:steps=1"), *quality("lenet", "fashion-mnist:steps=1")]
    found = [p for p in published(rows) if p.table == "Figure 3.14"]
    assert [(p.row, p.column, p.published, p.measured) for p in found] == [
        ("lenet", "mnist", 99.21, 98.0),
        ("lenet", "fashion-mnist", 87.90, 98.0),
    ]


def test_the_same_twice_is_refused():
    rows = quality("deep", "mnist-maj")
    with pytest.raises(BadRun, match="expected one weights of deep on mnist-maj"):
        published([*rows, *rows])
    with pytest.raises(BadRun, match="expected one cosine of shallow on mnist-maj by member 0"):
        tukey_rows([*ROWS, *ROWS])
