import csv
from collections import Counter
from dataclasses import replace
from importlib.resources import files
from itertools import product

import pytest

from holdfast.core.errors import BadInput
from holdfast.studies.seat.measures import name_of
from holdfast.studies.seat.plan import TABLE_1, TABLE_4
from holdfast.studies.seat.published_tables import QUANTITIES, STUDY, TABLES, TERMS, Cell, cells, published
from tests.studies.seat.made import TEXTS, rows

DATASETS = ("emotion", "sst", "hate", "rotten-tomatoes")
ENCODERS = ("rnn", "bilstm", "bert")
REPAIRS = ("none", "word_at", "word_iat", "attention_rp", "attention_at", "attention_iat", "seat")


def cell(*about: str) -> Cell:
    (found,) = [c for c in cells() if (c.table, c.dataset, c.encoder, c.repair, c.quantity) == about]
    return found


def test_every_cell_of_the_three_tables_is_read_once() -> None:
    found = Counter((c.table, c.dataset, c.encoder, c.repair, c.quantity) for c in cells())
    wanted = [
        *product("1", DATASETS, ENCODERS, REPAIRS, ("jsd", "tvd_sum", "f1")),
        *product("3", DATASETS, ("bert",), REPAIRS, ("jsd", "tvd_sum", "f1")),
        *product("4", ("sst",), ENCODERS, TERMS.values(), ("sufficiency", "tvd_sum", "f1")),
    ]
    assert found == dict.fromkeys(wanted, 1)
    assert len(wanted) == 3 * (84 + 28 + 12)


def test_every_number_is_what_the_file_has() -> None:
    """Read again without the loader: each printed form, in the order of the file."""
    for table, name in TABLES.items():
        text = files(STUDY).joinpath("published", f"{name}.csv").read_text("utf-8")
        head, *lines = csv.reader(text.splitlines())
        columns = [head.index(quantity) for quantity in QUANTITIES if quantity in head]
        printed = [line[column] for line in lines for column in columns]
        assert [c.printed for c in cells() if c.table == table] == printed


@pytest.mark.parametrize(
    ("about", "value"),
    [
        (("1", "emotion", "rnn", "none", "jsd"), 0.002),
        (("1", "sst", "bilstm", "none", "tvd_sum"), 18.640),
        (("1", "hate", "rnn", "seat", "jsd"), 1.79e-9),
        (("1", "rotten-tomatoes", "bert", "word_at", "jsd"), 0.510),
        (("1", "rotten-tomatoes", "bert", "seat", "f1"), 0.841),
        (("3", "emotion", "bert", "attention_at", "tvd_sum"), 0.003),
        (("3", "hate", "bert", "seat", "jsd"), 8.69e-6),
        (("4", "sst", "rnn", "neither", "sufficiency"), 7.02e-4),
        (("4", "sst", "bilstm", "topk", "f1"), 0.779),
        (("4", "sst", "bert", "both", "tvd_sum"), 0.028),
    ],
)
def test_numbers_as_they_stand_in_the_paper(about: tuple[str, ...], value: float) -> None:
    assert cell(*about).value == value
    assert cell(*about).ends == (value, value)


def test_two_digits_are_lost_in_our_copy_and_no_number_is_made_up() -> None:
    lost = [c for c in cells() if c.value is None]
    assert [(c.table, c.dataset, c.repair, c.quantity) for c in lost] == [
        ("3", "sst", "seat", "jsd"),
        ("3", "rotten-tomatoes", "seat", "jsd"),
    ]
    assert [c.ends for c in lost] == [(1.55e-6, 9.55e-6), (1.1e-5, 9.1e-5)]


def test_it_is_said_which_rows_of_the_ablation_are_inferred() -> None:
    noted = {c.repair for c in cells() if c.note}
    assert noted == {"stability", "topk"}
    assert {c.table for c in cells() if c.note} == {"4"}


def test_what_is_no_printed_number_is_refused() -> None:
    with pytest.raises(BadInput) as caught:
        Cell("3", "sst", "bert", "seat", "jsd", "illegible")
    assert str(caught.value) == (
        "Table 3, sst bert seat: expected jsd to be a number as printed, such as 0.663 or 7.02E-04, but got "
        "'illegible': mend the file"
    )


def beside(some, table, row, column):
    (found,) = [one for one in published(some) if (one.table, one.row, one.column) == (table, row, column)]
    return found


@pytest.mark.parametrize(
    ("place", "repair", "quantity", "probe", "scale"),
    [
        (("1", "sst rnn seat", "jsd"), "seat", "attention_moved", name_of(TABLE_1), 1),
        (("1", "sst rnn seat", "tvd_sum"), "seat", "prediction_moved", name_of(TABLE_1), TEXTS),
        (("1", "sst rnn word_at", "f1"), "word_at:strength=0.3", "macro_f1", "", 1),
        (("4", "sst rnn neither", "tvd_sum"), "none", "prediction_moved", name_of(TABLE_4), TEXTS),
        (("4", "sst rnn topk", "f1"), "seat:lambda1=0.0", "macro_f1", "", 1),
        (("4", "sst rnn stability", "sufficiency"), "seat:lambda2=0.0", "drop", "sufficiency", 1),
    ],
)
def test_our_number_stands_beside_its_cell(place, repair, quantity, probe, scale) -> None:
    some = rows()
    one = beside(some, *place)
    (own,) = [r for r in some if (r.repair, r.quantity, r.probe, r.by) == (repair, quantity, probe, "all")]
    expected = tuple(scale * number for number in (own.value, own.low, own.high))
    assert (one.measured, one.low, one.high) == pytest.approx(expected)
    assert one.published == cell(place[0], *place[1].split(), place[2]).value


def test_table_3_has_numbers_of_ours_only_where_words_were_replaced() -> None:
    some = rows(model="bert:path=folder")
    assert beside(some, "3", "sst bert none", "jsd").measured == pytest.approx(0.01, rel=0.01)
    dropped = [replace(row, probe="dropped") if row.probe == "neighbours" else row for row in some]
    assert beside(dropped, "3", "sst bert none", "jsd").note == "not run"
    assert beside(dropped, "3", "sst bert none", "f1").measured == pytest.approx(0.8, rel=0.01)


def test_other_data_and_encoders_are_not_run() -> None:
    assert {one.measured for one in published(rows(data="planted"))} == {None}
    assert {one.measured for one in published(rows(model="cnn"))} == {None}
    assert len(published([])) == len([c for c in cells() if c.value is not None])
