"""What a notebook shows of an answer: the verdict, every question, and a few examples, in a report's look."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from holdfast.report.html import chosen, render_template
from holdfast.report.matrix import matrix
from holdfast.report.modality import Room, modality
from holdfast.report.summary import summary
from holdfast.study.findings import Findings

SHOWN = 3  # examples: the one that holds best, one between, the one that holds least
ROOM = Room(2_000, 60_000)


def render_cell(findings: Findings, page: Path | None = None) -> str:
    """A part of a page, with its own style and without any script; the same bytes for the same findings.
    ``page`` is where the whole report lies."""
    own = modality(findings.kind)
    rows = few(tuple(dict.fromkeys(one.row for one in findings.pictures)))
    pictures = tuple(one for one in findings.pictures if one.row in rows)
    shown = replace(findings, examples=few(findings.examples), pictures=pictures)
    return render_template(
        "answer.html",
        cell=True,
        unit=own.unit,
        examples=own.template,
        **own.shown(shown, ROOM),
        summary=summary(findings.answer, own.unit),
        matrix=matrix(findings.answer, own.unit),
        chosen=chosen(findings),
        page=page,
    )


def few(examples: tuple[Any, ...]) -> tuple[Any, ...]:
    """Some of them, evenly spaced, with the first and the last.

    >>> few(tuple("abcde")), few(("a",)), few(())
    (('a', 'c', 'e'), ('a',), ())
    """
    last = len(examples) - 1
    places = dict.fromkeys(round(k * last / (SHOWN - 1)) for k in range(SHOWN)) if examples else ()
    return tuple(examples[place] for place in places)
