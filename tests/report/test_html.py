import base64
import dataclasses
import random
import re
import subprocess
import sys
from html.parser import HTMLParser

from holdfast.core.errors import CannotDraw
from holdfast.report.charts import draw
from holdfast.report.charts.base import Figure
from holdfast.report.charts.base import table as figure_table
from holdfast.report.html import MOST_BYTES, render, render_page
from holdfast.report.page import Section, Table
from holdfast.study.findings import Example, Findings, Heat
from holdfast.study.picture import Picture
from tests.report.charts.cases import every_kind
from tests.report.hostile import HOSTILE, hostile
from tests.report.synthetic import imaged, make_findings, no_answer

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class Reader(HTMLParser):
    """Collects every tag and attribute that a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def check_safe(text: str) -> None:
    reader = Reader(text)
    assert not reader.tags & {
        "script",
        "img",
        "iframe",
        "object",
        "embed",
        "link",
        "base",
        "form",
        "foreignobject",
    }
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    links = [value for name, value in reader.attributes if name in ("href", "src", "xlink:href")]
    assert all(link.startswith(("data:image/svg+xml;base64,", "data:text/csv", "#")) for link in links)


def test_the_policy_comes_before_anything_it_governs(page):
    assert f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">' in page
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_the_answer_comes_first_then_what_to_do_then_the_matrix(page):
    parts = (
        "</span> Holds</p>",
        "<h1>As far as it was asked, integrated gradients of cnn with aswa holds (",
        "What to do.",
        "<code><span>holdfast</span> <span>audit</span> <span>planted</span> ",
        "Hold is the share of an explanation that is still there",
        '<nav aria-label="contents">',
        ">Every explainer, every question</h2>",
        ">The same sentences, every seed</h2>",
        ">Where it holds, and where not</h2>",
    )
    places = [page.index(part) for part in parts]
    assert places == sorted(places)


def test_the_limits_on_the_page_are_those_of_the_verdict(page):
    assert page.count('<i class="mark" style="left:40%"></i><i class="mark" style="left:70%"></i>') >= 10
    assert '<span style="left:40.0%">0.4</span><span style="left:70.0%">0.7</span>' in page
    for old in ("0.5 it does not", "from 0.8", "as good as shuffled"):
        assert old not in page


def test_every_link_of_the_contents_leads_somewhere(page):
    reader = Reader(page)
    ids = {value for name, value in reader.attributes if name == "id"}
    targets = [value[1:] for name, value in reader.attributes if name == "href" and value.startswith("#")]
    assert len(targets) == 8
    assert set(targets) <= ids


def test_examples_say_how_they_were_chosen_and_first_how_many_seeds_agree(page):
    start = page.index('id="examples"')
    parts = (
        "Chosen among the explained test sentences",
        '<div class="map"',
        " of 10 seeds: “",
        "· hold 0.",
    )
    places = [page.index(part, start) for part in parts]
    assert places == sorted(places)


def test_raw_comparisons_plan_and_glossary_are_folded(page):
    for title in ("Every comparison between seeds, in numbers", "The plan", "What the words mean"):
        assert f"<details><summary>{title}" in page


def test_it_is_small_and_safe(page):
    assert len(page.encode()) <= MOST_BYTES
    check_safe(page)


def test_the_same_findings_give_the_same_bytes(page, findings):
    assert render(findings) == page
    code = (
        "import sys; from holdfast.report.html import render\n"
        "from tests.report.synthetic import make_findings\n"
        "sys.stdout.buffer.write(render(make_findings()).encode())"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == page.encode()
    )


def test_markup_from_outside_is_never_live():
    text = render(hostile())
    check_safe(text)
    assert "{{7*7}}" in text
    for encoded in re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", text):
        check_safe(base64.b64decode(encoded).decode())


def test_identifiers_are_used_once(page):
    ids = [value for name, value in Reader(page).attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_every_figure_can_be_saved(page):
    figures = page.count("<figure")
    assert figures > 8
    assert len(re.findall(r'download="[\w-]+\.svg" href="data:image', page)) == figures
    assert len(re.findall(r'download="[\w-]+\.csv" href="data:text', page)) == figures


def test_a_report_of_nothing_still_says_so():
    text = render(Findings("t", "holdfast audit", {}, no_answer(), (), ()))
    assert "</span> Undecided</p>" in text
    for absent in ("The same sentences", "Where it holds", "<figure", "None", "Every explainer"):
        assert absent not in text


def test_long_texts_and_many_seeds_stay_within_a_megabyte():
    scores = tuple(1 / (t + 1) for t in range(400))
    heats = tuple(
        Heat(f"e{i}", False, (scores,) * 50, scores, 0.9, 0.8, 1.0, "holds", 0, 50) for i in range(6)
    )
    words = ("x" * 100_000, *(f"word{t}" for t in range(399)))
    example = Example("d", "m", "none", words, "a", "a", (0.5,) * 50, tuple(range(50)), heats)
    text = render(dataclasses.replace(make_findings(), examples=(example,) * 24))
    assert len(text.encode()) <= MOST_BYTES


def test_without_the_drawing_packages_the_numbers_are_shown(monkeypatch, findings):
    def missing(figure):
        raise CannotDraw("the drawing process ended with exit code -9")

    monkeypatch.setattr(draw, "svg", missing)
    text = render(findings)
    assert "<svg" not in text
    assert '<th scope="col">facet</th>' in text
    assert "of this figure, which could not be drawn (the drawing process ended with exit code -9)." in text
    assert ".csv" in text


def test_a_long_figure_that_cannot_be_drawn_is_shown_in_part(monkeypatch):
    def missing(figure):
        raise CannotDraw("no memory")

    monkeypatch.setattr(draw, "svg", missing)
    rows = [(str(i), i, 0.5, 0.25) for i in range(5_000)]
    figure = Figure("k", "Title", "Caption.", "paths", figure_table("paths", rows))
    text = render_page("Title", [], [Section("One", "", [figure])])
    assert "The first 100 of 5,000 rows of this figure, which could not be drawn (no memory)." in text
    assert text.count("<tr>") == 101
    assert ".csv" in text


def test_a_page_in_the_same_look():
    figure = every_kind()["published"]
    table = Table(("a",), ((HOSTILE,),), HOSTILE)
    sections = [Section("One", "text", [figure], [table], [table]), Section("Nothing")]
    text = render_page(HOSTILE, [HOSTILE], sections, [HOSTILE], command="holdfast reproduce")
    check_safe(text)
    assert POLICY in text
    assert "<figure" in text
    assert ">Nothing<" not in text


def test_unknown_words_are_marked_and_the_legend_says_so(findings):
    marked = dataclasses.replace(
        findings.examples[0], unknown=(True, *(False,) * (len(findings.examples[0].tokens) - 1))
    )
    page = render(dataclasses.replace(findings, examples=(marked,)))
    assert page.count('unk" title="unknown to the model">') == len(marked.heats)
    assert "unknown to the model: all such words look alike to it" in page
    assert "unknown to the model" not in render(dataclasses.replace(findings, examples=findings.examples[:1]))


def test_images_stand_where_sentences_would():
    text = render(imaged())
    assert (
        text.index('id="verdict"')
        < text.index("The same images, every seed</h2>")
        < text.index("Where it holds, and where not</h2>")
    )
    assert text.count("<article>") == 2
    assert text.count("data:image/png;base64,") == 2 * (1 + 2 * 6)
    assert text.count('alt="') == text.count("<img")
    for word in ("sentence", "rationale", "a token", "every text", "Hold by length, in tokens"):
        assert word not in text
    assert "a pixel of the blocks that decide" in text


def test_a_report_of_texts_shows_no_image(page):
    assert "<img" not in page
    assert "a token of the true rationale" in page


def test_large_images_stay_within_a_megabyte_and_what_is_missing_is_said():
    small = render(imaged(rows=tuple(range(8)), seeds=tuple(range(10)), shape=(56, 168, 3)))
    assert len(small.encode()) <= MOST_BYTES
    assert "The same images" in small
    draw, side = random.Random(0), 800
    noise = tuple(draw.randrange(-127, 128) for _ in range(side * side))
    image = Picture("d", "deep", "lrp", -1, 0, "1", "1", side, side, noise)
    huge = render(dataclasses.replace(make_findings(), examples=(), pictures=(image, image), kind="image"))
    assert len(huge.encode()) <= MOST_BYTES
    assert "too large to be shown" in huge


def test_only_a_table_that_may_be_wider_than_a_phone_says_that_it_scrolls():
    def page(columns, *cells):
        return render_page("t", [], [Section("s", tables=[Table(columns, (cells,))])])

    assert "scrolls sideways" not in page(("class", "F1"), "negative", "84 %")
    assert "scrolls sideways" in page(
        ("name", "what it is"), "kl", "a sentence that is wider than half a phone"
    )
    assert "scrolls sideways" in page(("a", "b", "c", "d"), "1", "2", "3", "4")
