"""What a notebook shows of an answer: the verdict, every question, and a few examples, in a report's look."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from holdfast.report.html import chosen, render_template
from holdfast.report.matrix import matrix
from holdfast.report.modality import Room, modality
from holdfast.report.readable import readable
from holdfast.report.summary import summary
from holdfast.study.findings import Example, Findings
from holdfast.study.measurement import FamilyKey

MOST_BYTES = 100_000
# Examples of a family (from the one that holds best to the one that holds least), and room for them: tried in
# turn until a cell fits.
SHOWN = ((3, Room(2_000, 60_000)), (3, Room(600, 30_000)), (1, Room(600, 30_000)))
T = TypeVar("T")


def render_cell(findings: Findings, page: Path | None = None) -> str:
    """A part of a page, with its own style and without any script; the same bytes for the same findings.
    ``page`` is where the whole report lies."""
    findings = readable(findings)
    own, cell = modality(findings.kind), ""
    about: dict[str, Any] = {
        "unit": own.unit,
        "examples": own.template,
        "chosen": chosen(findings),
        "page": page,
        "summary": summary(findings.answer, own.unit),
        "matrix": matrix(findings.answer, own.unit),
    }
    for count, room in SHOWN:
        shown = own.shown(_with_few(findings, count), room)
        cell = render_template("answer.html", cell=True, **about, **shown)
        if len(cell.encode()) <= MOST_BYTES:
            break
    return cell


def _with_few(findings: Findings, count: int) -> Findings:
    """The findings with so many examples of each family."""
    families: dict[FamilyKey, list[Example]] = {}
    for one in findings.examples:
        families.setdefault(FamilyKey(one.data, one.model, one.repair), []).append(one)
    rows = spaced(list(dict.fromkeys(picture.row for picture in findings.pictures)), count)
    return replace(
        findings,
        examples=tuple(one for family in families.values() for one in spaced(family, count)),
        pictures=tuple(picture for picture in findings.pictures if picture.row in rows),
    )


def spaced(several: Sequence[T], count: int) -> list[T]:
    """So many of them, evenly spaced, with the first and the last.

    >>> spaced("abcde", 3), spaced("ab", 3), spaced("abc", 1), spaced("", 3)
    (['a', 'c', 'e'], ['a', 'b'], ['a'], [])
    """
    step = (len(several) - 1) / max(count - 1, 1)
    places = dict.fromkeys(round(step * k) for k in range(count)) if several else ()
    return [several[place] for place in places]
