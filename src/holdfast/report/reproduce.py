"""Re-running a document: the study, what was published beside it, and the report of both."""

import csv
import io
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.core.catalogue import make
from holdfast.core.errors import UnknownName
from holdfast.core.files import read_json, write
from holdfast.report import relevance as relevance_page
from holdfast.report import rollout as rollout_page
from holdfast.report import seed_stability as seeds_page
from holdfast.report.audit import RUNS, write_report
from holdfast.report.figures.draw import save_figure
from holdfast.report.html import render, render_page
from holdfast.report.page import Section
from holdfast.study import relevance, relevance_plan, rollout, rollout_plan, seed_stability
from holdfast.study.asked import Asked
from holdfast.study.cell import Cell
from holdfast.study.claims import Claim
from holdfast.study.engine import Listener
from holdfast.study.findings import Findings, without_text
from holdfast.study.picture import Picture
from holdfast.study.plan import Plan
from holdfast.study.relevance_claims import Answer
from holdfast.study.run import Conducted, conduct, read_findings, settled
from holdfast.study.seed_stability import Published
from holdfast.study.store import Store, opened
from holdfast.study.surface import Landscape, landscape
from holdfast.study.table import Row

NO_TEXT = "report-no-text.html"
Claims = list[dict[str, Any]]
Beside = list[dict[str, Any]]


class Study(NamedTuple):
    """One document that can be re-run: what is trained, what is measured beyond an audit, and its page."""

    about: str
    plan: Callable[[Asked], Plan]
    rows: Callable[[Sequence[Cell]], list[Row]]
    claims: Callable[[Conducted], Claims]
    published: Callable[[Conducted], list[Published]]
    pictures: Callable[[Sequence[Cell]], list[Picture]]
    title: str
    intro: Callable[[Claims], list[str]]
    sections: Callable[[Findings, Claims, Beside], list[Section]]
    line: Callable[[dict[str, Any]], str]
    again: Callable[[Findings], tuple[Claims, list[Published]]] | None = None  # where findings are enough


STUDIES = {
    seed_stability.NAME: Study(
        about=seed_stability.ABOUT,
        plan=seed_stability.plan,
        rows=seed_stability.own_rows,
        claims=lambda done: _told(seed_stability.own_claims(done.cells)),
        published=lambda done: seed_stability.published(done.cells),
        pictures=lambda cells: [],
        title=seeds_page.TITLE,
        intro=seeds_page.intro,
        sections=lambda found, came, beside: seeds_page.sections(found.rows, came, beside, _landscape()),
        line=seeds_page.line,
    ),
    relevance_plan.NAME: Study(
        about=relevance_plan.ABOUT,
        plan=relevance_plan.plan,
        rows=relevance.own_rows,
        claims=lambda done: _told(relevance.own_claims(done.findings.rows)),
        published=lambda done: relevance.published(done.findings.rows),
        pictures=relevance.pictures,
        title=relevance_page.TITLE,
        intro=relevance_page.intro,
        sections=lambda found, came, beside: relevance_page.sections(
            found.rows, came, beside, found.pictures
        ),
        line=relevance_page.line,
        again=lambda found: (_told(relevance.own_claims(found.rows)), relevance.published(found.rows)),
    ),
    rollout_plan.NAME: Study(
        about=rollout_plan.ABOUT,
        plan=rollout_plan.plan,
        rows=rollout.own_rows,
        claims=lambda done: _told(rollout.own_claims(done.findings.rows)),
        published=lambda done: rollout.published(done.findings.rows),
        pictures=lambda cells: [],
        title=rollout_page.TITLE,
        intro=rollout_page.intro,
        sections=lambda found, came, beside: rollout_page.sections(found.rows, came, beside, found.examples),
        line=rollout_page.line,
        again=lambda found: (_told(rollout.own_claims(found.rows)), rollout.published(found.rows)),
    ),
}


def _told(answers: Sequence[Answer] | Sequence[Claim]) -> Claims:
    return [asdict(answer) | {"verdict": answer.verdict} for answer in answers]


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
        return [study_of(self.study).line(claim) for claim in shown]

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
    plan = settled(plan, data_dir, fresh)
    study = study_of(plan.study)
    run = out or RUNS / f"{plan.study}-{plan.hash[:8]}"
    with opened(run, plan, fresh) as store:
        if not (store.finished and store.sound("published.csv") and store.sound("claims.json")):
            done = conduct(plan, store, data_dir, workers, listen, study.rows, study.pictures)
            store.keep("claims.json", json.dumps(study.claims(done), indent=1).encode())
            store.keep("published.csv", _csv(study.published(done)))
            draw(store, listen)
    came = read_json(run / "claims.json")
    return Reproduced(run, plan.study, came, _read_csv(run), time.monotonic() - began)


def redraw(run: Path, text: bool = True) -> Path:
    """Draw the report of a run again from its results, and say where it is.

    Claims that follow from the results alone are made again too: a report never mixes two ways to judge.
    Without ``text`` no word, item or image of the data is shown, in a file of its own.
    """
    store = Store(run)
    plan = store.plan
    with opened(run, plan, fresh=False):
        if not text:
            found = without_text(read_findings(run))
            html = render(found) if plan.study == "audit" else _page(store, found)[0]
            write(run / NO_TEXT, html.encode())
            return run / NO_TEXT
        if plan.study == "audit":
            write_report(store)
        else:
            _judge_again(store)
            draw(store)
    return run / "report.html"


def _judge_again(store: Store) -> None:
    again = study_of(store.plan.study).again
    if again is not None:
        store.check("claims.json", "published.csv")
        claims, beside = again(read_findings(store.folder))
        store.keep("claims.json", json.dumps(claims, indent=1).encode())
        store.keep("published.csv", _csv(beside))


def draw(store: Store, listen: Listener = lambda stage, done, total: None) -> None:
    """Write the report of a study, and each of its figures as a file."""
    listen("drawing", 0, 1)
    run = store.folder
    html, sections = _page(store, read_findings(run))
    store.keep("report.html", html.encode())
    try:
        for figure in [figure for section in sections for figure in section.figures if len(figure)]:
            save_figure(figure, run / "figures" / f"{figure.key}.svg")
    except ModuleNotFoundError:
        pass  # the drawing packages are not on this machine: `holdfast report` draws later
    listen("drawing", 1, 1)


def _page(store: Store, found: Findings) -> tuple[str, list[Section]]:
    store.check("claims.json", "published.csv")
    study, came = study_of(store.plan.study), read_json(store.folder / "claims.json")
    sections = study.sections(found, came, _read_csv(store.folder))
    return render_page(study.title, study.intro(came), sections, found.notes, found.command), sections


def _landscape() -> Landscape:
    ways = {"SGD with momentum": make("repairs", "none"), "SGD with ASWA": make("repairs", "aswa")}
    return landscape(ways)


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
