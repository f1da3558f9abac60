from typing import get_args
from xml.etree import ElementTree

import pytest

from holdfast.core.files import sha256
from holdfast.report.charts.base import Kind
from holdfast.report.charts.draw import _chart, save_figure, svg, width
from tests.report.charts.cases import every_kind

HOSTILE = "</text></svg><script>alert(1)</script>\"onload='x()' & <b>"
FIGURES = every_kind()


def test_every_kind_has_a_case():
    assert set(FIGURES) == set(get_args(Kind))


@pytest.mark.parametrize("kind", get_args(Kind))
def test_the_specification_is_valid_vega_lite(kind):
    assert _chart(FIGURES[kind]).to_dict(validate=True)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_drawing_is_the_same_every_time_and_fits_a_phone(kind):
    drawing = svg(FIGURES[kind])
    assert svg(FIGURES[kind]) == drawing
    assert 100 < width(drawing) <= 365


@pytest.mark.parametrize("kind", ["bars", "surface", "paths", "published"])
def test_names_from_outside_are_text_and_nothing_else(kind):
    root = ElementTree.fromstring(svg(every_kind(HOSTILE)[kind]))
    space = "{http://www.w3.org/2000/svg}"
    assert {element.tag for element in root.iter()} <= {
        space + name
        for name in ("svg", "title", "g", "path", "line", "rect", "text", "tspan", "defs", "clipPath")
    }
    assert not [name for element in root.iter() for name in element.attrib if name.lower().startswith("on")]
    assert any("</t" in (element.text or "") for element in root.iter(f"{space}text"))


def test_save_figure_writes_the_drawing(tmp_path):
    path = tmp_path / "folder" / "matrix.svg"
    digest = save_figure(FIGURES["matrix"], path)
    assert path.read_text(encoding="utf-8") == svg(FIGURES["matrix"])
    assert digest == sha256(path.read_bytes())


def test_two_drawings_on_one_page_share_no_identifier():
    found = [
        {e.attrib["id"] for e in ElementTree.fromstring(svg(FIGURES[kind])).iter() if "id" in e.attrib}
        for kind in ("lines", "surface")
    ]
    assert found[0]
    assert found[1]
    assert not found[0] & found[1]
