import re

import pytest

from holdfast.report.figures import palette
from tests.reference.report import blend, contrast

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


def test_every_colour_of_a_drawing_is_exchanged():
    style = palette.exchange()
    for colour in (palette.INK, palette.MUTED, palette.RULE, *palette.SERIES):
        assert f'[fill="{colour}"]' in style
        assert f'[stroke="{colour}"]' in style
