import pytest

from holdfast.data.features.column import ABSENT, OTHER, Column, category, column_of, lacks

ALL = range(100)


def test_numbers_have_the_mean_and_spread_of_the_training_rows():
    values = [1.0, 2.0, 3.0, 900.0]
    column = column_of("x", values, range(3))
    assert column == Column("x", mean=2.0, scale=pytest.approx((2 / 3) ** 0.5), fill=2.0)
    assert column.size == 1
    assert column.codes(["2", None, "?"]) == [0.0, 0.0, 0.0]


def test_numbers_may_be_written_as_text_and_lack_some():
    column = column_of("x", ["1", "", "5", "n/a", "3"], range(5))
    assert isinstance(column, Column)
    assert (column.fill, column.mean) == (3.0, 3.0)
    assert column.told(column.codes(["5"])[0]) == "5"


def test_text_is_categories_and_what_is_missing_one_of_them():
    column = column_of("job", ["cook", None, "clerk", "cook"], range(4))
    assert column == Column("job", categories=(ABSENT, "clerk", "cook"))
    assert column.codes(["cook", None, "smith"]) == [2.0, 0.0, -1.0]
    assert [column.told(code) for code in (2.0, -1.0)] == ["cook", "a category that is new"]


def test_truth_values_are_categories():
    assert column_of("new", [True, False, True], range(3)).categories == ("false", "true")


def test_rare_categories_are_one():
    values = [f"c{n}" for n in range(60)] * 3 + ["c0"]
    column = column_of("x", values, range(len(values)))
    assert column.size == 50
    assert column.categories[-1] == OTHER
    assert column.codes(["never seen"]) == [49.0]


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("x", [None, "?"], "it has no values"),
        ("x", [3.0, 3.0], "its values are all 3"),
        ("x", ["a", "a"], "its values are all 'a'"),
        ("x", [f"Ann {n}" for n in range(30)], "30 of its 30 values are different, as names are"),
        ("ID", list(range(30)), "it numbers the rows"),
        ("x", [b"a", b"b"], "its values are neither text nor numbers"),
        ("x", [None, None, 3.0], "no training row has a value"),
    ],
)
def test_what_cannot_be_used_says_why(name, values, why):
    assert column_of(name, values, range(2) if why.startswith("no training") else range(len(values))) == why


def test_what_counts_as_missing():
    assert [lacks(value) for value in ("-", " ? ", "NA", None, float("nan"), 0, "x")] == [True] * 5 + [
        False
    ] * 2
    assert (category(None), category(2.0)) == (ABSENT, "2")
