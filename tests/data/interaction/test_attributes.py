"""Genres and ages as groups."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.interaction.attributes import Attribute, ages, genres
from holdfast.data.names import Names
from holdfast.data.source import Source, load


def dataset():
    return load(Source("planted-plays:users=20,length=12"))


def test_genres_and_ages_of_a_data_set():
    data = dataset()
    kinds = ["Drama|Horror", "", *["Horror"] * (len(data.items) - 2)]
    told = replace(data, all_genres=Names.of(kinds), ages=torch.full((len(data.users),), 25))
    found = genres(told)
    assert found.groups == ("Drama", "Horror")
    assert found.inside[:3].tolist() == [[True, True], [False, False], [False, True]]
    assert found.only("Horror", "Drama").inside.sum(0).tolist() == [len(kinds) - 2, 0]
    old = ages(told)
    assert old.groups == (
        "under 18",
        "18 to 24",
        "25 to 34",
        "35 to 44",
        "45 to 49",
        "50 to 55",
        "56 and over",
    )
    assert old.inside.sum(0).tolist() == [0, 0, len(data.users), 0, 0, 0, 0]


def test_what_is_not_known_is_refused():
    with pytest.raises(BadData, match="does not say what its items are"):
        genres(replace(dataset(), all_genres=None))
    with pytest.raises(BadData, match="does not say how old its users are"):
        ages(replace(dataset(), ages=None))
    with pytest.raises(BadSetting, match=r"^kind: expected one of a, b, but got 'c'$"):
        Attribute.of("kind", [["a"], ["b"]]).only("a", "c")
