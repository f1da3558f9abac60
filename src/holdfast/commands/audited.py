"""What an audit answered, and where its run lies."""

from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from holdfast.report.html import render
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

    def _repr_html_(self) -> str:
        headline, do = (escape(text) for text in (self.answer.headline, self.answer.do))
        return f"<p><strong>{headline}</strong> {do}</p>"


def write_report(store: Store, listen: Listener = lambda stage, done, total: None) -> None:
    """Draw the report of what was found."""
    listen("drawing", 0, 1)
    store.keep("report.html", render(read_findings(store.folder)).encode())
    listen("drawing", 1, 1)
