import csv
from importlib.resources import files

import pytest

from holdfast.studies.seat import printed
from holdfast.studies.seat.published_tables import STUDY, TABLES

LOST = {"?.55E-06": "1.55E-06", "?.10E-05": "1.10E-05"}


def table(number):
    """Read again without the loader: the numbers of each repair, by data set and encoder."""
    text = files(STUDY).joinpath("published", f"{TABLES[number]}.csv").read_text("utf-8")
    found = {}
    for line in csv.DictReader(text.splitlines()):
        place = found.setdefault((line["dataset"], line["encoder"]), {})
        place[line["repair"]] = {k: float(LOST.get(line[k], line[k])) for k in ("jsd", "tvd_sum", "f1")}
    return found.values()


@pytest.mark.parametrize("quantity", ["jsd", "tvd_sum"])
@pytest.mark.parametrize("number", ["1", "3"])
def test_seat_is_counted_where_no_other_is_lower(number, quantity):
    cells = list(table(number))
    least = [all(cell["seat"][quantity] <= other[quantity] for other in cell.values()) for cell in cells]
    said = f"in {sum(least)} of {len(cells)} cells (Table {number})"
    assert printed.lowest(number, quantity) == said


def test_rivals_are_counted_against_the_vanilla_model():
    pairs = {
        number: [
            (cell[name]["jsd"], cell["none"]["jsd"])
            for cell in table(number)
            for name in cell
            if name not in ("none", "seat")
        ]
        for number in "13"
    }
    above, below = sum(a > b for a, b in pairs["1"]), sum(a < b for a, b in pairs["3"])
    assert (above, len(pairs["1"]), below, len(pairs["3"])) == (54, 60, 20, 20)
    assert printed.rivals_moved("1", more=True) == "in 54 of 60 cells (Table 1)"
    assert printed.rivals_moved("3", more=False) == "in 20 of 20 cells (Table 3)"


def test_f1_is_counted_over_both_tables():
    gains = [round(cell["seat"]["f1"] - cell["none"]["f1"], 9) for number in "13" for cell in table(number)]
    assert (sum(gain > 0 for gain in gains), min(gains)) == (9, -0.008)
    assert printed.f1_above() == "in 9 of 16 cells (Tables 1 and 3)"
    assert printed.f1_lost() == "at most 0.008 (Tables 1 and 3)"
