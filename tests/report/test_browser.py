"""What a reader sees: the report in a real browser, at desk and phone width, light, dark and on paper."""

import shutil
from functools import cache
from pathlib import Path

import pytest

from holdfast.report.charts.palette import AGAINST, DARK_AGAINST, DARK_FOR, FOR
from holdfast.report.html import render, render_page
from holdfast.report.page import Section
from tests.reference.report import contrast
from tests.report.charts.cases import every_kind
from tests.report.hostile import hostile
from tests.report.synthetic import imaged

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")

# Colours as #rrggbb of every text in view, with the first opaque ground behind it.
COLOURS = """() => {
  const hex = c => '#' + c.match(/[\\d.]+/g).slice(0, 3).
    map(v => (+v).toString(16).padStart(2, '0')).join('');
  const ground = getComputedStyle(document.body).backgroundColor;
  const texts = [...document.querySelectorAll(
    'h1,h2,h3,p,th,td,dt,dd,small,figcaption,summary,.chip,.sign,.iv,a,li,code')];
  const drawn = [...document.querySelectorAll('.drawing text')];
  const all = [...texts.map(e => getComputedStyle(e).color), ...drawn.map(e => getComputedStyle(e).fill)];
  return {ground: hex(ground), drawn: drawn.length, colours: [...new Set(all.map(hex))]};
}"""
LIVE = """() => document.querySelectorAll('script,img,iframe,object,embed,foreignObject').length
  + [...document.querySelectorAll('*')].filter(
      e => [...e.attributes].some(a => a.name.startsWith('on'))).length"""


def is_local(address: str, path: Path) -> bool:
    """Whether a page requests itself, or data inside itself."""
    return address == path.as_uri() or address.startswith("data:image/png;base64,")


@pytest.fixture(scope="module")
def tabs():
    """Tabs, which cost more than the pages opened in them, and what is said or requested there."""
    from playwright.sync_api import sync_playwright

    said: list[str] = []

    @cache
    def tab(number, scripts):
        view = contexts[scripts].new_page()
        view.on("console", lambda message: said.append(message.text))
        view.on("pageerror", lambda error: said.append(str(error)))
        view.on("dialog", lambda dialog: said.append(dialog.message))
        view.on("request", lambda request: said.append(request.url))
        return view

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        contexts = {scripts: browser.new_context(java_script_enabled=scripts) for scripts in (True, False)}
        yield tab, said
        browser.close()


@pytest.fixture(scope="module")
def paths(tmp_path_factory, page) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    another = render_page("Page", ["Intro."], [Section("Figures", figures=list(every_kind().values()))])
    texts = {"report": page, "hostile": render(hostile()), "page": another, "images": render(imaged())}
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


@pytest.fixture
def look(tabs, paths):
    """Opens a report; anything said on the console (as a breach of the policy is) or requested fails."""
    (tab, said), opened = tabs, []
    said.clear()

    def open_page(name, width=1280, color_scheme="light", scripts=True):
        view = tab(len(opened), scripts)
        opened.append(paths[name])
        view.set_viewport_size({"width": width, "height": 800})
        view.emulate_media(media="screen", color_scheme=color_scheme)
        view.goto(paths[name].as_uri())
        return view

    yield open_page
    assert [what for what in said if not any(is_local(what, path) for path in opened)] == []


@pytest.mark.parametrize("name", ["report", "hostile", "page", "images"])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_page_never_scrolls_sideways(look, name, width):
    view = look(name, width=width)
    view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert view.evaluate("document.documentElement.scrollWidth") <= width


def test_the_answer_is_in_the_first_screen(look):
    for width in (360, 1280):
        view = look("report", width=width)
        for part in (".word", "h1", ".do", ".scale"):
            box = view.locator(part).first.bounding_box()
            assert box["y"] + box["height"] < 800


def test_planted_markup_is_not_live(look):
    view = look("hostile")
    assert view.evaluate(LIVE) == 0
    assert "<script>alert(1)</script>" in view.locator("h1").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["report", "page", "images"])
def test_every_text_stands_out_from_its_ground(look, name, scheme):
    colours = look(name, color_scheme=scheme).evaluate(COLOURS)
    assert colours["ground"] == {"light": "#ffffff", "dark": "#13171b"}[scheme]
    assert colours["drawn"] > 20
    assert {
        colour: contrast(colour, colours["ground"])
        for colour in colours["colours"]
        if contrast(colour, colours["ground"]) < 4.5
    } == {}


