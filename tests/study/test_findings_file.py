import json
from pathlib import Path

import pytest

from holdfast.core.errors import BadRun
from holdfast.study.findings_file import read_findings
from tests.study.tiny import copied, finished, flip


def test_findings_there_and_back() -> None:
    run = finished()
    found = read_findings(run)
    assert found.answer.to_json() == json.loads((run / "verdict.json").read_text())
    assert found.plan == json.loads((run / "plan.json").read_text())
    assert found.command.startswith("holdfast audit planted:train=120,validation=30,test=30 --model ")
    assert len(found.examples) == 6
    assert found.examples[0].heats[0].explainer == "attention"
    assert isinstance(found.examples[0].heats[0].scores[0], tuple)
    assert any("20 of 30 test examples of planted" in note for note in found.notes)
    assert hash(found.examples) == hash(read_findings(run).examples)


def test_damaged_findings_are_refused(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    flip(run / "results.parquet")
    with pytest.raises(BadRun, match=r"results\.parquet is damaged: run its command again to repair it"):
        read_findings(run)
    (run / "findings.json").unlink()
    with pytest.raises(BadRun, match=r"is not finished \(findings\.json is missing\): run its command again"):
        read_findings(run)
