from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.divide import THIRDS, divide, hold_out, sample, stratified_folds
from holdfast.data.text.corpus import Part

CLASSES = st.lists(st.integers(3, 40), min_size=2, max_size=4).map(
    lambda sizes: [target for target, size in enumerate(sizes) for _ in range(size)]
)


@given(CLASSES)
def test_every_row_is_in_one_part_and_every_class_in_each(targets: list[int]) -> None:
    parts = divide(targets, THIRDS, "test")
    assert sorted(row for part in parts for row in part) == list(range(len(targets)))
    for part, share in zip(parts, THIRDS, strict=True):
        for target, size in Counter(targets).items():
            found = sum(targets[row] == target for row in part)
            assert found >= 1
            assert abs(found - share * size) <= 1.5


@given(CLASSES, st.integers(4, 60))
def test_a_sample_keeps_proportions(targets: list[int], size: int) -> None:
    rows = sample(targets, size, "test")
    assert len(rows) == len(set(rows)) == min(size, len(targets))
    for target, count in Counter(targets).items():
        found = sum(targets[row] == target for row in rows)
        assert found >= 1
        assert abs(found - len(rows) * count / len(targets)) <= len(set(targets))


def test_the_rows_are_the_same_for_everybody() -> None:
    assert divide([0] * 6 + [1] * 6, THIRDS, "a") == [[0, 1, 2, 4, 6, 7, 8, 11], [5, 10], [3, 9]]
    assert divide([0] * 6 + [1] * 6, THIRDS, "b") != divide([0] * 6 + [1] * 6, THIRDS, "a")


def test_hold_out() -> None:
    rest, held = hold_out(Part([str(i) for i in range(20)], [0, 1] * 10), 0.1, "test")
    assert (len(rest.texts), sorted(held.targets)) == (18, [0, 1])


@given(classes=st.lists(st.integers(0, 3), min_size=1, max_size=40), folds=st.integers(2, 7))
def test_stratified_folds(classes, folds):
    """Every fold has as many rows, and as many of every class, as any other, give or take one."""
    found = stratified_folds(classes, folds).tolist()
    assert stratified_folds(classes, folds).tolist() == found
    for wanted in (None, *set(classes)):
        counts = [
            sum(own == k and wanted in (None, c) for own, c in zip(found, classes, strict=True))
            for k in range(folds)
        ]
        assert max(counts) - min(counts) <= 1
