from pathlib import Path

import pytest

from holdfast.core.errors import BadSetting
from holdfast.report.html import render_page
from holdfast.report.own_page import check_own_page


def test_a_new_file_and_a_report_of_ours_may_be_written(tmp_path):
    path = tmp_path / "r.html"
    assert check_own_page(path) == path
    path.write_text(render_page("Page", [], []), "utf-8")
    assert check_own_page(path) == path


@pytest.mark.parametrize(
    "text", ["", "<p>mine</p>", f'{"x" * 3000}<meta name="generator" content="holdfast 1">']
)
def test_anothers_file_is_never_written_over(tmp_path, text):
    path = tmp_path / "r.html"
    path.write_text(text, "utf-8")
    with pytest.raises(BadSetting) as caught:
        check_own_page(path)
    assert str(caught.value) == f"{path} exists and is no report of Holdfast: name another file"


def test_what_cannot_be_a_page(tmp_path):
    with pytest.raises(
        BadSetting, match=r"^expected --report to be a file that ends in \.html, but got 'r\.txt'$"
    ):
        check_own_page(Path("r.txt"))
    folder = tmp_path / "r.html"
    folder.mkdir()
    with pytest.raises(BadSetting, match=r"^--report \S+ is a folder, not a file: name a file$"):
        check_own_page(folder)
