"""Did a change help? Two runs on the same data, seed by seed."""

from dataclasses import replace
from pathlib import Path

from holdfast.commands.plan import Methods, methods
from holdfast.report.compared import render_changes
from holdfast.report.explained import check_page, write_page
from holdfast.study.changes import Changes
from holdfast.study.compare import compare_runs


def compare(
    before: Path | str,
    after: Path | str,
    models: Methods = None,
    repairs: Methods = None,
    out: Path | str | None = None,
) -> Changes:
    """What changed in hold and in accuracy between two runs on the same data, paired over the seeds of both.

    ``models`` and ``repairs`` choose what is compared in runs that have several: one for both, or one for
    each (``repairs="none,aswa"``, also of one run); by default the first of each. ``out`` is a file for a
    page.
    """
    page = None if out is None else check_page(Path(out))
    chosen = (methods(*given) or () for given in (("models", models), ("repairs", repairs)))
    changes = compare_runs(Path(before), Path(after), *chosen)
    return changes if page is None else replace(changes, page=write_page(render_changes(changes), page))
