import re
import zlib
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from holdfast.core.errors import BadSetting
from holdfast.report.explained import page_path, render_image, write_page
from holdfast.report.images import LEVELS
from holdfast.study.findings import Standing
from tests.report.explained import LRP, explained
from tests.report.hostile import HOSTILE


class Reader(HTMLParser):
    """What a browser would see: tags, attributes, and the words of each cell of a table."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.text += "|" if tag in ("td", "th") else "\n" if tag in ("tr", "p", "h1", "h2", "h3") else ""

    def handle_data(self, data: str) -> None:
        self.text += data.strip()


def images(page: str) -> list[tuple[str, bytes]]:
    """The alternative text and the pixels of every image, as steps: above LEVELS is blue."""
    found = []
    for link, alt in re.findall(
        r'<img class="\w+(?: wide)?" src="data:image/png;base64,([^"]+)" alt="([^"]*)"', page
    ):
        raw = b64decode(link)
        start = raw.index(b"IDAT")
        size = int.from_bytes(raw[start - 4 : start], "big")
        found.append((alt, zlib.decompress(raw[start + 4 : start + 4 + size])[1:]))
    return found


def test_the_image_the_consensus_and_every_seed_side_by_side() -> None:
    shown = images(render_image(explained()))
    assert [alt.partition(":")[0] for alt, _ in shown] == [
        "the image, class left",
        "LRP, consensus", "LRP, seed 0", "LRP, seed 4",
        "sensitivity, consensus", "sensitivity, seed 0", "sensitivity, seed 4",
    ]  # fmt: skip


def test_a_scale_for_each_explainer_and_blue_for_what_speaks_against() -> None:
    shown = [list(steps) for _, steps in images(render_image(explained()))]

    def step(value: float) -> int:
        share = min(abs(value) / 0.625, 1.0)  # the most of the consensus
        return round(LEVELS * share) + (LEVELS if value < 0 else 0)

    for own, scores in zip(shown[1:4], (LRP.consensus, *LRP.scores), strict=True):
        assert own == [step(value) for value in scores]
    assert shown[3] == [LEVELS, 0, 0, LEVELS + 6]
    assert shown[4] == shown[5] == shown[6] == [LEVELS] * 4


def test_what_it_says() -> None:
    text = Reader(render_image(explained())).text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Test image 3 of bars" in text
    assert (
        "Explained: right, the class that 2 seeds of rlstm on bars (none) favour together: "
        "60.0 % (50.0 % to 70.0 % over seeds)." in text
    )
    assert "The image is labelled left. A pixel of 255 is white." in text
    assert "|explainer|strongest|hold|against|verdict|on the right blocks|relevance lost\n" in text
    first = "2 of 2 seeds: the pixel in row 1, column 1"
    assert f"|LRP|{first}|0.30[0.20, 0.38]||○does not hold|83.0 %[66.0, 100.0]|2.5 %\n" in text
    assert f"|sensitivity|{first}|–||not decided|50.0 %[50.0, 50.0]|–" in text
    assert "Blocks 1 of 2 show class left" in text
    assert "spread evenly it would be 50 %." in text
    assert "\n|1|62 %|25 %\n|2|0 %|25 %\n|3|12 %|25 %\n|4|25 % (25 %)|25 %" in text


def test_what_the_audit_said_stands_beside_it() -> None:
    lrp, flat = explained().heats
    standing = Standing("another input", (), "In this run lrp does not hold (0.20).")
    heats = (replace(lrp, heat=replace(lrp.heat, standing=standing)), flat)
    text = Reader(render_image(explained(heats=heats))).text
    assert "|0.30[0.20, 0.38]|another input|○does not hold" in text
    assert "In this run lrp does not hold (0.20)." in text


def test_nothing_is_said_of_what_is_not_known() -> None:
    page = render_image(explained(label="", truth=None, left_out=(("attention", "no attention"),)))
    assert "labelled" not in page
    assert "right blocks" not in page
    assert "attention is left out: no attention." in page
    none = [replace(one, right=(None, None)) for one in explained().heats]
    assert "|○does not hold|–" in Reader(render_image(explained(heats=tuple(none)))).text


def test_it_is_safe_and_always_the_same() -> None:
    about = dict.fromkeys(("data", "model", "repair", "source", "label", "target"), HOSTILE)
    heats = tuple(
        replace(one, heat=replace(one.heat, explainer=f"{HOSTILE}{place}", verdict=HOSTILE))
        for place, one in enumerate(explained().heats)
    )
    example = explained(**about, heats=heats, left_out=((HOSTILE, HOSTILE),))
    page = render_image(example)
    reader = Reader(page)
    assert not set(reader.tags) & {"script", "iframe", "object", "embed", "link", "base", "form", "svg"}
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    links = [value for name, value in reader.attributes if name in ("href", "src")]
    assert len(links) == 7
    assert all(link.startswith("data:image/png;base64,") for link in links)
    assert "default-src 'none'" in page
    assert render_image(example) == page


def test_seeds_that_do_not_fit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = re.findall(r'src="([^"]+)"', render_image(explained()))
    monkeypatch.setattr("holdfast.report.explained.BUDGET", sum(map(len, whole)) - 1)
    page = render_image(explained())
    assert "The last seed is left out, to keep this file small." in page
    assert [alt.partition(":")[0] for alt, _ in images(page)[1:]] == [
        "LRP, consensus", "LRP, seed 0", "sensitivity, consensus", "sensitivity, seed 0",
    ]  # fmt: skip
    monkeypatch.setattr("holdfast.report.explained.BUDGET", 0)
    page = render_image(explained())
    assert "The last 2 seeds are left out" in page
    assert len(images(page)) == 3  # the consensus is always there


def test_where_the_page_goes(tmp_path: Path) -> None:
    assert page_path(tmp_path, None) == tmp_path / "explain.html"
    page = page_path(tmp_path, tmp_path / "new" / "mine.html")
    write_page(render_image(explained()), page)
    assert page.read_text("utf-8") == render_image(explained())


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        ("plan.json", "expected --out to be a file that ends in .html, but got 'FOLDER/plan.json'"),
        ("folder.html", "--out FOLDER/folder.html is a folder, not a file: name a file"),
        ("report.html", "--out FOLDER/report.html is the run's own report: name another file"),
    ],
)
def test_places_that_will_not_do(tmp_path: Path, out: str, sentence: str) -> None:
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(BadSetting) as caught:
        page_path(tmp_path, tmp_path / out)
    assert str(caught.value).replace(str(tmp_path), "FOLDER") == sentence


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    page = tmp_path / "file" / "explain.html"
    with pytest.raises(BadSetting, match=r"^cannot write \S+explain\.html \(.+\): use another --out$"):
        write_page(render_image(explained()), page)


def test_a_cell_has_fewer_seeds_where_images_are_large() -> None:
    cell = render_image(explained(), cell=True)
    assert cell.startswith('<div class="holdfast"><style>')
    assert len(images(cell)) == len(images(render_image(explained())))
    large = explained(height=200, width=400, pixels=(0.5,) * 80_000)
    draw = Random(0)
    noisy = tuple(draw.random() for _ in range(80_000))
    heats = tuple(
        replace(one, heat=replace(one.heat, scores=(noisy,) * 2, consensus=noisy)) for one in large.heats
    )
    assert "left out, to keep this small." in render_image(replace(large, heats=heats), cell=True)
