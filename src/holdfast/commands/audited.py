"""What an audit answered, and where its run lies."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from holdfast.core.errors import HoldfastError
from holdfast.report.html import render
from holdfast.report.notebook import render_cell
from holdfast.study.answer import Answer
from holdfast.study.engine import Listener
from holdfast.study.findings_file import read_findings
from holdfast.study.store import Store

RUNS = Path("holdfast-runs")


@dataclass(frozen=True)
class Audited:
    """What an audit answered, and the folder with the rest; ``more`` is what the run holds beyond what was
    asked, in a sentence."""

    run: Path
    answer: Answer
    seconds: float = field(compare=False)
    more: str = ""

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast audit --json``."""
        return self.answer.to_json() | {"run": str(self.run), "seconds": round(self.seconds, 3)}

    def __str__(self) -> str:
        return f"{self.answer.headline} {self.answer.do}".rstrip()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str | None:
        """The answer with a few examples; None, so that a notebook shows the text, where the run is gone."""
        try:
            findings = read_findings(self.run)
        except HoldfastError:
            return None
        return render_cell(replace(findings, answer=self.answer), self.run / "report.html")


def folder_of(run: Path | str | Audited) -> Path:
    """The folder of a run, however it is given."""
    return run.run if isinstance(run, Audited) else Path(run)


def write_report(store: Store, listen: Listener = lambda stage, done, total: None) -> None:
    """Draw the report of what was found."""
    listen("drawing", 0, 1)
    store.keep("report.html", render(read_findings(store.folder)).encode())
    listen("drawing", 1, 1)
