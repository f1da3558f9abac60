"""Re-running a document: the study, what was published beside it, and the report of both."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.core.catalogue import make
from holdfast.core.errors import CannotDraw, UnknownName
from holdfast.core.files import read_json, write
from holdfast.measure.claims import Answer
from holdfast.report import relevance as relevance_page
from holdfast.report import rollout as rollout_page
from holdfast.report import seed_stability as seeds_page
from holdfast.report.audit import RUNS, write_report
from holdfast.report.csvs import claims_csv, published_csv, read_published, rows_csv
from holdfast.report.figures.draw import save_figure
from holdfast.report.html import render, render_page
from holdfast.report.page import Section
from holdfast.study import relevance, relevance_plan, rollout, rollout_plan, seed_stability
from holdfast.study.asked import Asked
from holdfast.study.beside import Published
from holdfast.study.cell import Cell
from holdfast.study.engine import Listener
from holdfast.study.findings import Findings, without_text
from holdfast.study.needs import Needs
from holdfast.study.picture import Picture
from holdfast.study.plan import Plan
from holdfast.study.run import conduct, read_findings, settled
from holdfast.study.store import Store, opened
from holdfast.study.surface import Landscape, landscape
from holdfast.study.table import Row

UNDRAWN = (
    "The drawing packages (altair, vl-convert-python) cannot be used here, so figures are tables of "
    "numbers: holdfast report RUN draws them where they can."
)
NO_TEXT = "report-no-text.html"
Claims = list[dict[str, Any]]
Beside = list[dict[str, Any]]


class Study(NamedTuple):
    """One document that can be re-run: what is trained, what is measured beyond an audit, and its page."""

    about: str
    plan: Callable[[Asked], Plan]
    needs: Needs
    rows: Callable[[Sequence[Cell]], list[Row]]
    judge: Callable[[Findings], tuple[Claims, list[Published]]]
    pictures: Callable[[Sequence[Cell]], list[Picture]]
    title: str
    intro: Callable[[Claims], list[str]]
    sections: Callable[[Findings, Claims, Beside], list[Section]]
    line: Callable[[dict[str, Any]], str]


STUDIES = {
    seed_stability.NAME: Study(
        about=seed_stability.ABOUT,
        plan=seed_stability.plan,
        needs=seed_stability.NEEDS,
        rows=seed_stability.own_rows,
        judge=lambda found: seeds_judged(found.rows, Plan.from_json(found.plan)),
        pictures=lambda cells: [],
        title=seeds_page.TITLE,
        intro=seeds_page.intro,
        sections=lambda found, came, beside: seeds_page.sections(found.rows, came, beside, _landscape()),
        line=seeds_page.line,
    ),
    relevance_plan.NAME: Study(
        about=relevance_plan.ABOUT,
        plan=relevance_plan.plan,
        needs=relevance_plan.NEEDS,
        rows=relevance.own_rows,
        judge=lambda found: (_told(relevance.own_claims(found.rows)), relevance.published(found.rows)),
        pictures=relevance.pictures,
        title=relevance_page.TITLE,
        intro=relevance_page.intro,
        sections=lambda found, came, beside: relevance_page.sections(
            found.rows, came, beside, found.pictures
        ),
        line=relevance_page.line,
    ),
    rollout_plan.NAME: Study(
        about=rollout_plan.ABOUT,
        plan=rollout_plan.plan,
        needs=rollout_plan.NEEDS,
        rows=rollout.own_rows,
        judge=lambda found: (_told(rollout.own_claims(found.rows)), rollout.published(found.rows)),
        pictures=lambda cells: [],
        title=rollout_page.TITLE,
        intro=rollout_page.intro,
        sections=lambda found, came, beside: rollout_page.sections(found.rows, came, beside, found.examples),
        line=rollout_page.line,
    ),
}


def _told(answers: Sequence[Answer]) -> Claims:
    return [asdict(answer) | {"verdict": answer.verdict} for answer in answers]


def seeds_judged(rows: Sequence[Row], plan: Plan) -> tuple[Claims, list[Published]]:
    """The tables are of Adam: other training is asked the questions, and not held against them."""
    printed = seed_stability.as_printed(plan)
    beside = seed_stability.published(rows if printed else [])
    return _told(seed_stability.own_claims(rows, printed)), beside


def study_of(name: str) -> Study:
    """The study of that name."""
    if name not in STUDIES:
        raise UnknownName("study", name, STUDIES)
    return STUDIES[name]


@dataclass(frozen=True)
class Reproduced:
    """Where the run is, and what came out of each claim."""

    run: Path
    study: str
    claims: Claims
    published: Beside
    seconds: float = field(compare=False)

    @property
    def lines(self) -> list[str]:
        """What to tell on a terminal."""
        shown = [claim for claim in self.claims if not claim.get("detail")]
        told = [study_of(self.study).line(claim) for claim in shown]
        drawn = any((self.run / "figures").glob("*.svg"))
        return told if drawn else [*told, UNDRAWN.replace("RUN", str(self.run))]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        about = {"schema": 1, "claims": self.claims, "published": self.published}
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
    plan = settled(plan, data_dir, fresh)
    run = out or RUNS / f"{plan.study}-{plan.hash[:8]}"
    with opened(run, plan, fresh) as store:
        if not store.finished("published.csv", "claims.json"):
            done = conduct(plan, store, data_dir, workers, listen, study.rows, study.pictures)
            judge(store, done.findings)
            draw(store, listen)
    came = read_json(run / "claims.json")
    return Reproduced(run, plan.study, came, read_published(run / "published.csv"), time.monotonic() - began)


def redraw(run: Path, text: bool = True) -> Path:
    """Draw the report of a run again from its results, and say where it is.

    Claims are made again too, from the results alone: a report never mixes two ways to judge. Without
    ``text`` no word, item or image of the data is shown, in a file of its own.
    """
    store = Store(run)
    plan = store.plan
    with opened(run, plan, fresh=False):
        if not text:
            found = without_text(read_findings(run))
            html = render(found) if plan.study == "audit" else _page(store, found, _sections(store, found))
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
    claims, beside = study_of(plan.study).judge(found)
    store.keep("claims.json", json.dumps(claims, indent=1).encode())
    store.keep("claims.csv", claims_csv(claims, plan))
    store.keep("rows.csv", rows_csv(found.rows, plan))
    store.keep("published.csv", published_csv(beside))


def draw(store: Store, listen: Listener = lambda stage, done, total: None) -> None:
    """Write the report of a study, and each of its figures as a file."""
    listen("drawing", 0, 1)
    found = read_findings(store.folder)
    sections = _sections(store, found)
    drawn, missing = save_figures(sections, store.folder)
    store.enter(drawn)
    html = _page(store, found, sections, missing)
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


def _sections(store: Store, found: Findings) -> list[Section]:
    store.check("claims.json", "published.csv")
    came = read_json(store.folder / "claims.json")
    return study_of(store.plan.study).sections(found, came, read_published(store.folder / "published.csv"))


def _page(store: Store, found: Findings, sections: Sequence[Section], missing: Sequence[str] = ()) -> str:
    study, came = study_of(store.plan.study), read_json(store.folder / "claims.json")
    return render_page(study.title, study.intro(came), sections, (*found.notes, *missing), found.command)


def _landscape() -> Landscape:
    ways = {"SGD with momentum": make("repairs", "none"), "SGD with ASWA": make("repairs", "aswa")}
    return landscape(ways)
