from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.commands.audited import Audited
from holdfast.commands.compare import compare
from holdfast.core.errors import BadSetting
from holdfast.study.compare import compare_runs
from tests.commands.notebook import plain
from tests.study.answers import answer
from tests.study.majority import majority
from tests.study.tiny import finished


def audited(run: Path) -> Audited:
    return Audited(run, answer(), 1.0)


def test_folders_are_named_by_paths_or_texts() -> None:
    found = compare(str(finished()), finished("aswa"))
    assert found.changes == compare_runs(finished(), finished("aswa"))
    assert compare(audited(finished()), audited(finished("aswa"))) == found


def test_names_are_written_in_one_text_or_in_several() -> None:
    both = compare(majority(), majority(), models="shallow,rlstm", repairs="none")
    assert both == compare(majority(), majority(), models=["shallow", "rlstm"])
    assert (both.changes.before.model, both.changes.after.model) == ("shallow", "rlstm")


def test_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    found = compare(finished(), finished("aswa"), out=str(page))
    assert found == replace(compare(finished(), finished("aswa")), page=page)
    assert found.to_json()["page"] == str(page)
    assert "Before and after" in page.read_text("utf-8")
    with pytest.raises(BadSetting, match=r"^expected --out to be a file that ends in \.html"):
        compare(finished(), finished("aswa"), out=tmp_path / "page.txt")


def test_in_words_and_in_a_notebook() -> None:
    found = compare(finished(), finished("aswa"))
    assert str(found) == found.changes.sentence
    assert found.worse == found.changes.worse
    cell = found._repr_html_()
    assert cell.startswith('<div class="holdfast"><style>')
    assert "Does it hold better?" in cell
    assert "<html" not in cell
    assert len(cell.encode()) < 100_000
    assert plain(found) == str(found)
