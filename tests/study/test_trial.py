"""An explainer that does not suit is refused before anything is trained."""

import shutil
from pathlib import Path

import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.base import Dataset
from holdfast.data.sources import Source
from holdfast.explain.rollout import Rollout
from holdfast.report.audit import carry_out
from holdfast.study.plan import Plan
from holdfast.study.run import conduct, settled
from holdfast.study.store import opened
from holdfast.study.trial import try_out
from tests.study.items import DATA, finished
from tests.study.tiny import here

REFUSED = r"^gru4rec:dim=8 cannot be explained so: rollout: expected a model with attention"


def plan(model: str, *explainers: str) -> Plan:
    return Plan(data=(Source(DATA),), models=(model,), explainers=explainers)


def test_what_does_not_suit_is_refused(plays: Dataset) -> None:
    with pytest.raises(BadSetting, match=REFUSED):
        try_out(plan("gru4rec:dim=8", "rollout", "gradient"), plays)
    try_out(plan("gru4rec:dim=8", "gradient", "rollout"), plays)
    try_out(plan("sasrec:dim=8", "rollout"), plays)
    try_out(plan("gru4rec:dim=8", "random"), plays)


def test_what_breaks_is_left_to_be_recorded(plays: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*arguments: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(Rollout, "scores", breaks)
    try_out(plan("sasrec:dim=8", "rollout"), plays)


def test_nothing_is_trained_then(tmp_path: Path) -> None:
    """Else the verdict would be left to another explainer, or to the random one."""
    source = (Source(DATA),)
    own = settled(Plan(source, ("gru4rec:dim=8",), seeds=2, explainers=("rollout", "random")), None)
    with (
        here(),
        opened(tmp_path / "run", own, fresh=False) as store,
        pytest.raises(BadSetting, match=REFUSED),
    ):
        conduct(own, store)
    assert not list((tmp_path / "run").rglob("seed-*"))


def test_an_older_run_is_not_removed_then(tmp_path: Path) -> None:
    run = Path(shutil.copytree(finished(), tmp_path / "run"))
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with here(), pytest.raises(BadSetting, match=REFUSED):
        carry_out(plan("gru4rec:dim=8", "rollout", "random"), run, fresh=True)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
