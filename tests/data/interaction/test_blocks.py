from pathlib import Path

import pyarrow as pa
import pytest

from holdfast.core.errors import BadData
from holdfast.data.interaction.blocks import InteractionBlocks
from holdfast.data.interaction.interactions import Interactions

NONE = r"1 of 2 rows has no user \(row 2\)"
WANTED = {"user": "u", "item": "i", "time": "t", "title": "name"}


def block(users: list, items: list, times: list, titles: list) -> pa.RecordBatch:
    return pa.record_batch([pa.array(one) for one in (users, items, times, titles)], ["u", "i", "t", "name"])


def test_names_are_numbered_over_blocks() -> None:
    found = InteractionBlocks(Path("f"), WANTED)
    found.add(block(["b", "a"], [7, 5], [1, 2], ["seven", "five"]))
    found.add(block(["a", "c"], [5, 9], [3, 4], ["other", ""]))
    interactions, notes = found.interactions()
    assert notes == []
    assert interactions.user.tolist() == [0, 1, 1, 2]
    assert interactions.item.tolist() == [0, 1, 1, 2]
    assert (list(interactions.users), list(interactions.items)) == (["b", "a", "c"], ["7", "5", "9"])
    assert list(interactions.titles) == ["seven", "five", ""]
    assert interactions.time.tolist() == [1, 2, 3, 4]


def read(one: pa.RecordBatch) -> Interactions:
    found = InteractionBlocks(Path("f"), {"user": "u", "item": "i"})
    found.add(one)
    return found.interactions()[0]


@pytest.mark.parametrize(
    "users", [pa.array(["a", "b"]).dictionary_encode(), pa.array(["a", "b"], pa.large_string())]
)
def test_kinds_of_columns(users: pa.Array) -> None:
    interactions = read(pa.record_batch([users, pa.array([1.0, 2.0])], ["u", "i"]))
    assert (list(interactions.users), list(interactions.items)) == (["a", "b"], ["1", "2"])


@pytest.mark.parametrize(
    ("users", "sentence"),
    [
        (
            ["a", ""],
            rf"^f: {NONE}: more than 5 % are not dropped: fix or remove them, or name another column$",
        ),
        (["a", " "], NONE),
        (["a", None], NONE),
        ([1, None], NONE),
        ([1.0, None], NONE),
        ([1.0, float("nan")], NONE),
        (["a", "NaN"], NONE),
        (["None", "null"], r"^f: 2 of 2 rows have no user \(rows 1 and 2\): "),
        (["a", " n/a "], NONE),
        ([1.0, 2.5], r"^f, column 'u': expected whole numbers or names, but got '2.5' in row 2$"),
        ([[1], [2]], r"^f, column 'u': expected whole numbers or names, but its values are of type list"),
    ],
)
def test_users_that_are_none(users: list, sentence: str) -> None:
    with pytest.raises(BadData, match=sentence):
        read(pa.record_batch([pa.array(users), pa.array(["x", "y"])], ["u", "i"]))


def test_a_few_rows_without_a_user_or_an_item_are_dropped() -> None:
    users, items = [*"ab" * 20, "", "nan", "c"], [*"xy" * 20, "x", "none", None]
    one = pa.record_batch([pa.array(users), pa.array(items), pa.array(range(43))], ["u", "i", "t"])
    found = InteractionBlocks(Path("f"), {"user": "u", "item": "i", "time": "t"})
    found.add(one)
    with pytest.raises(
        BadData, match=r"^f: 2 of 43 rows have no user and 1 no item \(rows 41, 42 and 43\): more"
    ):
        found.interactions()
    few = InteractionBlocks(Path("f"), {"user": "u", "item": "i", "time": "t"})
    few.add(one[:40])
    few.add(one[:38])
    few.add(one[40:])
    interactions, notes = few.interactions()
    assert notes == ["2 of 81 rows had no user and 1 no item: dropped."]
    assert (list(interactions.users), list(interactions.items)) == (["a", "b"], ["x", "y"])
    assert interactions.time.tolist() == [*range(40), *range(38)]
    strict = InteractionBlocks(Path("f"), {"user": "u", "item": "i", "time": "t"}, strict=True)
    strict.add(one[:40])
    strict.add(one[:41])
    with pytest.raises(BadData, match=r"^f: 1 of 81 rows has no user \(row 81\): .* leave --strict out"):
        strict.interactions()


def test_a_name_that_no_row_has_is_not_missed() -> None:
    users = pa.DictionaryArray.from_arrays(pa.array([1, 2], pa.int32()), pa.array(["", "a", "b"]))
    assert read(pa.record_batch([users, pa.array(["x", "y"])], ["u", "i"])).user.tolist() == [1, 2]


def test_no_rows() -> None:
    with pytest.raises(
        BadData, match=r"^f has no rows: expected a table with a column of users and one of items"
    ):
        InteractionBlocks(Path("f"), {"user": "u", "item": "i"}).interactions()
