"""Re-running a document: the study, what was published beside it, and the report of both."""

import csv
import io
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from holdfast.core.catalogue import make
from holdfast.core.errors import UnknownName
from holdfast.core.files import read_json
from holdfast.data.sources import TextSource
from holdfast.report import seed_stability as page
from holdfast.report.audit import RUNS, write_report
from holdfast.report.figures.draw import save_figure
from holdfast.report.html import render_page
from holdfast.study import seed_stability
from holdfast.study.engine import Listener
from holdfast.study.findings import without_text
from holdfast.study.plan import Plan
from holdfast.study.run import conduct, read_findings, settled
from holdfast.study.seed_stability import Published
from holdfast.study.store import Store, opened
from holdfast.study.surface import landscape
from holdfast.train.fit import Fit

STUDIES = {seed_stability.NAME: "Jain ch. 4: do explanations survive another seed; do ASWA and NASWA help?"}


@dataclass(frozen=True)
class Reproduced:
    """Where the run is, and what came out of each claim."""

    run: Path
    claims: list[dict[str, Any]]
    published: list[dict[str, Any]]
    seconds: float = field(compare=False)

    @property
    def lines(self) -> list[str]:
        """What to tell on a terminal."""
        return [_line(claim) for claim in self.claims]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        about = {"schema": 1, "claims": self.claims, "published": self.published}
        return about | {"run": str(self.run), "seconds": round(self.seconds, 3)}


def study_plan(
    study: str,
    data: Sequence[tuple[str, str | None]],
    models: Sequence[str],
    repairs: Sequence[str],
    seeds: int,
    fit: Fit,
    instances: int | None,
    device: str,
    quick: bool,
) -> Plan:
    """The plan of a named study; ``data`` are (name, vectors)."""
    if study not in STUDIES:
        raise UnknownName("study", study, STUDIES)
    sources = [TextSource(name, vectors=vectors) for name, vectors in data]
    return seed_stability.plan_of(sources, models, repairs, seeds, fit, instances, device, quick)


def reproduce_study(
    plan: Plan,
    out: Path | None = None,
    fresh: bool = False,
    data_dir: Path | None = None,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
) -> Reproduced:
    """Carry out a study's plan, and write its tables, figures and report."""
    began = time.monotonic()
    plan = settled(plan, data_dir, fresh)
    run = out or RUNS / f"{plan.study}-{plan.hash[:8]}"
    with opened(run, plan, fresh) as store:
        if not (store.finished and store.sound("published.csv") and store.sound("claims.json")):
            done = conduct(plan, store, data_dir, workers, listen, seed_stability.own_rows)
            came = [asdict(c) | {"verdict": c.verdict} for c in seed_stability.own_claims(done.cells)]
            store.keep("claims.json", json.dumps(came, indent=1).encode())
            store.keep("published.csv", _csv(seed_stability.published(done.cells)))
            draw(store, listen)
    return Reproduced(run, read_json(run / "claims.json"), _read_csv(run), time.monotonic() - began)


def redraw(run: Path, text: bool = True) -> Path:
    """Draw the report of a run again from its results; without ``text`` it shows no word of the data."""
    store = Store(run)
    plan = store.plan
    with opened(run, plan, fresh=False):
        if plan.study == "audit":
            write_report(store, text=text)
        else:
            draw(store, text=text)
    return run / "report.html"


def draw(store: Store, listen: Listener = lambda stage, done, total: None, text: bool = True) -> None:
    """Write the report of a study, and each of its figures as a file."""
    listen("drawing", 0, 1)
    run = store.folder
    store.check("claims.json", "published.csv")
    found, came = read_findings(run), read_json(run / "claims.json")
    found = found if text else without_text(found)
    ways = {"SGD with momentum": make("repairs", "none"), "SGD with ASWA": make("repairs", "aswa")}
    sections = page.sections(found.rows, came, _read_csv(run), landscape(ways))
    html = render_page(page.TITLE, page.intro(came), sections, found.notes, found.command)
    store.keep("report.html", html.encode())
    try:
        for figure in [figure for section in sections for figure in section.figures if len(figure)]:
            save_figure(figure, run / "figures" / f"{figure.key}.svg")
    except ModuleNotFoundError:
        pass  # the drawing packages are not on this machine: `holdfast report` draws later
    listen("drawing", 1, 1)


def _line(claim: dict[str, Any]) -> str:
    cut = claim["cut"]
    ends = "" if cut["low"] is None else f" [{100 * cut['low']:.0f}, {100 * cut['high']:.0f}]"
    return f"{claim['verdict']}: {claim['claim']} ({claim['where']}): {100 * cut['value']:.0f} %{ends}"


def _csv(rows: list[Published]) -> bytes:
    sink = io.StringIO()
    writer = csv.DictWriter(sink, [f.name for f in fields(Published)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return sink.getvalue().encode()


def _read_csv(run: Path) -> list[dict[str, Any]]:
    with (run / "published.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts = ("table", "row", "column")
    return [{k: v if k in texts else float(v) if v else None for k, v in row.items()} for row in rows]
