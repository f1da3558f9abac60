"""Scores from any library in one call."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

import holdfast
from holdfast.commands.judge import judge, judge_file
from holdfast.core.errors import BadData, BadSetting
from tests.data.scores.made import made

MADE = made()


@pytest.fixture
def scores(tmp_path):
    np.savez(tmp_path / "scores.npz", scores=MADE.scores, untrained=MADE.untrained)
    return tmp_path / "scores.npz"


def test_the_result_has_everything():
    answer = judge(**MADE.all, predict=MADE.predict)
    assert answer.verdict == answer.answer.verdict == "holds"
    assert [one.name for one in answer.questions] == ["learned", "says", "survives", "matters", "calibrated"]
    assert str(answer).startswith("Show this explanation: it holds (hold 0.")
    told = json.loads(json.dumps(answer.to_json()))
    assert (told["schema"], told["verdict"], told["report"]) == (2, "holds", None)
    assert told["rows"][0]["questions"][2]["name"] == "survives"
    assert answer._repr_html_().startswith('<div class="holdfast"><style>')
    assert repr(answer).startswith("Judged(seconds=")


def test_the_command_says_what_was_given():
    assert judge(MADE.scores, labels=MADE.labels).findings.command == "holdfast.judge(scores, labels=…)"


def test_a_file_gives_the_same_answer_as_its_arrays(scores):
    told, typed = judge_file(scores), judge(MADE.scores, untrained=MADE.untrained)
    assert told.answer.rows[0].hold == typed.answer.rows[0].hold
    assert told.page == scores.with_name("scores-report.html")
    again = told.page.read_bytes()
    assert judge_file(scores).page.read_bytes() == again, "a report of ours is written over, the same bytes"


def test_a_report_may_have_a_name_and_no_text(scores, tmp_path):
    words = np.array([["secret"] * 6] * 120)
    np.savez(scores, scores=MADE.scores, tokens=words)
    page = judge_file(scores, tmp_path / "new" / "r.html", text=False).page
    assert page == tmp_path / "new" / "r.html"
    assert "secret" not in page.read_text("utf-8")
    assert "secret" in judge(MADE.scores, tokens=words).report(tmp_path / "r.html").read_text("utf-8")


def test_another_file_is_never_written_over_and_nothing_is_judged_before(scores, monkeypatch):
    page = scores.with_name("scores-report.html")
    page.write_text("mine")
    monkeypatch.setattr("holdfast.commands.judge.read_scores", lambda path: pytest.fail("it was read"))
    with pytest.raises(BadSetting, match=r"exists and is no report of Holdfast: name another file$"):
        judge_file(scores)
    assert page.read_text() == "mine"


def test_where_nothing_can_be_written_beside_there_is_no_report(scores, monkeypatch):
    def refuse(path, data):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("holdfast.report.explained.write", refuse)
    assert judge_file(scores).page is None
    with pytest.raises(BadSetting, match=r"^cannot write \S+ \(Permission denied\): use another --report$"):
        judge_file(scores, scores.with_name("named.html"))


def test_a_file_of_something_else():
    with pytest.raises(
        BadData, match=r"^expected scores in a \.npz or a \.parquet file, but got 'scores\.csv'$"
    ):
        judge_file("scores.csv")


def test_captums_tensors_and_shaps_explanations_are_judged_as_they_are():
    shap = pytest.importorskip("shap")
    tensors = [torch.from_numpy(one).requires_grad_() for one in MADE.scores]
    values = [
        shap.Explanation(
            values=one, base_values=np.zeros(120), data=np.zeros((120, 6)), feature_names=list("abcdef")
        )
        for one in MADE.scores
    ]
    one, other = judge(tensors), judge(values)
    assert one.answer == judge(MADE.scores).answer
    assert other.answer == judge(MADE.scores, tokens=list("abcdef")).answer
    assert other.findings.examples[0].tokens == tuple("abcdef")


def test_it_is_offered_at_the_front_door():
    assert holdfast.judge is judge
    assert Path(judge.__code__.co_filename).name == "judge.py"
