from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.commands.compare import compare
from holdfast.core.errors import BadSetting
from holdfast.study.compare import compare_runs
from tests.study.majority import majority
from tests.study.tiny import finished


def test_folders_are_named_by_paths_or_texts() -> None:
    assert compare(str(finished()), finished("aswa")) == compare_runs(finished(), finished("aswa"))


def test_names_are_written_in_one_text_or_in_several() -> None:
    both = compare(majority(), majority(), models="shallow,rlstm", repairs="none")
    assert both == compare(majority(), majority(), models=["shallow", "rlstm"])
    assert (both.before.model, both.after.model) == ("shallow", "rlstm")


def test_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    found = compare(finished(), finished("aswa"), out=str(page))
    assert found == replace(compare(finished(), finished("aswa")), page=page)
    assert found.to_json()["page"] == str(page)
    assert "Before and after" in page.read_text("utf-8")
    with pytest.raises(BadSetting, match=r"^expected --out to be a file that ends in \.html"):
        compare(finished(), finished("aswa"), out=tmp_path / "page.txt")
