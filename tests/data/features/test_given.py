import pytest

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.features.given import read_row
from tests.models.features.cases import table

HEAD = "column 0,column 1,column 2,column 3,column 4"


def written(folder, text):
    path = folder / "new.csv"
    path.write_text(text)
    return path


def test_a_row_is_read_as_the_models_read_theirs(tmp_path):
    path = written(tmp_path, f"{HEAD},more\n1,a,2,b,3,x\n0.5,c,0,new,,y\n")
    assert read_row(path, table(), 0).tolist() == [1.0, 0.0, 2.0, 1.0, 3.0]
    assert read_row(path, table(), 1).tolist() == [0.5, 2.0, 0.0, -1.0, 0.0]


def test_what_it_lacks_is_named(tmp_path):
    with pytest.raises(
        BadData, match=r"has no column column 1 and column 4, which the models read: its columns are"
    ):
        read_row(written(tmp_path, "column 0,column 2,column 3\n1,2,a\n"), table(), 0)
    with pytest.raises(BadSetting, match=r"expected --row from 0 to 0, but got 1$"):
        read_row(written(tmp_path, f"{HEAD}\n1,a,2,b,3\n"), table(), 1)
