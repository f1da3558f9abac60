"""What a notebook shows of an answer: the verdict, every question, and a few examples, in a report's look."""

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files

from markupsafe import Markup

from holdfast.report.charts.palette import heats, variables
from holdfast.report.html import chosen, render_template
from holdfast.report.matrix import matrix
from holdfast.report.modality import Room, modality
from holdfast.report.summary import LIMITS, summary
from holdfast.study.findings import Findings

SHOWN = 3  # examples: the one that holds best, one between, the one that holds least
ROOM = Room(2_000, 60_000)
# Notebooks say in the page itself whether they are dark; a browser says what the system is.
DARK = ('[data-jp-theme-light="false"]', ".vscode-dark", ".theme-dark")


def render_cell(findings: Findings) -> str:
    """A part of a page, with its own style and without any script; the same bytes for the same findings."""
    own, count = modality(findings.kind), len(findings.examples)
    places = dict.fromkeys(round(k * (count - 1) / (SHOWN - 1)) for k in range(SHOWN)) if count else ()
    few = replace(findings, examples=tuple(findings.examples[place] for place in places))
    return render_template(
        "cell.html",
        scoped=_scoped(),
        unit=own.unit,
        examples=own.template,
        **own.shown(few, ROOM),
        summary=summary(findings.answer, own.unit),
        limits=LIMITS,
        matrix=matrix(findings.answer, own.unit),
        chosen=chosen(findings),
    )


@cache
def _scoped() -> Markup:
    """The style of a report, for what lies inside the cell alone."""
    css = files("holdfast.report").joinpath("static", "report.css").read_text(encoding="utf-8")
    screen = re.sub(r"@page\{.*", "", css, flags=re.DOTALL)  # paper is the last part
    inside = re.sub(
        r"^body\{", "&{", re.sub(r"^html\{.*\n", "", screen, flags=re.MULTILINE), flags=re.MULTILINE
    )
    dark = variables(dark=True)
    system = f"@media(prefers-color-scheme:dark){{&{{{dark}}}}}"
    told = f"{','.join(f'{page} &' for page in DARK)}{{{dark}}}"
    light = f'[data-jp-theme-light="true"] &,.vscode-light &{{{variables(dark=False)}}}'
    return Markup(
        f".holdfast{{{variables(dark=False)};padding:.2rem .8rem;{system}{light}{told}{inside}{heats()}}}"
    )
