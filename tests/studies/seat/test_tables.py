import pytest

from holdfast.report.page import Span
from holdfast.studies.seat import tables
from holdfast.studies.seat.measures import CONSTANT, MOVED
from holdfast.studies.seat.plan import NONE, SEAT
from holdfast.studies.seat.strengths import VALIDATION
from holdfast.studies.seat.worth import worths
from holdfast.study.measurement import Measurement
from tests.later import Later
from tests.studies.seat.made import rows

ROWS = Later(rows)


def line(table, method):
    (found,) = [row for row in table.rows if row[2] == method]
    return found


def test_every_way_to_move_the_input_has_a_table():
    titles = [table.title for table in tables.moved(ROWS)]
    assert titles == [
        "Noise within 0.001 of each number of a vector, at worst",
        "Noise within 0.001 of each number of a vector, at random",
        "Noise within 0.001 of the whole text (l2), at worst",
        "Noise within 0.01 of each number of a vector, at worst",
        "Words: neighbours",
    ]
    assert {len(table.rows) for table in tables.moved(ROWS)} == {11}


def test_a_number_is_the_row_it_came_from_however_small():
    row = next(r for r in ROWS if (r.repair, r.quantity, r.by) == (SEAT, MOVED, "all"))
    cell = line(tables.moved(ROWS)[0], "SEAT")[3]
    assert (cell.value, cell.low, cell.high) == (row.value, row.low, row.high)
    tiny = [Measurement("d", "rnn", NONE, MOVED, 2.5e-9, probe=row.probe)]
    (table,) = tables.moved(tiny)
    assert table.rows[0][:3] == ("d", "rnn", "vanilla")
    assert table.rows[0][3].text == "2.5e−9"
    assert [cell.text for cell in table.rows[0][4:]] == ["–"] * 4


def test_rivals_have_their_strength():
    assert line(tables.seeds(ROWS), "Word-iAT, ε = 0.3")[:2] == ("sst2", "rnn")


def test_faithfulness_stands_beside_random_orders():
    table = tables.faithful(ROWS)
    assert table.columns[3:] == (
        "comprehensiveness", "random order", "sufficiency", "random order", "noise that flips",
        "random order",
    )  # fmt: skip
    cells = line(table, "SEAT")[3:]
    assert [cell.value for cell in cells] == pytest.approx([0.15, 0.03, 0.02, 0.03, 0.5, 0.03], rel=0.02)


def test_the_ablation_has_each_term_and_no_rival():
    assert [row[2] for row in tables.ablation(ROWS).rows] == [
        "vanilla", "SEAT", "SEAT, top-k term alone", "SEAT, stability term alone",
    ]  # fmt: skip
    assert line(tables.ablation(ROWS), "SEAT")[5].value == pytest.approx(0.82, rel=0.01)


def test_a_hold_is_drawn_on_its_scale():
    cell = line(tables.seeds(ROWS), "SEAT")[4]
    assert (cell.value, cell.scaled) == (0.6, True)
    assert not line(tables.seeds(ROWS), "SEAT")[3].scaled


def test_without_an_interval_the_mean_of_the_seeds_is_shown():
    each = [
        Measurement("d", "rnn", SEAT, "surrogate_follows", value, by="member", member=str(seed))
        for seed, value in enumerate((0.2, 0.6))
    ]
    moved = Measurement("d", "rnn", SEAT, MOVED, 0.1, probe="p")
    (row,) = tables.surrogates([moved, *each]).rows
    assert row[-1] == Span(0.4, None, None, digits=3)
    assert tables.surrogates(ROWS).rows[0][2:] != row[2:]


def test_changes_by_repair_are_those_that_were_estimated():
    found = worths(ROWS)
    table = tables.worth(found)
    assert [row[2] for row in table.rows] == [
        row[2] for row in tables.seeds(ROWS).rows if row[2] != "vanilla"
    ]
    assert line(table, "SEAT")[3].value == pytest.approx(0.1)


def test_strengths_say_which_was_chosen_and_which_collapsed():
    def tried(strength, score, share):
        place = ("d", "rnn", f"word_at:strength={strength}")
        for seed in range(2):
            yield Measurement(*place, VALIDATION, score + seed / 10, by="member", member=str(seed))
        yield Measurement(*place, CONSTANT, share)

    some = [*tried(0.3, 0.6, 0.0), *tried(1.0, 0.7, 0.5), *tried(3.0, 0.3, 1.0)]
    found = [(row[3], row[4].text, row[5], row[6]) for row in tables.strengths(some).rows]
    assert found == [
        ("0.3", "0.650", "", "0.0 %"), ("1", "0.750", "chosen", "50.0 %"), ("3", "0.350", "", "100.0 %"),
    ]  # fmt: skip


def test_nothing_measured_is_no_line():
    assert tables.moved([]) == []
    for make in (tables.faithful, tables.ablation, tables.surrogates, tables.seeds, tables.strengths):
        assert make([]).rows == ()