def test_words_stand_out_from_their_heat(look):
    for scheme in ("light", "dark"):
        view = look("report", color_scheme=scheme)
        words = view.evaluate(
            """() => [...document.querySelectorAll('.w b.p9')].slice(0, 3).map(e => {
              const s = getComputedStyle(e); return [s.color, s.backgroundColor]; })"""
        )
        assert words
        assert all(ink != ground and ground.startswith("rgba") for ink, ground in words)


# Every letter of every figure, in pixels as it is seen.
LETTERS = """() => [...document.querySelectorAll('.drawing svg')].flatMap(svg => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return [...svg.querySelectorAll('text')].map(t => scale * parseFloat(getComputedStyle(t).fontSize)); })"""


@pytest.mark.parametrize("name", ["report", "page", "images"])
@pytest.mark.parametrize("width", [375, 1280])
def test_figures_can_be_read_without_glasses(look, name, width):
    view = look(name, width=width)
    view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    sizes = view.evaluate(LETTERS)
    assert len(sizes) > 50
    assert min(sizes) >= 12 - 0.05


# Texts that stand in one line of a table's head, in the ticks of the scale or in a drawing, and overlap.
COLLISIONS = """() => { const rows = [...document.querySelectorAll('thead tr, .ticks, .zones')].map(
      row => [...row.querySelectorAll('th, span')].filter(e => !e.children.length));
  const inside = e => {
    const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect() };
  return rows.flatMap(row => row.slice(1).flatMap((e, i) => { const a = inside(row[i]), b = inside(e);
    return a.width && b.width && a.right > b.left + 1 ? [row[i].textContent + e.textContent] : [] })) }"""


@pytest.mark.parametrize("name", ["report", "images"])
def test_no_two_texts_collide_on_a_phone(look, name):
    view = look(name, width=375)
    view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert view.evaluate(COLLISIONS) == []


def test_wide_tables_say_on_a_phone_that_they_scroll(look):
    hints = "all => all.filter(e => e.offsetHeight).length"
    phone, desk = look("report", width=375), look("report", width=1280)
    assert phone.locator(".swipe").evaluate_all(hints) > 1
    assert desk.locator(".swipe").evaluate_all(hints) == 0


def test_about_five_screens_at_a_desk(look):
    for name in ("report", "images"):
        view = look(name, width=1280)
        assert view.evaluate("document.documentElement.scrollHeight") < 6.7 * 1080


def test_all_seeds_of_an_image_are_seen_at_a_desk(look):
    tables = look("images", width=1280).locator("#examples .scroll")
    assert tables.count() == 2
    assert tables.evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth + 1).length") == 0


def test_folded_explainers_are_printed(look):
    view = look("report", width=690)
    seen = "all => all.filter(e => e.checkVisibility()).length"
    folded = view.locator("details.explainers .map")
    assert folded.evaluate_all(seen) == 0
    view.emulate_media(media="print")
    assert folded.evaluate_all(seen) == folded.count() > 10


# What an audit of accessibility finds first: names, headings that skip a level, what cannot be reached.
UNNAMED = """() => { const bad = [];
  const levels = [...document.querySelectorAll('h1,h2,h3')].map(e => +e.tagName[1]);
  if (levels[0] !== 1 || levels.filter(l => l === 1).length !== 1) bad.push('one h1, first');
  levels.slice(1).forEach((l, i) => { if (l > levels[i] + 1) bad.push('heading skips to ' + l) });
  const all = q => [...document.querySelectorAll(q)];
  all('img').forEach(e => { if (!e.alt) bad.push('img without alt') });
  all('[role=img],[role=group],nav').forEach(e => {
    if (!e.getAttribute('aria-label') && !e.querySelector(':scope > title')) bad.push('unnamed') });
  all('th,summary,a,h2,h3,dt').forEach(e => { if (!e.textContent.trim()) bad.push('empty ' + e.tagName) });
  all('table').forEach(e => { if (!e.querySelector('th[scope]')) bad.push('table without heads') });
  all('dl > *').forEach(e => { if (e.tagName !== 'DIV') bad.push('dl has ' + e.tagName) });
  all('ul > *').forEach(e => { if (e.tagName !== 'LI') bad.push('ul has ' + e.tagName) });
  all('body *').forEach(e => { if (e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0 &&
    ['auto', 'scroll'].includes(getComputedStyle(e).overflowX)) bad.push('cannot be scrolled by key') });
  all('body > :not(header, main, footer)').forEach(e => bad.push('no landmark'));
  return bad }"""


