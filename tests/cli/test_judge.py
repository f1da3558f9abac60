"""``holdfast judge`` as a person meets it."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from holdfast.cli import app
from holdfast.core.errors import BadData, BadSetting
from tests.data.scores.made import made

MADE = made()


@pytest.fixture
def typed(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    np.savez("scores.npz", scores=MADE.scores, untrained=MADE.untrained)
    np.savez("noise.npz", scores=np.random.default_rng(1).normal(size=MADE.scores.shape))
    np.savez("one.npz", scores=MADE.scores[:1], probabilities=MADE.probabilities[:1], labels=MADE.labels)
    return lambda *words: CliRunner().invoke(app, ["judge", *words])


def test_the_answer_and_where_the_report_is(typed, tmp_path):
    done = typed("scores.npz", "--quiet")
    assert done.exit_code == 0
    assert done.stdout.startswith("HOLDS\n")
    assert done.stdout.endswith("Report: scores-report.html\n")
    assert (tmp_path / "scores-report.html").is_file()


def test_json_and_summaries(typed, tmp_path):
    done = typed("scores.npz", "--json", "--report", "r.html", "--junit", "j.xml", "--markdown", "m.md", "-q")
    told = json.loads(done.stdout)
    assert (told["schema"], told["verdict"], told["report"]) == (2, "holds", "r.html")
    assert all((tmp_path / name).is_file() for name in ("r.html", "j.xml", "m.md"))
    assert not (tmp_path / "scores-report.html").exists()


@pytest.mark.parametrize(
    ("name", "under", "code"),
    [("scores.npz", "0.5", 0), ("scores.npz", "1", 3), ("noise.npz", "0", 3), ("one.npz", "0", 3)],
)
def test_the_gate(typed, name, under, code):
    assert typed(name, "--fail-under", under, "--quiet").exit_code == code


def test_bad_use_is_refused_before_anything_is_read(typed):
    assert isinstance(typed("none.npz", "--fail-under", "2").exception, BadSetting)
    assert isinstance(typed("none.npz", "--report", "r.txt").exception, BadSetting)
    assert isinstance(typed("none.npz").exception, BadData)


def test_without_text_no_word_is_in_the_report(typed, tmp_path):
    np.savez("words.npz", scores=MADE.scores, tokens=np.array([["secret"] * 6] * 120))
    typed("words.npz", "--no-text", "-q")
    assert "secret" not in (tmp_path / "words-report.html").read_text("utf-8")
