"""Re-running a document: the study, what was published beside it, and the report of both."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Unpack

from holdfast.commands.audited import RUNS
from holdfast.commands.plan import (
    AUTO,
    Folder,
    Methods,
    Names,
    Training,
    build_plan,
    methods,
    several,
    study_of,
)
from holdfast.core.errors import BadSetting, CannotDraw
from holdfast.core.files import read_json
from holdfast.core.schema import SCHEMA
from holdfast.measure.claims import Claim
from holdfast.report.charts.draw import save_figure
from holdfast.report.csvs import claims_csv, published_csv, read_published, rows_csv
from holdfast.report.html import render_page
from holdfast.report.page import Page, Section
from holdfast.study.command import study_command
from holdfast.study.digests import with_digests
from holdfast.study.engine import Listener
from holdfast.study.findings import Findings
from holdfast.study.findings_file import read_findings
from holdfast.study.growth import holds
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.run import run_study, write_results
from holdfast.study.store import Store, locked_run
from holdfast.train.family import one_thread
from holdfast.train.fit import Fit

UNDRAWN = (
    "The drawing packages (altair, vl-convert-python) cannot be used here, so figures are shown as tables: "
    "run holdfast report RUN where they can."
)


def command_of(plan: Plan) -> str:
    """What to type for a study's plan."""
    study = study_of(plan.study)
    return study_command(plan, *study.written(plan.portable), study.fit, study.folded)


@dataclass(frozen=True)
class Reproduced:
    """Where the run is, and what came out of each claim; ``more`` is what the run holds beyond what was
    asked, in a sentence."""

    run: Path
    study: str
    claims: list[Claim]
    published: list[Published]
    seconds: float = field(compare=False)
    more: str = ""

    @property
    def lines(self) -> list[str]:
        """What to tell on a terminal."""
        told = [study_of(self.study).line(claim) for claim in self.claims if not claim.detail]
        told += [self.more] if self.more else []
        drawn = any((self.run / "figures").glob("*.svg"))
        return told if drawn else [*told, UNDRAWN.replace("RUN", str(self.run))]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        claims = [claim.to_json() for claim in self.claims]
        about = {"schema": SCHEMA, "claims": claims, "published": [asdict(one) for one in self.published]}
        return about | {"run": str(self.run), "seconds": round(self.seconds, 3)}


def reproduce(
    study: str,
    data: Names = None,
    models: Methods = None,
    repairs: Methods = None,
    seeds: int | None = None,
    folds: int | None = None,
    max_length: int | None = None,
    fit: Fit | None = None,
    instances: int | Literal["default"] | None = "default",
    quick: bool = False,
    device: str = AUTO,
    out: Folder = None,
    fresh: bool = False,
    data_dir: Folder = None,
    vectors: str | None = AUTO,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
    **training: Unpack[Training],
) -> Reproduced:
    """Re-run a document's tables and figures, and set them beside what was published.

    What is not said is the study's own choice; ``quick`` is the same on little, embedded data. The same call
    again resumes, or answers at once.
    """
    if quick and data is not None:
        raise BadSetting("--quick uses embedded data of its own: leave out --data or --quick")
    overrides = Overrides(
        data=several(data),
        models=methods("models", models),
        repairs=methods("repairs", repairs),
        seeds=seeds,
        folds=folds,
        max_length=max_length,
        instances=instances,
        device=device,
        quick=quick,
        base=fit,
        **training,
    )
    return reproduce_study(
        build_plan(study, overrides, vectors, data_dir), out, fresh, data_dir, workers, listen
    )


def reproduce_study(
    plan: Plan,
    out: Folder = None,
    fresh: bool = False,
    data_dir: Folder = None,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
) -> Reproduced:
    """Carry out a study's plan, and write its tables, figures and report."""
    began = time.monotonic()
    study, folder = study_of(plan.study), None if data_dir is None else Path(data_dir)
    study.needs.check(plan)
    plan = with_digests(plan, folder, fresh, out)
    run = Path(out) if out is not None else RUNS / f"{plan.study}-{plan.hash[:8]}"
    with locked_run(run, plan, fresh) as store:
        if not (store.follows(plan) and store.finished("published.csv", "claims.json")):
            families = run_study(plan, store, folder, workers, listen)
            listen("measuring", 0, len(families))
            with one_thread():  # many small products: more threads only wait for each other
                rows = study.measure(families, lambda done, total: listen("measuring", done, total))
            pictures, shown = study.pictures(families), study.shown(families)
            findings = write_results(plan, store, command_of(plan), shown, _renamed(listen), rows, pictures)
            judge(store, findings)
            draw(store, listen)
        more = holds(read_findings(run).notes)
    return Reproduced(run, plan.study, *_judged(run), time.monotonic() - began, more)


def _renamed(listen: Listener) -> Listener:
    """What every audit measures is a stage of its own, with a pace of its own."""
    return lambda stage, done, total: listen("judging" if stage == "measuring" else stage, done, total)


def judge(store: Store, findings: Findings) -> None:
    """Write the claims, and the numbers behind them, that follow from what was found."""
    plan = store.plan
    study = study_of(plan.study)
    claims = study.claims(findings)
    store.keep("claims.json", json.dumps([claim.to_json() for claim in claims], indent=1).encode())
    store.keep("claims.csv", claims_csv(claims, plan))
    store.keep("rows.csv", rows_csv(findings.rows, plan))
    store.keep("published.csv", published_csv(study.published(findings)))


def draw(store: Store, listen: Listener = lambda stage, done, total: None) -> None:
    """Write the report of a study, and each of its figures as a file."""
    listen("drawing", 0, 1)
    findings = read_findings(store.folder)
    page = _page(store, findings)
    drawn, missing = save_figures(page.sections, store.folder)
    store.enter(drawn)
    html = _html(store, findings, page, missing)
    store.keep("report.html", html.encode())
    listen("drawing", 1, 1)


def page_of(store: Store, findings: Findings) -> str:
    """The page of a study's findings, with the claims that were made."""
    return _html(store, findings, _page(store, findings))


def save_figures(sections: Sequence[Section], run: Path) -> tuple[dict[str, str], tuple[str, ...]]:
    """Write each figure as a file: their digests, and what to say where the drawing packages are missing."""
    digests: dict[str, str] = {}
    try:
        for figure in [figure for section in sections for figure in section.figures if len(figure)]:
            digests[f"figures/{figure.key}.svg"] = save_figure(figure, run / "figures" / f"{figure.key}.svg")
    except CannotDraw:
        return {}, (UNDRAWN,)
    return digests, ()


def _judged(run: Path) -> tuple[list[Claim], list[Published]]:
    """The claims of a run, and the published numbers beside ours."""
    claims = [Claim.from_json(values) for values in read_json(run / "claims.json")]
    return claims, read_published(run / "published.csv")


def _page(store: Store, findings: Findings) -> Page:
    store.check("claims.json", "published.csv")
    return study_of(store.plan.study).page(findings, *_judged(store.folder))


def _html(store: Store, findings: Findings, page: Page, missing: Sequence[str] = ()) -> str:
    title = study_of(store.plan.study).title
    return render_page(title, page.intro, page.sections, (*findings.notes, *missing), findings.command)
