"""The rows of classifiers."""

from holdfast.study.measure import Measurer
from holdfast.study.quality import classifier_rows
from tests.study.tiny import family


def test_every_quality_is_told_once() -> None:
    one = family(names=("attention",))
    rows = list(classifier_rows(one, Measurer(one).row))
    whole = [row.quantity for row in rows if row.by == "all"]
    assert len(whole) == len(set(whole))
    assert {"accuracy", "accuracy_sd", "macro_f1", "roc_auc", "deviation"} <= set(whole)
    seeds = [row for row in rows if (row.quantity, row.by) == ("accuracy", "member")]
    assert [row.value for row in seeds] == one.right.tolist()
