import math
import re

import pytest

from holdfast.report.charts import palette
from tests.reference.report import BLIND, blend, contrast, filtered, lab, seen

LIGHT = (palette.PAPER, palette.INK, palette.MUTED, palette.SERIES, palette.EXTRA)
DARK = (palette.DARK_PAPER, palette.DARK_INK, palette.DARK_MUTED, palette.DARK_SERIES, palette.DARK_EXTRA)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_series_stand_out_from_the_paper(scheme):
    paper, ink, muted, series, extra = scheme
    assert contrast(ink, paper) > 12
    assert contrast(muted, paper) > 4.5
    assert all(contrast(colour, paper) > 4.5 for colour in series)
    verdicts = [line.split(":")[1] for line in extra if re.match("--(good|fair|poor|none):", line)]
    assert len(verdicts) == 4
    assert all(contrast(colour, paper) > 4.5 for colour in verdicts)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable_on_the_strongest_heat(scheme):
    paper, ink, _, _, extra = scheme
    strongest = max(float(share) for share in re.findall(r"/(\.\d+)\)", palette.heats()))
    hues = [line.split(":")[1] for line in extra if re.match("--(for|against):", line)]
    assert len(hues) == 2
    for hue in hues:
        assert contrast(ink, blend(tuple(map(int, hue.split())), strongest, paper)) > 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_red_speaks_for_and_blue_against(scheme):
    for name, strongest in (("--for", 0), ("--against", 2)):
        (hue,) = [tuple(map(int, e.split(":")[1].split())) for e in scheme[4] if e.startswith(f"{name}:")]
        assert max(range(3), key=hue.__getitem__) == strongest
        assert hue in (palette.FOR, palette.AGAINST, palette.DARK_FOR, palette.DARK_AGAINST)


@pytest.mark.parametrize("blind", sorted(BLIND))
@pytest.mark.parametrize(
    "pair", [(palette.FOR, palette.AGAINST), (palette.DARK_FOR, palette.DARK_AGAINST)], ids=["light", "dark"]
)
def test_for_and_against_differ_to_every_eye(pair, blind):
    """At least 75 of CIE76, where 2.3 is just noticeable."""
    assert math.dist(*(lab(seen(colour, BLIND[blind])) for colour in pair)) > 75


def test_a_dark_page_has_the_colours_that_the_filter_makes_of_an_image():
    found = re.search(r"--lift:brightness\(([\d.]+)\) saturate\(([\d.]+)\)", palette.variables(dark=True))
    assert "--lift:none" in palette.variables(dark=False)
    made = [filtered(hue, *map(float, found.groups())) for hue in (palette.FOR, palette.AGAINST)]
    assert made == [palette.DARK_FOR, palette.DARK_AGAINST]


def test_every_colour_of_a_drawing_is_exchanged():
    style = palette.exchange()
    for colour in (palette.INK, palette.MUTED, palette.RULE, *palette.SERIES):
        assert f'[fill="{colour}"]' in style
        assert f'[stroke="{colour}"]' in style
