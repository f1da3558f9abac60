from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.named_sets import named_sets
from holdfast.data.source import Source, load
from tests.data.set_files import put


def test_strange_labels_and_fields(tmp_path: Path) -> None:
    for name in ("train", "dev", "test"):
        put(tmp_path, f"sst2/{name}.tsv", ["fine\t1", "bad\t0", "odd\t2"])
    with pytest.raises(BadData, match=r"train\.tsv: expected the label 0 or 1 in line 3, but got '2'$"):
        load(Source("sst2"), tmp_path)
    put(tmp_path, "sst2/train.tsv", ["fine\t1", "bad"])
    with pytest.raises(BadData, match=r"train\.tsv: expected 2 fields in line 2, but got 1$"):
        load(Source("sst2"), tmp_path)


@pytest.mark.parametrize("name", named_sets())
def test_every_set_says_what_it_is(name: str) -> None:
    known = named_sets()[name]
    assert known.about
    assert known.files == {} or known.home
