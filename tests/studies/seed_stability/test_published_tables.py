import pytest
from scipy.stats import chi2

from holdfast.studies.seed_stability.published_tables import cut_published, published, sd_ends
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.published_number import Published
from tests.reference import study as twin
from tests.study.seeds import accuracy_rows, family


def line(rows: list[Published], row: str, column: str) -> Published:
    (found,) = [one for one in rows if (one.row, one.column) == (row, column)]
    return found


def test_every_number_of_the_three_tables_is_there() -> None:
    rows = published([])
    assert len({(r.table, r.row, r.column) for r in rows}) == len(rows)
    own = [r for r in rows if r.column != "cut of sd"]
    assert {table: sum(r.table == table for r in own) for table in ("4.1", "4.2", "4.3")} == {
        "4.1": 6 * 5 + 7, "4.2": 36, "4.3": 36,
    }  # fmt: skip
    assert {r.measured for r in rows} == {None}
    assert {r.row.split()[0] for r in rows if r.note == "cannot be had"} == {
        "Diabetes(MIMIC)", "Anemia(MIMIC)", "ADR", "Diabetes", "Anemia", "Tweet",
    }  # fmt: skip
    assert {r.row.split()[0] for r in rows if r.note == "not run"} == {"SST", "IMDB", "AgNews", "SNLI"}


@pytest.mark.parametrize(
    ("model", "repair", "percent"),
    [("cnn", "aswa", 61), ("cnn", "naswa", 61), ("bilstm", "aswa", 46), ("bilstm", "naswa", 49)],
)
def test_sst_has_its_own_published_cuts(model: str, repair: str, percent: int) -> None:
    cut = cut_published(FamilyKey("sst2", model, repair))
    assert cut is not None
    assert round(100 * cut) == percent
    found = line(published([]), f"SST {model} {repair}", "cut of sd")
    assert round(found.published) == percent


def test_what_is_not_printed_has_no_cut() -> None:
    for family_ in (("sst2", "cnn", "none"), ("planted", "cnn", "aswa"), ("sst2", "rnn", "aswa")):
        assert cut_published(FamilyKey(*family_)) is None


def test_accuracy_and_its_deviation_beside_the_published() -> None:
    values = [0.80, 0.84, 0.82, 0.83, 0.81]
    rows = published(list(accuracy_rows(values, ("sst2", "cnn", "none"))))
    mean, sd = (line(rows, "SST cnn none", column) for column in ("accuracy", "sd"))
    own = [100 * value for value in values]
    assert (mean.published, mean.measured, mean.n) == (82.0, pytest.approx(sum(own) / 5), 5)
    assert (sd.published, sd.measured) == (1.01, pytest.approx(twin.sd(own)))
    assert (sd.low, sd.high) == pytest.approx(
        tuple(sd.measured * (4 / chi2.ppf(p, 4)) ** 0.5 for p in (0.975, 0.025))
    )
    assert mean.low < mean.measured < mean.high
    assert line(rows, "SST cnn aswa", "accuracy").measured is None
    assert {r.table for r in rows if r.measured is not None} == {"4.2"}


def test_a_cut_is_measured_where_both_were_run() -> None:
    rows = [*family(spread=0.01), *family(repair="aswa", spread=0.004)]
    found = line(published(rows), "SST cnn aswa", "cut of sd")
    assert found.published == 61.4
    assert found.measured == pytest.approx(60, abs=3)
    assert found.low < found.measured < found.high < 100


def test_no_accuracy_is_above_all() -> None:
    rows = published(list(accuracy_rows([1.0, 1.0, 0.9], ("sst2", "bilstm", "none"))))
    mean = line(rows, "SST bilstm none", "accuracy")
    assert mean.table == "4.3"
    assert mean.low < mean.measured < mean.high == 100.0
    assert sd_ends(0.0, 3) == (0.0, 0.0)


def test_sizes_by_class_in_the_documents_order() -> None:
    rows = [
        Measurement("snli", "cnn", "none", "texts", 5.0, by="class", bin="train/0"),
        Measurement("snli", "cnn", "none", "length", 14.5, by="split", bin="train"),
    ]
    found = published(rows)
    entailed = line(found, "SNLI", "train entailment")
    assert (entailed.published, entailed.measured) == (183416.0, 5.0)
    assert line(found, "SNLI", "average length").measured == 14.5
    assert line(found, "SNLI", "train neutral").published == 182764.0
