"""The file of a report: one that is not a report of ours is never written over."""

from pathlib import Path

from holdfast.core.errors import BadSetting
from holdfast.core.files import open_regular
from holdfast.report.explained import check_page

OURS = b'<meta name="generator" content="holdfast '
OPTION = "--report"
HEAD = 2_000  # bytes in which every report says what made it


def check_own_page(path: Path) -> Path:
    """The file of a report, refused where it cannot be one, or is another's."""
    page = check_page(path, OPTION)
    if not page.exists():
        return page
    with open_regular(page, 2**40, "a report") as file:
        if OURS not in file.read(HEAD):
            raise BadSetting(f"{page} exists and is no report of Holdfast: name another file")
    return page
