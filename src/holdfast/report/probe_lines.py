"""What the probes that were asked for say, a sentence each, for a terminal."""

from collections.abc import Iterable
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from holdfast.core.plain import printable
from holdfast.report.charts.select import judged, select, words
from holdfast.report.probes import measured_by
from holdfast.report.texts import number, percent
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.measurement import FamilyKey, Measurement, read_measurements

LEAST = 0.005  # a smaller share without a flip is not worth a word


def probe_lines(rows: Iterable[Measurement], about: ExplainerVerdict) -> list[str]:
    """A sentence for each probe, of the family that the answer is about: every explainer, the one that beats
    random order by most first.

    >>> family = ("sst2", "cnn", "none")
    >>> probed = [("drop", 0.5, "attention"), ("drop_gain", 0.4, "attention"), ("drop_random", 0.1, "")]
    >>> rows = [Measurement(*family, q, v, explainer=e, probe="sufficiency") for q, v, e in probed]
    >>> probe_lines(rows, ExplainerVerdict(*family, "attention", "holds", (), "", ()))
    ['Sufficiency, fall of the probability, lower is better: attention 0.50; random order 0.10.']
    """
    kept = [row for row in rows if row.family == FamilyKey(about.data, about.model, about.repair)]
    return [_line(probe, kept) for probe in dict.fromkeys(row.probe for row in select(kept, "drop"))]


def probes_of(run: Path, about: ExplainerVerdict) -> RenderableType:
    """The same of a finished run, a line each."""
    measured = read_measurements(run / "results.parquet")
    return Text("\n".join(printable(line) for line in probe_lines(measured, about)))


def _line(probe: str, rows: list[Measurement]) -> str:
    drops = judged(select(rows, "drop", probe=probe))
    gains = {row.explainer: row.value for row in select(rows, "drop_gain", probe=probe)}
    never = {row.explainer: row.value for row in select(rows, "drop_unflipped", probe=probe)}

    def said(row: Measurement) -> str:
        share = never.get(row.explainer, 0.0)
        return number(row.value) + (f" (never flipped in {percent(share, 0)})" if share >= LEAST else "")

    best = sorted(drops, key=lambda row: -gains.get(row.explainer, 0.0))
    each = ", ".join(f"{words(row.explainer)} {said(row)}" for row in best)
    chance = "".join(f"; random order {said(row)}" for row in select(rows, "drop_random", probe=probe))
    name = words(probe) if "." in probe.partition(":")[0] else words(probe).capitalize()
    return f"{name}, {measured_by(probe)}: {each}{chance}."
