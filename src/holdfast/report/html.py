"""One offline HTML file: no scripts, nothing fetched, nothing from the data taken as markup."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

import holdfast
from holdfast.core.errors import CannotDraw
from holdfast.core.plain import short
from holdfast.report.charts import draw
from holdfast.report.charts.base import Figure, figure_csv
from holdfast.report.charts.select import key, words
from holdfast.report.charts.svg import printable
from holdfast.report.matrix import matrix
from holdfast.report.modality import Room, modality
from holdfast.report.page import Section, Span, Table
from holdfast.report.plan_table import plan_table
from holdfast.report.readable import readable
from holdfast.report.sections import glossary, sections
from holdfast.report.style import cell_style, page_style
from holdfast.report.summary import LIMITS, summary
from holdfast.report.texts import badge, heading, number, percent
from holdfast.study.findings import Findings

MOST_BYTES = 1_000_000
SPACE = "\N{NO-BREAK SPACE}"
SHOWN = 100  # rows of a figure that could not be drawn; its CSV has them all
ZOOM = 1.2  # drawings are laid out for a phone; a desk shows them a little larger
# Room for examples, and whether a figure carries a copy of itself to save: tried in turn until a report fits.
BUDGETS = (
    (Room(24_000, 500_000), True),
    (Room(10_000, 300_000), True),
    (Room(10_000, 300_000), False),
    (Room(3_000, 100_000), False),
    (Room(0, 0), False),
)


@dataclass(frozen=True)
class Drawn:
    """A figure ready for a page: its drawing, and links that save it."""

    figure: Figure
    name: str
    svg: Markup | None
    width: int
    svg_link: str
    csv_link: str
    numbers: Table | None


def render(findings: Findings) -> str:
    """The report of an audit, at most 1 MB where that can be; the same bytes for the same findings."""
    findings = readable(findings)
    made, own = sections(findings), modality(findings.kind)
    drawings, page = _drawings(made), ""
    for room, copies in BUDGETS:
        page = _page(
            "report.html",
            findings=findings,
            title=findings.title,
            sections=_with(made, drawings, copies),
            unit=own.unit,
            examples=own.template,
            **own.shown(findings, room),
            summary=summary(findings.answer, own.unit),
            matrix=matrix(findings.answer, own.unit),
            chosen=chosen(findings),
            folded=[glossary(findings.rows, own.described), plan_table(findings)],
        )
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def render_page(
    title: str,
    intro: Sequence[str],
    sections: Sequence[Section],
    notes: Sequence[str] = (),
    command: str = "",
    cell: bool = False,
) -> str:
    """Any other page, or cell, in the same style: paragraphs, sections of figures and tables, notes."""
    kept = [section for section in sections if not section.empty or section.text]
    drawings, page = _drawings(kept), ""
    for copies in (True, False):
        shown = _with(kept, drawings, copies)
        page = _page(
            "page.html", cell, title=title, intro=intro, sections=shown, notes=notes, command=command
        )
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def render_template(template: str, cell: bool = False, **values: Any) -> str:
    """A page, or a notebook's cell, of its own template, in the same look."""
    return _page(template, cell, **values)


def render_fragment(template: str, **values: Any) -> str:
    """What has no style but its own."""
    return printable(_environment().get_template(template).render(values))


def chosen(findings: Findings) -> str:
    """By which explainer the examples were chosen."""
    decides = findings.answer.decides
    return "" if decides is None else words(decides.explainer)


def _drawings(made: Sequence[Section]) -> list[tuple[list[Drawn], list[Drawn]]]:
    """The drawings of each section, and those that are folded."""
    return [
        (
            [_draw(figure) for figure in section.figures if len(figure)],
            [_draw(figure) for figure in section.hidden if len(figure)],
        )
        for section in made
    ]


def _with(
    made: Sequence[Section], drawings: Sequence[tuple[list[Drawn], list[Drawn]]], copies: bool
) -> list[dict[str, Any]]:
    return [
        {
            "section": section,
            "id": key(section.title).lower(),
            "drawings": drawn,
            "hidden": hidden,
            "copies": copies,
        }
        for section, (drawn, hidden) in zip(made, drawings, strict=True)
    ]


def _draw(figure: Figure) -> Drawn:
    """The drawing; the numbers themselves where it cannot be drawn."""
    saved = _link("text/csv;charset=utf-8", figure_csv(figure))
    name = key(figure.key) or "figure"
    try:
        drawing = draw.svg(figure)
    except CannotDraw as error:
        return Drawn(figure, name, None, 0, "", saved, _numbers(figure, str(error)))
    return Drawn(
        figure,
        name,
        Markup(drawing),
        round(draw.width(drawing) * ZOOM),
        _link("image/svg+xml", drawing),
        saved,
        None,
    )


def _numbers(figure: Figure, why: str) -> Table:
    records = figure.records()
    lines = tuple(tuple(_cell(cell) for cell in record.values()) for record in records[:SHOWN])
    some = f"The first {SHOWN} of {len(records):,} rows" if len(records) > SHOWN else "The numbers"
    return Table(
        tuple(figure.data), lines, caption=f"{some} of this figure, which could not be drawn ({short(why)})."
    )


def _cell(cell: object) -> str:
    return cell if isinstance(cell, str) else number(cell, 3)


def _link(kind: str, text: str) -> str:
    return f"data:{kind};base64,{b64encode(text.encode()).decode()}"


def _page(template: str, cell: bool = False, **values: Any) -> str:
    base, style = ("cell.html", cell_style()) if cell else ("base.html", page_style())
    about = {"base": base, "cell": cell, "style": style, "version": holdfast.__version__, "limits": LIMITS}
    return printable(_environment().get_template(template).render(about | values))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("holdfast.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        number=number,
        percent=percent,
        words=words,
        heading=heading,
        tidy=_tidy,
        options=_options,
        typed=_typed,
    )
    environment.tests.update(span=_is(Span), badge=_is(type(badge(""))))
    return environment


def _tidy(text: str) -> str:
    """Keep a number and its percent sign on one line, and an interval."""
    whole = re.sub(r"\[[^][ ]+, [^][ ]+\]", lambda found: found[0].replace(" ", SPACE), text)
    return whole.replace(" %", f"{SPACE}%")


def _options(text: str) -> Markup:
    """Options as code, so that none is broken at its hyphens."""
    return Markup(re.sub(r"--[a-z-]+", r"<code>\g<0></code>", str(escape(text))))


def _typed(text: str) -> Markup:
    """A command that breaks between words only."""
    return Markup(" ").join(Markup("<span>{}</span>").format(word) for word in text.split(" "))


def _is(cls: type) -> Any:
    return lambda value: isinstance(value, cls)
