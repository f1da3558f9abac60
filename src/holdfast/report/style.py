"""The style of what is drawn as HTML: of whole pages, and of cells that stand in a notebook's own page."""

import re
from functools import cache
from importlib.resources import files

from markupsafe import Markup

from holdfast.report.charts.palette import exchange, heats, variables

# Notebooks say in the page itself whether they are dark; a browser says what the system is.
DARK = ('[data-jp-theme-light="false"]', ".vscode-dark", ".theme-dark", "html[theme=dark]")
LIGHT = ('[data-jp-theme-light="true"]', ".vscode-light", "html[theme=light]")
ROOT = ".holdfast" * 3  # counts for more than what a notebook says of tables and headings


@cache
def page_style() -> Markup:
    """The style of a page of its own."""
    # Paper is light: dark colours are for screens only.
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{variables(dark=True)}}}}}"
    return Markup(f":root{{{variables(dark=False)}}}{dark}{_sheet('report.css')}{heats()}{exchange()}")


@cache
def cell_style() -> Markup:
    """The style of a page, for what lies inside a cell alone."""
    screen = re.sub(r"@page\{.*", "", _sheet("report.css"), flags=re.DOTALL)  # paper is the last part
    inside = re.sub(
        r"^body\{", "&{", re.sub(r"^html\{.*\n", "", screen, flags=re.MULTILINE), flags=re.MULTILINE
    )
    light, dark = variables(dark=False), variables(dark=True)
    system = f"@media(prefers-color-scheme:dark){{&{{{dark}}}}}"
    told = f"{_under(LIGHT)}{{{light}}}{_under(DARK)}{{{dark}}}"
    return Markup(
        f"{ROOT}{{{light};padding:.2rem .9rem .6rem;{system}{told}{_sheet('cell.css')}{inside}{heats()}}}"
    )


def _under(themes: tuple[str, ...]) -> str:
    return ",".join(f"{theme} &" for theme in themes)


def _sheet(name: str) -> str:
    return files("holdfast.report").joinpath("static", name).read_text(encoding="utf-8")
