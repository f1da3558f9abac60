import pytest

from holdfast.report.html import MOST_BYTES, render_page
from holdfast.studies.seat import Seat
from holdfast.studies.seat.claims import own_claims
from holdfast.studies.seat.page import ALIKE, page
from holdfast.studies.seat.plan import RIVALS
from holdfast.studies.seat.published_tables import published
from holdfast.study.measurement import Measurement
from holdfast.testing.study import without_rows
from tests.report.hostile import HOSTILE
from tests.studies.seat.made import family, rows

MOVE = "How far do attention and predictions move? (Tables 1 and 3)"


def made(some):
    findings = without_rows(Seat())
    whole = page(
        type(findings)(**(vars(findings) | {"rows": tuple(some)})), own_claims(some), published(some)
    )
    return whole, {section.title: section for section in whole.sections}


@pytest.fixture(scope="module")
def whole():
    return made(rows())


def test_claims_come_first_and_every_part_is_there(whole):
    assert list(whole[1]) == [
        "What the document claims",
        "Which repair is worth it?",
        "Published beside measured",
        MOVE,
        "Is SEAT more faithful? (Table 2)",
        "What does each term do? (Table 4)",
        "Do seeds agree? (Figure 2)",
        "How strong is each rival?",
    ]


def test_the_intro_counts_the_claims_and_says_what_is_enough(whole):
    first, rule = whole[0].intro
    assert first.startswith("Of 22 claims checked, 21 came out, 1 did not, and 0 cannot be decided.")
    assert "a ratio of 1.1; 0.005 of F1 or of a probability, 0.05 of hold, 0.3 of a rank correlation" in rule


def test_ratios_are_said_as_times_and_differences_as_they_are(whole):
    (table,) = whole[1]["What the document claims"].tables
    shown = {row[0].split(" (weakest")[0]: (row[2].text, row[3]) for row in table.rows}
    assert shown["seeds agree more on attention with SEAT than without"][0].startswith("× 2.0")
    text, change = shown["SEAT's attention moves least of all under noise on the word vectors"]
    assert text.startswith("× 10.") or text.startswith("× 9.")
    assert change.replace("\N{NO-BREAK SPACE}", " ").endswith("→ 0.000998")
    less = shown["the rivals' attention moves less than the vanilla model's when a word is changed"]
    assert less[0].startswith("÷ 2.0") or less[0].startswith("÷ 1.9")
    assert shown["SEAT raises the hold of attention"][0] == "0.100"


def test_pairs_are_called_as_the_paper_calls_them(whole):
    (folded,) = whole[1]["What the document claims"].folded
    where = {row[-3] for row in folded.rows}
    assert "sst2, rnn: Word-iAT against SEAT" in where
    assert not [name for name in where if "strength" in name or "none" in name]


def test_what_is_worth_it_is_said_in_a_sentence(whole):
    (said,) = whole[1]["Which repair is worth it?"].notes
    assert said.startswith("rnn on sst2: SEAT + ASWA (hold 0.30")


def test_the_tables_stand_beside_the_published(whole):
    section = whole[1]["Published beside measured"]
    shown = {row for figure in section.figures for row in figure.data["row"]}
    assert "sst rnn seat" in shown
    assert not [row for row in shown if not row.startswith("sst rnn")]
    missing = dict(section.folded[0].rows)
    assert "hate bert word_at" in missing["1"]


def test_other_data_have_no_published_numbers_but_say_so():
    section = made(rows(data="planted"))[1]["Published beside measured"]
    assert section.figures == ()
    (note,) = section.notes
    assert note == "No row of Tables 1, 3 and 4 was run: they are of other data, models or repairs."
    assert section.folded == []


def test_methods_that_are_one_and_methods_that_collapsed_are_named(whole):
    some = [*family(), *family("word_at", constant=1.0)]
    assert whole[1]["How strong is each rival?"].notes == [ALIKE]
    tried = Measurement("sst2", "rnn", "word_at", "validation_f1", 0.3, by="member", member="0")
    (note,) = made([*some, tried])[1]["How strong is each rival?"].notes
    assert note == (
        "Word-AT, ε = 0.3 of rnn on sst2 predicts the same class for nearly every text in 100.0 % of its "
        "seeds: it is not ranked."
    )
    assert len(RIVALS) == 5


def test_attention_that_is_even_is_named_and_read_with_its_contrast(whole):
    assert "Attention that is even in every text never moves" in whole[1][MOVE].text
    (seeds,) = whole[1]["Do seeds agree? (Figure 2)"].tables
    assert {row[seeds.columns.index("contrast")].text for row in seeds.rows} == {"0.700"}
    sections = made(rows({"seat": {"contrast": 0.01}}))[1]
    assert sections["How strong is each rival?"].notes[-1] == (
        "The attention of SEAT of rnn on sst2 is nearly even (contrast 0.010): it is not ranked."
    )
    both = made(rows({"none": {"contrast": 0.02}, "seat": {"contrast": 0.01}}))[1]
    note = both["How strong is each rival?"].notes[-1]
    assert note.endswith("is nearly even (contrast 0.010): that it hardly moves says nothing.")
    told = [row[0] for row in sections["What the document claims"].tables[0].rows]
    assert "SEAT raises comprehensiveness" not in told


def test_a_rival_of_which_one_seed_collapsed_is_ranked_and_named():
    tried = Measurement("sst2", "rnn", "word_at", "validation_f1", 0.3, by="member", member="0")
    (note,) = made([*family(), *family("word_at", constant=0.1), tried])[1]["How strong is each rival?"].notes
    assert note == (
        "Word-AT, ε = 0.3 of rnn on sst2 predicts the same class for nearly every text in 10.0 % of its "
        "seeds: its numbers are those of all seeds."
    )


def test_the_page_renders_small_and_names_from_outside_are_never_live():
    some = rows(data=HOSTILE)
    sections = made(some)[0]
    html = render_page(Seat.title, sections.intro, sections.sections, (), "holdfast reproduce seat")
    assert len(html.encode()) <= MOST_BYTES
    assert HOSTILE not in html
    assert "<script" not in html


def test_nothing_measured_makes_an_empty_but_honest_page():
    whole, parts = made([])
    assert whole.intro[0].startswith("Of 0 claims checked")
    assert list(parts) == ["Published beside measured"]
