"""Did a change help? Two runs on the same data, seed by seed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.commands.audited import Audited, folder_of
from holdfast.commands.plan import Methods, methods
from holdfast.report.compared import render_changes
from holdfast.report.explained import check_page, write_page
from holdfast.study.changes import Changes
from holdfast.study.compare import compare_runs


@dataclass(frozen=True)
class Compared:
    """What changed between two runs; ``page`` shows it, where one was asked for."""

    changes: Changes
    page: Path | None = None

    @property
    def worse(self) -> bool:
        """Whether the whole interval of the deciding change of hold lies below 0."""
        return self.changes.worse

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast compare --json``."""
        return self.changes.to_json() | ({} if self.page is None else {"page": str(self.page)})

    def __str__(self) -> str:
        return self.changes.sentence

    def _repr_html_(self) -> str:
        return render_changes(self.changes, cell=True)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


def compare(
    before: Path | str | Audited,
    after: Path | str | Audited,
    models: Methods = None,
    repairs: Methods = None,
    out: Path | str | None = None,
) -> Compared:
    """What changed in hold and in accuracy between two runs on the same data, paired over the seeds of both.

    Runs are folders, or what :func:`holdfast.audit` returned. ``models`` and ``repairs`` choose what is
    compared in runs that have several: one for both, or one for each (``repairs="none,aswa"``, also of one
    run); by default the first of each. ``out`` is a file for a page.
    """
    page = None if out is None else check_page(Path(out))
    chosen = (methods(*given) or () for given in (("models", models), ("repairs", repairs)))
    changes = compare_runs(folder_of(before), folder_of(after), *chosen)
    return Compared(changes, None if page is None else write_page(render_changes(changes), page))
