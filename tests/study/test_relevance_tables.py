import csv
from importlib.resources import files

import pytest
from scipy import stats

from holdfast.study.relevance_names import CELLS, DEPTH, METHODS, cell_of
from holdfast.study.relevance_tables import published, published_differences, tukey_rows
from holdfast.study.table import Row
from tests.study.relevance_rows import COSINE, DATA, cosine_rows

ROWS = cosine_rows(noise=0.02)


def quality(model: str, data: str, **changes: object) -> list[Row]:
    found = [
        Row(data, model, "none", "weights", 1000.0),
        Row(data, model, "none", "accuracy", 0.98, 0.97, 0.99, 7),
    ]
    held = [0.97, 0.98, 0.99]
    return found + [
        Row(data, model, "none", "accuracy_held", v, n=1, by="member", bin=str(k)) for k, v in enumerate(held)
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
    found = published(rows)
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
    assert sum(p.table == "Appendix 2: Tukey" for p in beside.values()) == 24


def test_every_two_cells_are_compared_by_every_method_in_blocks_of_data():
    rows = tukey_rows(ROWS)
    pairs = [row for row in rows if row.quantity == "tukey"]
    assert len(pairs) == 45 * len(METHODS)
    assert {row.data for row in rows} == {"mnist-maj and fashion-maj"}
    one = next(r for r in pairs if (r.model, r.other, r.explainer) == ("rlstm", "shallow", "lrp"))
    means = {
        cell: [r.value for r in ROWS if (cell_of(r.model), r.explainer, r.by) == (cell, "lrp", "member")]
        for cell in ("rlstm", "shallow")
    }
    assert one.value == pytest.approx(sum(means["shallow"]) / 14 - sum(means["rlstm"]) / 14)
    about = {
        r.quantity: r.value for r in rows if (r.model, r.other, r.explainer) == ("rlstm", "shallow", "lrp")
    }
    assert about["tukey_p"] <= about["tukey_holm"] < 0.05
    assert {r.explainer for r in rows if r.quantity == "anova_eta"} == set(METHODS)


def test_too_few_members_or_one_cell_compare_nothing():
    assert tukey_rows(cosine_rows(members=1, data=("digits-maj",))) == []
    assert tukey_rows(cosine_rows(means={"deep": 0.8})) == []
    assert tukey_rows([]) == []
    assert published(cosine_rows(data=("digits-maj",))) == []


def test_the_published_tables_are_whole():
    folder = files("holdfast.study").joinpath("published")
    names = sorted(path.name for path in folder.iterdir() if path.name.startswith("chormai_"))
    counts = {
        name: len(list(csv.DictReader(folder.joinpath(name).read_text("utf-8").splitlines())))
        for name in names
    }
    assert counts == {
        "chormai_appendix_1_kfold_accuracy.csv": 20,
        "chormai_appendix_2_anova.csv": 4,
        "chormai_appendix_2_tukey.csv": 24,
        "chormai_table_4_3_parameters.csv": 3,
        "chormai_table_4_4_accuracy.csv": 3,
        "chormai_tables_4_5_4_6_majority.csv": 10,
    }
    assert {line["method"] for line in published_differences()} == set(METHODS) - {"simple_taylor"}
