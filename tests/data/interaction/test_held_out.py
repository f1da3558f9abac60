from dataclasses import replace

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Member
from holdfast.data.interaction.held_out import Holdout, held_out
from holdfast.testing.dataset import check_dataset
from tests.data.histories import named, names_of

LONG = [list(range(1, 9)), list(range(3, 12)), list(range(20, 26))]
lists = st.lists(st.lists(st.integers(1, 120), min_size=3, max_size=15), min_size=2, max_size=6).filter(
    lambda some: any(len(one) > 3 for one in some)
)


@example([[1, 1, 1], [1, 1, 1, 1]], 2, 1, "test")  # an item that repeats says little of its place
@given(lists, st.integers(1, 10), st.integers(1, 3), st.sampled_from(["test", "validation"]))
def test_every_promise_is_kept(some: list[list[int]], length: int, samples: int, item: str) -> None:
    check_dataset(held_out("x", named(some, 200), Holdout(length, samples, item)))


@given(st.lists(st.permutations(range(1, 13)), min_size=2, max_size=5))
def test_what_is_held_out_is_never_trained_on(some: list[list[int]]) -> None:
    data = held_out("x", named(some, 30), Holdout(4, 2))
    for epoch in range(3):
        batch = data.splits["train"].fresh(Member(0), epoch, 1, torch.device("cpu"))
        for row, (inputs, following) in enumerate(zip(batch.inputs, batch.following, strict=True)):
            assert not {*inputs.tolist(), *following.tolist()} & set(some[row // 2][-2:])


def test_the_test_can_ask_for_the_validation_item() -> None:
    usual, other = (
        held_out("x", named(LONG, 150), Holdout(5, holdout=item)) for item in ("test", "validation")
    )
    rows = torch.arange(3)
    assert usual.splits["test"].batch(rows).candidates[:, 0].tolist() == [8, 11, 25]
    assert other.splits["test"].batch(rows).candidates[:, 0].tolist() == [7, 10, 24]
    for name in ("inputs", "candidates"):
        same = [getattr(other.splits[split].batch(rows), name) for split in ("test", "validation")]
        assert torch.equal(*same)
        before = getattr(usual.splits["validation"].batch(rows), name)
        assert torch.equal(same[0], before)
    assert other.notes[-1].startswith("The test asks for the validation item, the last but one")


def test_few_users_have_more_windows() -> None:
    said = "As users are few, an epoch has 854 windows of each history (samples)."
    few = held_out("x", named(LONG, 150), Holdout())
    assert len(few.splits["train"]) == 3 * 854 >= 20 * 128
    assert said in few.notes
    two = held_out("x", named(LONG, 150), Holdout(samples=2))
    assert len(two.splits["train"]) == 3 * 2
    assert not [note for note in two.notes if "windows" in note]
    many = held_out("x", named([[1, 2, 3, 4, 5]] * 2561, 150), Holdout())
    assert len(many.splits["train"]) == 2561
    assert not [note for note in many.notes if "windows" in note]


def test_users_that_cannot_be_split_are_left_out() -> None:
    data = held_out("x", named([*LONG, [1], [2, 3]], 150), Holdout())
    assert list(data.users) == ["u0", "u1", "u2"]
    assert (
        data.notes[0]
        == "2 of 5 users have fewer than 3 interactions, which cannot be split: they are left out."
    )
    assert data.task.vocabulary == 151


def test_users_who_know_everything_are_left_out() -> None:
    everything = list(range(1, 26))
    data = held_out("x", named([*LONG, everything], 25), Holdout())
    assert list(data.users) == ["u0", "u1", "u2"]
    assert data.notes[0] == (
        "User 'u3' has touched all 25 items, so that none is left to tell from them, and is left out."
    )
    two = held_out("x", named([*LONG, everything, everything], 25), Holdout())
    assert two.notes[0].startswith("2 users ('u3' for one) have touched all 25 items")


def test_one_who_knows_almost_everything_does_not_make_it_easy_for_all() -> None:
    data = held_out("x", named([*LONG, list(range(1, 140))], 150), Holdout())
    assert list(data.users) == ["u0", "u1", "u2"]
    assert data.splits["test"].batch(torch.tensor([0])).candidates.shape == (1, 101)
    assert data.notes[0] == (
        "User 'u3' has fewer than 100 of 150 items left to tell from those touched, and is left out."
    )


def test_nor_does_one_where_items_are_few() -> None:
    data = held_out("x", named([*LONG, list(range(1, 48))], 49), Holdout())
    assert list(data.users) == ["u0", "u1", "u2"]
    assert data.splits["test"].batch(torch.tensor([0])).candidates.shape == (1, 41)
    assert data.notes[0] == (
        "User 'u3' has fewer than 20 of 49 items left to tell from those touched, and is left out."
    )


def test_of_two_users_both_stay() -> None:
    data = held_out("x", named([LONG[0], list(range(1, 140))], 150), Holdout())
    assert list(data.users) == ["u0", "u1"]
    assert data.splits["test"].batch(torch.tensor([0])).candidates.shape == (1, 12)


def test_a_single_user_is_named_before_anything_else() -> None:
    with pytest.raises(BadData, match="has a single user with a history"):
        held_out("x", named([list(range(1, 26))], 25), Holdout())


def test_few_items_are_few_candidates() -> None:
    data = held_out("x", named(LONG, 30), Holdout())
    assert data.splits["test"].batch(torch.tensor([0])).candidates.shape == (1, 22)
    assert "The true item is ranked among 22 instead of 101 candidates: some user has only 21 of the 30" in (
        " ".join(data.notes)
    )
    check_dataset(data)


def test_notes_of_what_is_cut_and_unseen() -> None:
    data = held_out("x", named(LONG, 25), Holdout(6, samples=1))
    assert data.notes[0] == "2 of 3 histories are longer than 6 items: a model sees the latest of them."
    assert data.notes[-1].startswith("12 of 25 items occur in no training history")
    lengths = [len(own) for own in LONG]
    for item, gone in (
        ("test", 1),
        ("validation", 2),
    ):  # what is asked for is no history, nor what came after
        edge = held_out("x", named(LONG, 25), Holdout(max(lengths) - gone, holdout=item))
        assert not any("longer than" in note for note in edge.notes)
        cut = held_out("x", named(LONG, 25), Holdout(max(lengths) - gone - 1, holdout=item))
        assert any("longer than" in note for note in cut.notes)


def test_a_limit_draws_users() -> None:
    some = [[user + 1, *range(50, 56)] for user in range(20)]
    data = held_out("x", named(some, 200), Holdout(limit=5))
    assert len(data.users) == 5
    assert data.notes[0] == "5 of 20 users are used, drawn at random."
    assert [names_of(data, row)[0] for row in range(5)] == [f"i{int(u[1:]) + 1}" for u in data.users]
    assert list(held_out("x", named(some, 200), Holdout(limit=5)).users) == list(data.users)
    assert len(held_out("x", named(some, 200), Holdout(limit=20)).users) == 20


@pytest.mark.parametrize(
    ("some", "items", "sentence"),
    [
        (
            [[1], [2, 3]],
            9,
            r"^'x': no user has 3 interactions or more: expected histories to train on, with an interaction",
        ),
        (
            [[1, 2, 3, 4], [5]],
            9,
            r"^'x' has a single user with a history \('u0'\): expected two or more, to learn",
        ),
        (
            [[1, 2, 3], [4, 5, 6]],
            9,
            r"^'x' has nothing to train on: expected users with 4 interactions or more$",
        ),
        (
            [[1, 2, 3, 4]] * 3,
            4,
            r"^'x': every user has touched all 4 items \(user 'u0' for one\), so no unseen item is left",
        ),
        (
            [[2, 1, 3, 5], *[[1, 2, 3, 4, 5]] * 2],
            5,
            r"^'x': every user but 'u0' has touched all 5 items \(user 'u1' for one\), so no unseen item",
        ),
    ],
)
def test_histories_that_cannot_be_used(some: list[list[int]], items: int, sentence: str) -> None:
    with pytest.raises(BadData, match=sentence):
        held_out("x", named(some, items), Holdout())


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"length": 0}, r"^expected length to be 1 or more, or all, but got 0$"),
        ({"length": "most"}, r"^expected length to be 1 or more, or all, but got most$"),
        ({"candidates": 0}, r"^expected candidates to be 1 or more, but got 0$"),
        ({"samples": 0}, r"^expected samples to be 1 or more, but got 0$"),
        ({"length": 10**9}, r"^expected length to be at most 10,000, but got 1,000,000,000$"),
        ({"samples": 10**30}, r"^expected samples to be at most 10,000, but got a much larger number$"),
        ({"holdout": "train"}, r"^expected holdout to be test or validation, but got 'train'$"),
        ({"limit": 1}, r"^expected limit to be 2 or more users, but got 1$"),
    ],
)
def test_settings(settings: dict, sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence):
        Holdout(**settings)