@pytest.mark.parametrize("name", ["report", "hostile", "page", "images"])
def test_everything_has_a_name_and_can_be_reached(look, name):
    view = look(name, width=375)
    view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert view.evaluate(UNNAMED) == []


HUES = """() => [...document.querySelectorAll('.keys')].map(
  e => getComputedStyle(e.lastElementChild).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number))"""


@pytest.mark.parametrize("name", ["report", "images"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_colour_speaks_for_and_one_against(look, name, scheme):
    hues = {"light": (FOR, AGAINST), "dark": (DARK_FOR, DARK_AGAINST)}[scheme]
    assert look(name, color_scheme=scheme).evaluate(HUES) == [list(hue) for hue in hues]


def inside(view, element) -> bytes:
    """Its pixels, except at the edge, where the page shows through."""
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    return view.screenshot(
        clip={"x": box["x"] + 2, "y": box["y"] + 2, "width": box["width"] - 4, "height": box["height"] - 4}
    )


def test_an_image_of_the_data_is_never_turned_negative(look):
    """No filter, and pixel for pixel the same on a light and on a dark page."""
    views = [look("images", color_scheme=scheme) for scheme in ("light", "dark")]
    first = [view.locator("img.input").first for view in views]
    styles = [
        e.evaluate("e => { const s = getComputedStyle(e); return s.filter + s.opacity }") for e in first
    ]
    assert styles == ["none1", "none1"]
    assert inside(views[0], first[0]) == inside(views[1], first[1])


def test_paper_is_light_even_from_a_dark_screen(look):
    view = look("report", color_scheme="dark")
    view.emulate_media(media="print")
    assert view.evaluate(COLOURS)["ground"] == "#ffffff"


@pytest.mark.parametrize("name", ["report", "images"])
def test_nothing_is_cut_on_paper(look, name):
    view = look(name, width=690)
    view.emulate_media(media="print")
    wide = view.evaluate(
        """() => [...document.querySelectorAll('table,figure,.map,pre')].filter(
             e => e.getBoundingClientRect().right > 691).map(e => e.textContent)"""
    )
    assert wide == []


# Texts of a figure that reach beyond its drawing: there paper and a saved file cut them.
BEYOND = """() => [...document.querySelectorAll('.drawing svg')].flatMap(svg => {
  const box = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(
    t => !/rotate\\((?!0)/.test(t.getAttribute('transform'))).filter(
    t => { const r = t.getBoundingClientRect(); return r.left < box.left - 1 || r.right > box.right + 1 }
  ).map(t => t.textContent) })"""


@pytest.mark.parametrize("name", ["report", "images"])
def test_no_text_of_a_figure_reaches_beyond_its_drawing(look, name):
    view = look(name)
    view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert view.evaluate(BEYOND) == []


def test_why_each_verdict_is_printed(look):
    view = look("report", width=690)
    reasons = view.locator("#explainers details li")
    assert not reasons.first.is_visible()
    view.emulate_media(media="print")
    assert reasons.count() > 1
    assert reasons.first.is_visible()


def test_figures_can_be_saved_under_the_policy(look, tmp_path):
    view = look("page")
    for kind, start in (("svg", "<svg"), ("csv", "facet,series")):
        with view.expect_download() as saved:
            view.locator(f'a[download$=".{kind}"]').first.click()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
        assert path.suffix == f".{kind}"
        assert path.read_text(encoding="utf-8").startswith(start)


def test_it_reads_the_same_without_scripts(look):
    with_scripts, without = look("report"), look("report", scripts=False)
    assert with_scripts.locator("main").inner_text() == without.locator("main").inner_text()


@pytest.mark.parametrize("width", [360, 1280])
def test_heat_maps_are_seen_as_large_as_their_image(look, width):
    view = look("images", width=width)
    first = view.locator("#examples article").first
    drawn = first.locator("img").evaluate_all("all => all.map(e => [e.naturalWidth, e.offsetWidth])")
    assert len(drawn) == 1 + 2 * 6
    assert {natural for natural, _ in drawn} == {24}
    assert {seen for _, seen in drawn} == {drawn[0][1]}
    assert drawn[0][1] >= 70


def test_commands_and_names_are_not_broken_inside_a_word_on_a_phone(look):
    """A command breaks between its words; the names of the explainers stand in a column wide enough."""
    view = look("report", width=375)
    lines = "all => all.map(e => e.getClientRects().length)"
    assert set(view.locator("pre span").evaluate_all(lines)) == {1}
    assert min(view.locator(".matrix th[scope=row]").evaluate_all("all => all.map(e => e.offsetWidth)")) > 100
