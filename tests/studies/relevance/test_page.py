import pytest

from holdfast.report.html import MOST_BYTES, render_page
from holdfast.studies.relevance import Relevance
from holdfast.studies.relevance.claims import own_claims
from holdfast.studies.relevance.page import intro, sections
from holdfast.studies.relevance.published_tables import published
from tests.later import Later
from tests.report.pictures import pictures
from tests.report.relevance_rows import every_row

TITLE = Relevance.title

ROWS = Later(every_row)
CLAIMS = Later(lambda: own_claims(ROWS))
BESIDE = Later(lambda: published(ROWS))
PICTURES = Later(
    lambda: [
        *pictures("mnist-maj", rows=(3, 5)),
        *pictures("fashion-maj", rows=(2,)),
        *pictures("mnist:steps=7", ("shallow", "deep"), (1,), (28, 28, 1)),
    ]
)


def made(shown=PICTURES):
    return {section.title: section for section in sections(ROWS, CLAIMS, BESIDE, shown)}


@pytest.fixture(scope="module")
def page():
    return render_page(
        TITLE, intro(CLAIMS), list(made().values()), ("a note",), "holdfast reproduce relevance"
    )


def test_the_intro_counts_the_claims_and_not_their_details():
    heads = [claim.answer for claim in CLAIMS if not claim.detail]
    assert len(heads) == 9
    small = heads.count("too small to matter")
    assert small <= 1
    assert intro(CLAIMS)[0] == (
        f"Of 9 claims checked, {heads.count('came out')} came out, "
        f"{'1 is above 0 but too small to matter, ' * small}{heads.count('did not come out')} did not, and "
        f"{heads.count('not decided')} cannot be decided."
    )


def test_what_intervals_are_over_is_said():
    before = every_row(groups=0)
    old = own_claims(before)
    assert "the other the same tenth of the images" in intro(CLAIMS)[1]
    assert "over members alone, for the images explained" in intro(old)[1]
    captions = {
        name: {f.caption for s in sections(rows, claims, []) for f in s.figures if f.key.startswith("cosine")}
        for name, rows, claims in (("both", ROWS, CLAIMS), ("members", before, old))
    }
    assert all("over members and images (these 7 images)." in text for text in captions["both"])
    assert all("over members, for these 7 images." in text for text in captions["members"])


def test_claims_come_first_and_every_part_is_there():
    titles = list(made())
    assert titles[0] == "What the document claims"
    first = made()["What the document claims"]
    assert (len(first.tables[0].rows), len(first.folded[0].rows)) == (9, len(CLAIMS) - 9)
    assert all(not section.empty for section in made().values())
    assert {figure.key for figure in made()["Published beside measured"].figures} == {
        f"tables-{number}" for number in range(1, 7)
    }


def test_the_heat_maps_are_in_their_sections():
    parts = made()
    assert [g.title for g in parts["Heat maps: the majority of three"].grids] == [
        "mnist-maj: 3", "mnist-maj: 5", "fashion-maj: 2",
    ]  # fmt: skip
    assert [g.title for g in parts["Heat maps: one image in strips"].grids] == ["mnist: 1"]
    assert parts["Positive relevance alone"].grids[0].columns == ("rlstm_sd", "convrlstm_sd")


def test_the_page_is_small_offline_and_the_same_every_time(page):
    assert len(page.encode()) <= MOST_BYTES
    again = render_page(
        TITLE, intro(CLAIMS), list(made().values()), ("a note",), "holdfast reproduce relevance"
    )
    assert page == again
    assert "<script" not in page
    assert page.count('src="data:image/png;base64,') == page.count("<img ") > 150
    assert page.count('alt="') == page.count("<img ")
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_without_pictures_no_section_of_heat_maps_is_left(page):
    bare = render_page(TITLE, intro(CLAIMS), list(made([]).values()))
    assert 'class="input' in page
    assert "<img" not in bare
    assert "Heat maps" not in bare
    assert "Positive relevance alone" not in bare


def test_names_from_outside_are_never_live():
    from dataclasses import replace

    evil = "<b onload=x>"
    shown = [replace(p, label=evil, target=evil) for p in PICTURES[:60]]
    page = render_page(TITLE, [], list(made(shown).values()))
    assert evil not in page
    assert "&lt;b onload=x&gt;" in page


def test_nothing_measured_makes_an_empty_but_honest_page():
    parts = {section.title: section for section in sections([], [], [])}
    assert parts["Published beside measured"].text == "The document has no row for these data and cells."
    assert list(parts) == ["Published beside measured"]
    assert intro([])[0].startswith("Of 0 claims checked")