@given(lists, st.sampled_from(["test", "validation"]))
def test_whole_histories_are_never_cut(some: list[list[int]], item: str) -> None:
    data = held_out("x", named(some, 200), Holdout("all", 1, item))
    check_dataset(data)
    longest = max(map(len, some))
    assert data.task.length == longest
    assert not [note for note in data.notes if "sees the latest" in note]
    for name, back in (("validation", 2), ("test", 1 if item == "test" else 2)):
        split = data.splits[name]
        assert split.padded
        assert split.lengths.tolist() == [len(one) - back for one in some]
        for row, one in enumerate(some):
            assert data.history(row, name) == one[:-back]
        batch = split.batch(torch.arange(len(some)))
        assert batch.mask.shape[1] == longest - back
        assert batch.user.tolist() == list(range(len(some)))
        assert split.scored(torch.arange(len(some))).shape == (len(some), longest)


def test_a_history_that_is_too_long_to_see_whole() -> None:
    with pytest.raises(BadData) as caught:
        held_out("x", named([[1] * 10_001, [2, 3, 4, 5]], 200), Holdout("all"))
    assert str(caught.value) == (
        "'x': a history has 10,001 items, more than a model can see at once (10,000): expected shorter ones, "
        "or a number for --length"
    )


def test_the_true_item_is_ranked_among_as_many_as_are_asked_for() -> None:
    data = held_out("x", named(LONG, 150), Holdout(candidates=99))
    assert data.splits["test"].batch(torch.tensor([0])).candidates.shape == (1, 100)
    assert not [note for note in data.notes if "instead of" in note]
    check_dataset(data)


def test_items_that_somebody_chose_are_those_of_the_test_alone() -> None:
    others = torch.tensor([[30, 31], [32, 33], [34, 35]], dtype=torch.int32)
    data = held_out("x", replace(named([*LONG, [1]], 150), others=torch.cat([others, others[:1]])), Holdout())
    rows = torch.arange(3)
    assert data.splits["test"].batch(rows).candidates[:, 1:].tolist() == others.tolist()
    assert data.splits["validation"].batch(rows).candidates.shape == (3, 101)
