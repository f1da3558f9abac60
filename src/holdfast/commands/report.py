"""Drawing the report of a run again, from its results alone."""

from pathlib import Path

from holdfast.commands.audited import write_report
from holdfast.commands.plan import AUDIT
from holdfast.commands.reproduce import draw, judge, page_of
from holdfast.core.files import write
from holdfast.report.html import render
from holdfast.study.findings import without_text
from holdfast.study.findings_file import read_findings
from holdfast.study.plan import RECIPE, Plan
from holdfast.study.recipe.plan import RecipePlan
from holdfast.study.store import Store, locked_run

NO_TEXT = "report-no-text.html"
OWN = (AUDIT, RECIPE)
"""Whose reports are those of verdicts, not of claims."""


def plan_of(store: Store) -> Plan | RecipePlan:
    """The plan of a run, whatever it is of."""
    written = store.written
    recipe = isinstance(written, dict) and written.get("study") == RECIPE
    return RecipePlan.from_json(written) if recipe else Plan.from_json(written)


def report(run: Path | str, text: bool = True) -> Path:
    """Draw the report of a run again from its results, and say where it is.

    Claims are made again too, from the results alone: a report never mixes two ways to judge. Without
    ``text`` no word, item or image of the data is shown, in a file of its own.
    """
    folder = Path(run)
    store = Store(folder)
    plan = plan_of(store)
    with locked_run(folder, plan, fresh=False):
        if not text:
            findings = without_text(read_findings(folder))
            html = render(findings) if plan.study in OWN else page_of(store, findings)
            write(folder / NO_TEXT, html.encode())
            return folder / NO_TEXT
        if plan.study in OWN:
            write_report(store)
        else:
            judge(store, read_findings(folder))
            draw(store)
    return folder / "report.html"
