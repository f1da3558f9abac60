import math
from dataclasses import replace

import pytest
from scipy.spatial.distance import jensenshannon

from holdfast.studies.seat.densities import CELLS, DENSITY, density_rows
from tests.study.tiny import family

ONE = family(members=4)
ROWS = list(density_rows(ONE))
WIDTH = math.log(2) / CELLS


def texts():
    """Of each text the bin of the first seed's largest weight, its label, and the largest divergence."""
    scores, lengths = ONE.explanations["attention"].scores.double(), ONE.mask.sum(1).tolist()
    for number, (row, length) in enumerate(zip(ONE.rows.tolist(), lengths, strict=True)):
        own = scores[0, number, :length]
        farthest = max(jensenshannon(own, scores[other, number, :length]) ** 2 for other in (1, 2, 3))
        largest = float(own.max() / own.sum())
        yield min(int(largest * 4), 3), ONE.dataset.task.classes[int(ONE.targets[row])], farthest


def test_a_density_counts_the_texts_of_its_bin_and_label():
    for row in ROWS:
        bin, cell = map(int, row.bin.split("/"))
        here = [far for b, label, far in texts() if (b, label) == (bin, row.label)]
        inside = sum(int(far / WIDTH) == cell for far in here)
        assert row.value == pytest.approx(inside / (len(here) * WIDTH))
        assert row.n == len(here)
        assert row.at == pytest.approx((cell + 0.5) * WIDTH)


def test_every_group_that_has_texts_has_a_whole_density():
    groups = {(bin, label) for bin, label, _ in texts()}
    assert {(int(row.bin.split("/")[0]), row.label) for row in ROWS} == groups
    for bin, label in groups:
        heights = [row.value for row in ROWS if (int(row.bin.split("/")[0]), row.label) == (bin, label)]
        assert len(heights) == CELLS
        assert sum(heights) * WIDTH == pytest.approx(1.0)


def test_rows_say_what_they_are():
    assert {(row.quantity, row.explainer, row.comparison, row.by) for row in ROWS} == {
        (DENSITY, "attention", "jensen_shannon", "largest weight")
    }
    assert next(density_rows(replace(ONE, repair="seat"))).repair == "seat"
