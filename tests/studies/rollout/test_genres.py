from dataclasses import replace

import pytest
import torch

from holdfast.data.names import Names
from holdfast.measure.between_groups import attention_between, over_groups, sequences
from holdfast.studies.rollout import genres as rollout_genres
from holdfast.studies.rollout.family import family_of
from holdfast.studies.rollout.genres import GENRES, genre_rows, items_of
from holdfast.studies.rollout.names import Shape
from tests.study.rollout_families import dataset, family

ONE = Shape("sasrec", 1, 1)


def with_genres(every=4):
    """Items take turns; one in eleven has two of the genres, and so none."""
    count = dataset().task.vocabulary - 1
    texts = [f"{GENRES[n % every]}|Drama" if n % 11 else "Horror|Romance" for n in range(count)]
    return replace(family(), dataset=replace(dataset(), all_genres=Names.of(texts)))


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(rollout_genres, "SEQUENCES", {"cpu": 20})
    monkeypatch.setattr(rollout_genres, "AT_ONCE", 10)


def test_items_of_one_genre_each():
    found = items_of(with_genres())
    assert len(found) == 4
    assert not set(found[0].tolist()) & set(found[1].tolist())
    assert 1 not in torch.cat(found).tolist()


def test_every_genre_asks_every_genre_in_both_orders():
    rows = list(genre_rows(with_genres(), ONE))
    table = [r for r in rows if r.by == "genre"]
    assert len(table) == 2 * 16
    for quantity in ("genres", "genres_mixed"):
        for query in GENRES:
            line = [r.value for r in table if r.quantity == quantity and r.bin.startswith(f"{query}/")]
            assert sum(line) == pytest.approx(4.0, rel=1e-4)  # weights add up to 1, four genres alike
    assert [r.quantity for r in rows if r.by == "all"] == ["genres_within", "genres_mixed_within"]


def test_the_table_is_that_of_the_members():
    own = with_genres()
    rows = list(genre_rows(own, ONE))
    known, run = items_of(own), family_of(own).run(0)
    parts = []
    for part in range(2):
        (a, one), (b, other) = (sequences(known, 3, 10, f"{side} {part}") for side in ("query", "key"))
        parts.append(over_groups(attention_between(run, a, b).weights, one, other, 4) * 12)
    members = [r for r in rows if (r.quantity, r.bin) == ("genres", "Sci-Fi/Horror")]
    ends = members[0].low, members[0].high
    assert ends[0] < (parts[0] + parts[1])[0, 3].item() / 2 < ends[1]


def test_where_genres_are_not_known_nothing_is_measured():
    assert items_of(family()) is None
    assert list(genre_rows(family(), ONE)) == []
    assert items_of(with_genres(every=3)) is None
    assert list(genre_rows(with_genres(), Shape("sasrec", 2, 1))) == []
