import math

import pytest

from holdfast.core.catalogue import make
from holdfast.study.measurement import read_measurements
from holdfast.study.ranges import ANY, KNOWN, SHARE, SIGNED, SIZE, range_of
from tests.studies.calibration import runs as calibration
from tests.study import items, majority, rollout_families, strips, tiny

ROUNDING = 1e-6
STUDIES = {
    "texts": lambda: read_measurements(tiny.finished() / "results.parquet"),
    "images": lambda: read_measurements(majority.majority() / "results.parquet"),
    "items": lambda: read_measurements(items.finished() / "results.parquet"),
    "relevance": lambda: make("studies", "relevance").measure(strips.families(), lambda done, total: None),
    "rollout": rollout_families.rows,
    "calibration": calibration.rows,
}


@pytest.mark.parametrize("study", STUDIES)
def test_what_is_measured_lies_in_its_range_and_so_do_intervals(study):
    rows = STUDIES[study]()
    assert len({row.quantity for row in rows if row.low is not None} & set(KNOWN)) >= 3
    for row in rows:
        low, high = range_of(row.quantity, row.comparison, row.by)
        for end in (row.value, row.low, row.high):
            assert end is None or low - ROUNDING <= end <= high + ROUNDING, row


@pytest.mark.parametrize(
    ("about", "wanted"),
    [
        (("recall",), SHARE),
        (("recall", "", "epoch"), SHARE),
        (("dynamics", "spearman", "epoch"), SIGNED),
        (("correlation_sd", "spearman"), SIZE),
        (("stability", "kl"), SIZE),
        (("stability", "jensen_shannon"), (0.0, math.log(2))),
        (("agreement", "spearman"), SIGNED),
        (("top", "ndcg_lin:first_rank=1"), SIGNED),
        (("top_gain", "ndcg_lin"), ANY),  # a difference of two
        (("deletion", "jensen_shannon", "step"), (0.0, math.log(2))),
        (("deletion", "jensen_shannon"), ANY),  # above that of a random order
        (("deletion", "", "step"), SHARE),
        (("stability", "of another version"), ANY),
        (("gain",), ANY),
    ],
)
def test_ranges(about, wanted):
    assert range_of(*about) == wanted
