"""Re-running a document: the study, what was published beside it, and the report of both."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from holdfast.commands.audit import RUNS, write_report
from holdfast.core.catalogue import make
from holdfast.core.errors import CannotDraw
from holdfast.core.files import read_json, write
from holdfast.measure.claims import Claim
from holdfast.report.charts.draw import save_figure
from holdfast.report.csvs import claims_csv, published_csv, read_published, rows_csv
from holdfast.report.html import render, render_page
from holdfast.report.page import Page, Section
from holdfast.studies.base import Study
from holdfast.study.command import study_command
from holdfast.study.engine import Listener
from holdfast.study.findings import Findings, without_text
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.run import read_findings, run_study, with_digests
from holdfast.study.store import Store, locked_run

UNDRAWN = (
    "The drawing packages (altair, vl-convert-python) cannot be used here, so figures are shown as tables: "
    "run holdfast report RUN where they can."
)
NO_TEXT = "report-no-text.html"


def study_of(name: str) -> Study:
    """The study of that name."""
    return make("studies", name)  # type: ignore[no-any-return]


def command_of(plan: Plan) -> str:
    """What to type for a study's plan."""
    study = study_of(plan.study)
    return study_command(plan, *study.written(plan), study.fit, study.folded)


@dataclass(frozen=True)
class Reproduced:
    """Where the run is, and what came out of each claim."""

    run: Path
    study: str
    claims: list[Claim]
    published: list[Published]
    seconds: float = field(compare=False)

    @property
    def lines(self) -> list[str]:
        """What to tell on a terminal."""
        told = [study_of(self.study).line(claim) for claim in self.claims if not claim.detail]
        drawn = any((self.run / "figures").glob("*.svg"))
        return told if drawn else [*told, UNDRAWN.replace("RUN", str(self.run))]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        claims = [claim.to_json() for claim in self.claims]
        about = {"schema": 2, "claims": claims, "published": [asdict(one) for one in self.published]}
        return about | {"run": str(self.run), "seconds": round(self.seconds, 3)}


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
    study = study_of(plan.study)
    study.needs.check(plan)
    plan = with_digests(plan, data_dir, fresh)
    run = out or RUNS / f"{plan.study}-{plan.hash[:8]}"
    with locked_run(run, plan, fresh) as store:
        if not store.finished("published.csv", "claims.json"):
            done = run_study(
                plan, store, command_of(plan), data_dir, workers, listen, study.measure, study.pictures
            )
            judge(store, done.findings)
            draw(store, listen)
    return Reproduced(run, plan.study, *_judged(run), time.monotonic() - began)


def redraw(run: Path, text: bool = True) -> Path:
    """Draw the report of a run again from its results, and say where it is.

    Claims are made again too, from the results alone: a report never mixes two ways to judge. Without
    ``text`` no word, item or image of the data is shown, in a file of its own.
    """
    store = Store(run)
    plan = store.plan
    with locked_run(run, plan, fresh=False):
        if not text:
            found = without_text(read_findings(run))
            html = render(found) if plan.study == "audit" else _html(store, found, _page(store, found))
            write(run / NO_TEXT, html.encode())
            return run / NO_TEXT
        if plan.study == "audit":
            write_report(store)
        else:
            judge(store, read_findings(run))
            draw(store)
    return run / "report.html"


def judge(store: Store, found: Findings) -> None:
    """Write the claims, and the numbers behind them, that follow from what was found."""
    plan = store.plan
    study = study_of(plan.study)
    claims = study.claims(found)
    store.keep("claims.json", json.dumps([claim.to_json() for claim in claims], indent=1).encode())
    store.keep("claims.csv", claims_csv(claims, plan))
    store.keep("rows.csv", rows_csv(found.rows, plan))
    store.keep("published.csv", published_csv(study.published(found)))


def draw(store: Store, listen: Listener = lambda stage, done, total: None) -> None:
    """Write the report of a study, and each of its figures as a file."""
    listen("drawing", 0, 1)
    found = read_findings(store.folder)
    page = _page(store, found)
    drawn, missing = save_figures(page.sections, store.folder)
    store.enter(drawn)
    html = _html(store, found, page, missing)
    store.keep("report.html", html.encode())
    listen("drawing", 1, 1)


def save_figures(sections: Sequence[Section], run: Path) -> tuple[dict[str, str], tuple[str, ...]]:
    """Write each figure as a file: their digests, and what to say where the drawing packages are missing."""
    found: dict[str, str] = {}
    try:
        for figure in [figure for section in sections for figure in section.figures if len(figure)]:
            found[f"figures/{figure.key}.svg"] = save_figure(figure, run / "figures" / f"{figure.key}.svg")
    except CannotDraw:
        return {}, (UNDRAWN,)
    return found, ()


def _judged(run: Path) -> tuple[list[Claim], list[Published]]:
    """The claims of a run, and the published numbers beside ours."""
    claims = [Claim.from_json(values) for values in read_json(run / "claims.json")]
    return claims, read_published(run / "published.csv")


def _page(store: Store, found: Findings) -> Page:
    store.check("claims.json", "published.csv")
    return study_of(store.plan.study).page(found, *_judged(store.folder))


def _html(store: Store, found: Findings, page: Page, missing: Sequence[str] = ()) -> str:
    title = study_of(store.plan.study).title
    return render_page(title, page.intro, page.sections, (*found.notes, *missing), found.command)
