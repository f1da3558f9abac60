"""``holdfast audit --probe …`` from the words typed to what is written and said."""

from dataclasses import replace
from pathlib import Path

from typer.testing import CliRunner

from holdfast.cli.commands import app
from holdfast.report.probe_lines import probe_lines
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.measurement import Measurement, read_measurements
from tests.study.tiny import here

DATA = "planted:train=40,validation=10,test=10"
BRIEF = ("--seeds", "2", "--epochs", "1", "--instances", "4", "--workers", "1", "--device", "cpu", "--quiet")
PROBES = "comprehensiveness:of=evidence,shares=10+50,sufficiency,flipping_noise:shares=50,rounds=2,steps=1"


def test_every_probe_is_measured_written_and_said(tmp_path: Path) -> None:
    words = ["audit", DATA, "--model", "average:dim=4", "--explainer", "gradient", "--probe", PROBES, *BRIEF]
    with here():
        answer = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "run")], env={"COLUMNS": "300"})
    assert answer.exit_code == 0, answer.output
    rows = read_measurements(tmp_path / "run" / "results.parquet")
    for probe in {row.probe for row in rows if row.quantity == "drop"}:
        mine = {(row.quantity, row.explainer) for row in rows if row.probe == probe}
        assert mine >= {("drop", "gradient"), ("drop_random", ""), ("drop_gain", "gradient")}
        assert (("drop_unflipped", "gradient") in mine) == probe.startswith("flipping_noise")
    for said in (
        "Comprehensiveness (of=evidence,shares=10+50), fall of the evidence (logit), higher is better: ",
        "Sufficiency, fall of the probability, lower is better: gradient ",
        "), smallest noise that flips the prediction (L2), lower is better: gradient ",
    ):
        assert answer.output.count(said) == 1, answer.output
    assert answer.output.count("; random order ") == 3
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "better than random by" in page
    assert "never flipped" in page


def test_the_best_is_first_whichever_direction_is_better() -> None:
    family = ("sst2", "cnn", "none")

    def row(quantity: str, value: float, explainer: str, probe: str = "sufficiency") -> Measurement:
        return Measurement(*family, quantity, value, explainer=explainer, probe=probe)

    rows = [row("drop", 0.5, "attention"), row("drop_gain", -0.25, "attention")]
    rows += [row("drop", 0.125, "gradient"), row("drop_gain", 0.125, "gradient"), row("drop", 0.25, "random")]
    rows += [row("drop_random", 0.25, ""), row("drop", 0.75, "gradient", "gone.py:Gone")]
    rows += [replace(one, repair="aswa") for one in rows]
    about = ExplainerVerdict(*family, "attention", "holds", (), "", ())
    assert probe_lines(rows, about) == [
        "Sufficiency, fall of the probability, lower is better: gradient 0.12, attention 0.50; "
        "random order 0.25.",
        "gone.py:Gone, as the probe says: gradient 0.75.",
    ]
    assert probe_lines([], about) == []


def test_how_often_nothing_flipped_stands_beside_the_number() -> None:
    family, probe = ("sst2", "cnn", "none"), "flipping_noise:most=2.0"
    numbers = [("drop", 2.0, "gradient"), ("drop", 0.5, "attention"), ("drop_random", 1.5, "")]
    numbers += [("drop_unflipped", 1.0, "gradient"), ("drop_unflipped", 0.001, "attention")]
    numbers += [("drop_unflipped", 0.25, ""), ("drop_gain", 1.0, "attention")]
    rows = [Measurement(*family, quantity, value, explainer=e, probe=probe) for quantity, value, e in numbers]
    (line,) = probe_lines(rows, ExplainerVerdict(*family, "attention", "holds", (), "", ()))
    assert line.endswith(
        "lower is better: attention 0.50, gradient 2.00 (never flipped in 100 %); "
        "random order 1.50 (never flipped in 25 %)."
    )
