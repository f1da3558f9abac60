"""What sources of features say, and how a table is taken for one."""

import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.source import Source, identity, load, reads, source_of, taken_for
from holdfast.study.plan import infer_modality


@pytest.mark.parametrize(
    ("source", "models", "kind"),
    [
        (Source("a.csv", label="y"), None, "text"),
        (Source("a.csv", label="y"), ("cnn",), "text"),
        (Source("a.csv", label="y"), ("hgb",), "features"),
        (Source("a.csv", label="y"), ("hgb", "mlp"), "features"),
        (Source("a.csv", label="y", features="age"), None, "features"),
        (Source("a.csv", label="y", resample=True), None, "features"),
        (Source("a.csv", text="t", label="y"), ("hgb",), "text"),
        (Source("a.csv", user="u"), ("hgb",), "interaction"),
    ],
)
def test_a_table_is_one_of_features_by_what_is_said_or_by_its_models(source, models, kind):
    assert reads(infer_modality(source, models)) == kind


def test_what_other_data_are_known_by_stays_as_it_was():
    assert not {"features", "resample"} & set(identity(Source("a.csv", text="t", label="y")))
    assert identity(taken_for(Source("a.csv", label="y"), "features"))["features"] == "all"


def test_a_table_in_memory_is_read_too():
    rows = {"age": list(range(40)), "y": ["a", "b", "b", "a"] * 10}
    data = load(source_of(rows, label="y", features="all"))
    assert [column.name for column in data.columns] == ["age"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            Source("sst2", resample=True),
            "--resample draws the rows of a table of features anew, but 'sst2' is a text data set",
        ),
        (
            Source("breast-cancer", label="y"),
            "--label names a column of a file, but 'breast-cancer' is a named data set",
        ),
        (
            Source("a.csv", features="x", query="q"),
            "--query names a column of a file, but 'a.csv' is a file of features",
        ),
    ],
)
def test_options_of_other_data_are_refused(tmp_path, monkeypatch, source, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("x,y\n1,a\n")
    with pytest.raises(BadSetting) as caught:
        load(source)
    assert str(caught.value) == f"{said}: leave it out"
