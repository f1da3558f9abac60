import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.data.interaction.planted import LATER, SERIES, planted_histories


def test_the_cause_is_the_first_part() -> None:
    made = planted_histories(200, 140, 0)
    series = 140 // SERIES
    for user in range(200):
        low, high = int(made.histories.offsets[user]), int(made.histories.offsets[user + 1])
        items = made.histories.of(user).tolist()
        assert len(set(items)) == len(items), "an item comes twice"
        for back, name in ((1, "test"), (2, "validation")):
            marked = made.causes[name][low:high].nonzero()[:, 0].tolist()
            (place,) = marked
            assert items[place] == items[-back] - series
            assert made.titles[items[-back] - 1] == made.titles[items[place] - 1].replace(
                "The", "Return to the"
            )
            assert place < len(items) - 2
            assert len(items) - place <= 4 * LATER, "the cause is too far away to be seen"


def test_whoever_takes_the_first_part_takes_the_second() -> None:
    made = planted_histories(100, 140, 1)
    series = 140 // SERIES
    for user in range(100):
        items = made.histories.of(user).tolist()
        for place, item in enumerate(items):
            if item <= series:
                assert item + series in items[place + 1 :]


def test_taste_says_nothing_of_series() -> None:
    made = planted_histories(2000, 140, 0)
    last = made.histories.ids[made.histories.ends - 1].long()
    counts = last.bincount(minlength=57)[29:57]
    assert counts.sum() == 2000
    assert float(counts.float().std() / counts.float().mean()) < 0.2


def test_names_and_seeds() -> None:
    made, other = planted_histories(20, 140, 0), planted_histories(20, 140, 1)
    assert len(set(made.titles)) == 140
    assert not torch.equal(made.histories.ids[:100], other.histories.ids[:100])
    assert torch.equal(made.histories.ids, planted_histories(20, 140, 0).histories.ids)
    assert made.genres[0] == "Adventure"


def test_sizes_that_cannot_be() -> None:
    for users, items in ((1, 140), (10, 59), (10, 401)):
        with pytest.raises(
            BadSetting, match=r"^planted-plays: expected users to be 2 or more and items to be 60"
        ):
            planted_histories(users, items, 0)
    assert len(planted_histories(2, 60, 0).items) == 60
    assert len(set(planted_histories(2, 400, 0).titles)) == 400
