"""What an audit answered, in words, in JSON and in a notebook."""

from dataclasses import replace
from pathlib import Path

from holdfast.commands.audited import Audited, folder_of
from holdfast.study.findings_file import read_findings
from tests.commands.notebook import plain
from tests.study.answers import answer
from tests.study.tiny import finished


def test_an_answer_in_every_form():
    audited = Audited(Path("run"), answer(), 1.23456)
    assert str(audited) == f"{answer().headline} {answer().do}".rstrip() == plain(audited)
    assert audited.to_json() == answer().to_json() | {"run": "run", "seconds": 1.235}
    assert audited == Audited(Path("run"), answer(), 9.0), "seconds do not count"


def test_a_notebook_shows_its_gauge_its_matrix_and_examples():
    told = replace(read_findings(finished()).answer, headline="What was <b>asked</b> here.")
    cell = Audited(finished(), told, 1.0)._repr_html_()
    assert cell.startswith('<div class="holdfast"><style>')
    for part in (
        "What was &lt;b&gt;asked&lt;/b&gt; here.",
        '<div class="scale"',
        '<table class="matrix">',
        "<article>",
    ):
        assert part in cell
    assert f"{finished()}/report.html" in cell
    assert len(cell.encode()) < 100_000


def test_where_the_run_is_gone_a_notebook_shows_the_text(tmp_path):
    assert Audited(tmp_path / "gone", answer(), 1.0)._repr_html_() is None


def test_a_run_is_named_by_its_folder_or_by_what_was_answered():
    assert folder_of(Audited(Path("run"), answer(), 1.0)) == folder_of("run") == Path("run")
