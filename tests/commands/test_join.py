import csv
import json
from pathlib import Path

import pytest

from holdfast.commands.join import join
from holdfast.core.errors import BadRun, BadSetting
from holdfast.data.source import Source
from holdfast.studies.seed_stability.plan import NAME
from holdfast.study.findings import Findings
from holdfast.study.findings_file import write_findings
from holdfast.study.measurement import Measurement
from holdfast.study.plan import Plan
from holdfast.study.store import locked_run
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adagrad
from tests.study.answers import answer
from tests.study.seeds import family
from tests.study.tiny import finished

WORD = Measurement(
    "sst2", "cnn", "none", "word", 0.1, explainer="attention", sentence="1", by="word", bin="1:secret"
)


def run(
    folder: Path,
    rows: list[Measurement],
    data: str = "sst2",
    fit: Fit | None = None,
    digest: str = "1",
) -> Path:
    """A finished study of which only the results are there."""
    plan = Plan((Source(data),), fit=fit or Fit(), digests=(digest,), study=NAME)
    with locked_run(folder, plan, fresh=False) as store:
        write_findings(
            store, Findings("t", f"holdfast {folder.name}", plan.to_json(), answer(), tuple(rows), ())
        )
    return folder


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_runs_of_several_models_data_and_optimisers_are_one(tmp_path: Path) -> None:
    both = [*family(), *family(repair="aswa", kl=0.1), WORD]
    runs = [
        run(tmp_path / "slow", both[:-1], fit=Fit(optimiser=Adagrad())),
        run(tmp_path / "cnn", both),
        run(tmp_path / "dot", family(model="cnn:attention=dot", kl=0.05)),
        run(tmp_path / "imdb", [*family("imdb"), *family("imdb", repair="aswa", kl=0.3)], "imdb"),
    ]
    out = tmp_path / "all"
    assert join(runs, out, text=False) == out / "report.html"
    claims = read(out / "claims.csv")
    kl = "ASWA lowers the KL of attention between seeds"
    assert [(c["data"], c["optimiser"], c["answer"]) for c in claims if c["claim"] == kl] == [
        ("sst2", "adam", "came out"), ("imdb", "adam", "did not come out"), ("sst2", "adagrad", "came out"),
    ]  # fmt: skip
    dot = [c for c in claims if c["claim"].startswith("with dot attention the KL of attention")]
    assert [(c["model"], c["answer"]) for c in dot] == [("cnn:attention=dot", "came out")], "of two runs"
    rows = read(out / "rows.csv")
    assert len(rows) == sum(len(own) for own in (both, both, family(), family(), family())) - 2
    assert {r["optimiser"] for r in rows} == {"adam", "adagrad"}
    ran = {p["row"] for p in read(out / "published.csv") if p["measured"]}
    assert ran == {"SST cnn none", "SST cnn aswa", "IMDB cnn none", "IMDB cnn aswa"}
    html = (out / "report.html").read_text()
    assert "sst2 (adagrad)" in html
    assert "secret" not in html
    assert list((out / "figures").glob("*.svg"))


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    one = run(tmp_path / "one", family())
    with pytest.raises(BadRun, match=r"two and .*one both have sst2, cnn, none: give one of them$"):
        join([one, run(tmp_path / "two", family())], tmp_path / "out")
    with pytest.raises(BadRun, match=r"three and .*one have different data under the name sst2$"):
        join([one, run(tmp_path / "three", family(model="rnn"), digest="2")], tmp_path / "out")
    with pytest.raises(BadSetting, match=r"^expected runs of one study, but got audit, seed-stability$"):
        join([one, finished()], tmp_path / "out")
    other = run(tmp_path / "four", family(model="rnn"))
    longer = run(tmp_path / "five", family(model="rnn", repair="aswa"), fit=Fit(epochs=3))
    match = r"five and .*four both train rnn on sst2, but with different settings$"
    with pytest.raises(BadRun, match=match):
        join([other, longer], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_models_may_train_for_other_epochs_than_the_rest(tmp_path: Path) -> None:
    runs = [
        run(tmp_path / "one", family()),
        run(tmp_path / "two", family(model="rnn"), fit=Fit(epochs=3, batch=8, patience=2)),
        run(tmp_path / "three", family(repair="aswa")),
    ]
    join(runs, tmp_path / "all")
    html = (tmp_path / "all" / "report.html").read_text()
    assert "At most 3 epochs, batches of 8, 2 epochs without a better score, adam: rnn on sst2." in html
    assert "adam: cnn on sst2." in html
    plans = json.loads((tmp_path / "all" / "plans.json").read_text())
    assert [plan["fit"]["epochs"] for plan in plans] == [Fit().epochs, 3, Fit().epochs]
    join(runs[:1] + runs[2:], tmp_path / "alike")
    assert "epochs without a better score" not in (tmp_path / "alike" / "report.html").read_text()
