"""The style of pages and of cells: light and dark, and nothing that leaves a cell."""

import re

from holdfast.report.style import DARK, LIGHT, ROOT, cell_style, page_style


def test_paper_is_light():
    css = str(page_style())
    assert css.startswith(":root{--ink:")
    assert "@media screen and (prefers-color-scheme:dark){:root{" in css
    assert "@page{" in css


def test_the_style_is_for_the_cell_alone_and_follows_the_page():
    css = str(cell_style())
    assert css.startswith(f"{ROOT}{{")
    assert css.count("{") == css.count("}")
    depth = 0
    for place, letter in enumerate(css):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth > 0 or place in (len(css) - 1, *range(len(ROOT))), "a rule stands outside"
    assert not re.search(r"(^|[}\n])(body|html|@page)", css)
    told = [css.index("prefers-color-scheme:dark"), *(css.index(f"{theme} &") for theme in (*LIGHT, *DARK))]
    assert told == sorted(told), "what a notebook says counts for more than the system"
