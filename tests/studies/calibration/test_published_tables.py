import pytest

from holdfast.studies.calibration.plan import TWO
from holdfast.studies.calibration.published_tables import NO_RATINGS, published
from holdfast.study.measurement import Measurement


def test_table_3_2_in_percent_with_its_deviation():
    whole = Measurement("ml-1m:x", TWO, "none", "hr@10", 0.71, 0.70, 0.72, 3, by="among", bin="sampled")
    each = [
        Measurement("ml-1m:x", TWO, "none", "hr@10", v, by="member", member=str(v))
        for v in (0.70, 0.71, 0.72)
    ]
    lines = {(line.row, line.column): line for line in published([whole, *each])}
    mine = lines["DeepICF softmax", "HR@10"]
    assert (mine.published, mine.measured) == (70.41, pytest.approx(71.0))
    assert lines["DeepICF softmax", "HR@10 sd"].measured == pytest.approx(1.0)
    assert lines["DeepICF 3-output", "HR@10"].note == NO_RATINGS
    assert lines["NeuMF+Pretrain (quoted)", "HR@10"].note == "not run"
    assert lines["DeepICF class-weighted", "NDCG@10"].published == 41.14


def test_table_3_1():
    row = Measurement("ml-1m:x", TWO, "none", "size", 1000209.0, by="split", bin="Full interactions")
    lines = {(line.row, line.column): line for line in published([row]) if line.table == "3.1"}
    assert (lines["Full", "interactions"].measured, lines["Test", "items"].measured) == (1000209.0, None)
