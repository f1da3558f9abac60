import re
from base64 import b64decode
from pathlib import Path

import pytest

from holdfast.commands.report import report
from holdfast.core.errors import BadRun
from holdfast.study.findings_file import read_findings
from tests.study.tiny import contents, copied


def test_a_report_is_drawn_again_from_results(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    before = contents(run)
    (run / "report.html").unlink()
    assert report(run) == run / "report.html"
    assert contents(run) == before


def test_unfinished_runs_cannot_be_drawn(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    (run / "findings.json").unlink()
    with pytest.raises(BadRun, match="is not finished"):
        report(run)
    with pytest.raises(BadRun, match="is not a run"):
        report(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_the_report_of_an_audit_without_a_word_of_the_data(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    before = contents(run)
    page = report(run, text=False).read_text("utf-8")
    words = {token for one in read_findings(run).examples for token in one.tokens if len(token) > 5}
    words -= {"script", "matters", "others"}  # which the page says of itself
    assert any(word in (run / "report.html").read_text("utf-8") for word in words)
    saved = [b64decode(link).decode() for link in re.findall(r"base64,([\w+/=]+)", page)]
    assert saved
    body = "".join([page[page.index("<body>") :], *saved])
    assert [word for word in words if word in body] == []
    assert "The same sentences" not in body
    assert "are left out of this report." in body
    after = contents(run)
    assert {name for name in after if after[name] != before.get(name)} == {"report-no-text.html"}
