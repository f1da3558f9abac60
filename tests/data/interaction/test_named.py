import torch

from holdfast.data.interaction.filters import Filter
from holdfast.data.interaction.named import named_histories
from tests.data.histories import named
from tests.data.interaction.test_interactions import interactions


def test_some_users() -> None:
    some = named([[1, 2], [3], [2, 1]], 3)
    left = some.keep(torch.tensor([True, False, True]), "One user is left out.")
    assert [left.histories.of(user).tolist() for user in range(2)] == [[1, 2], [2, 1]]
    assert list(left.users) == ["u0", "u2"]
    assert len(left.items) == 3
    assert left.notes == ("One user is left out.",)


def test_marks_stay_beside_their_actions() -> None:
    some = named([[1, 2], [3], [2, 1]], 3)
    marked = type(some)(
        some.histories, some.users, some.items, causes={"test": torch.tensor([1, 0, 1, 0, 1]).bool()}
    )
    left = marked.keep(torch.tensor([False, True, True]), "note")
    assert left.causes["test"].tolist() == [True, False, True]


def test_of_a_file() -> None:
    rows = [("a", "x", 2), ("a", "y", 1), ("b", "x", 1)]
    whole = named_histories(interactions(rows), Filter("none"), "f", ["Read."])
    assert whole.notes == ("Read.", "There are 2 users, 2 items and 3 interactions.")
    assert whole.histories.of(0).tolist() == [2, 1]
    twice = named_histories(interactions([*rows, *rows]), Filter("none"), "f")
    assert twice.notes[0] == (
        "3 rows repeat another (user, item and time): each counts as an interaction of its own."
    )
    assert len(twice.histories.ids) == 6
    assert twice.notes[2:] == (
        "The last two interactions of 2 of 2 users (100 %) share a time: which of them is the last is "
        "the order of rows.",
    )
    plain = named_histories(interactions([*rows, *rows]), Filter("none"), "f", repeats="drop")
    assert plain.notes == (
        "3 rows repeat another (user, item and time): dropped.",
        "There are 2 users, 2 items and 3 interactions.",
    )
    assert plain.histories.ids.tolist() == whole.histories.ids.tolist()
    thin = named_histories(interactions(rows), Filter("once", 2), "f")
    assert "1 of 2 users" in thin.notes[0]
