from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.interaction.columns import Roles, looks_like

FILE = Path("plays.csv")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["user", "item", "time"], ("user", "item", "time")),
        (["userId", "movieId", "rating", "timestamp"], ("userId", "movieId", "timestamp")),
        (["user_id:token", "artist_id:token"], ("user_id:token", "artist_id:token", None)),
        (["Customer ID", "product_id", "Date"], ("Customer ID", "product_id", "Date")),
        (["item", "item_id", "user"], ("user", "item", None)),
    ],
)
def test_guesses(names: list[str], found: tuple) -> None:
    chosen, notes = Roles().choose(FILE, names)
    assert (chosen.user, chosen.item, chosen.time) == found
    assert notes[0].startswith("The users are column")
    assert len(notes) == 1 + (found[2] is None) + ("rating" in names)


SAID = (
    "Every row is an interaction; ratings (column '{}') only count for models that tell what users liked "
    "from what they did not."
)


def test_titles_are_found_and_ratings_said() -> None:
    chosen, notes = Roles("u", "i", "t", "stars").choose(FILE, ["u", "i", "t", "stars", "title", "genres"])
    assert (chosen.title, chosen.genres, chosen.rating) == ("title", "genres", "stars")
    assert notes == [SAID.format("stars")]


def test_ratings_that_nobody_named_are_said_too() -> None:
    chosen, notes = Roles().choose(FILE, ["USER_ID", "Item", "TimeStamp", "Rating", "score"])
    assert (chosen.user, chosen.item, chosen.time, chosen.rating) == (
        "USER_ID",
        "Item",
        "TimeStamp",
        "Rating",
    )
    assert notes[1:] == [SAID.format("Rating")]


@pytest.mark.parametrize(
    ("roles", "names", "sentence"),
    [
        (
            Roles(user="who"),
            ["user", "item"],
            r"has no column 'who' for --user: its columns are user and item",
        ),
        (
            Roles(),
            ["a", "b"],
            r"^cannot tell which columns of plays.csv hold the users and the items: name them",
        ),
        (
            Roles(),
            ["user", "movie_id", "product_id"],
            r"'movie_id' or 'product_id' could be the items: name the",
        ),
        (
            Roles(),
            ["user", "item", "date", "timestamp"],
            r"'date' or 'timestamp' could be the times: name the",
        ),
        (
            Roles("user", "user"),
            ["user", "item"],
            r"expected different columns for --user, --item, --time and",
        ),
    ],
)
def test_choices_that_cannot_be_made(roles: Roles, names: list[str], sentence: str) -> None:
    with pytest.raises(BadData, match=sentence):
        roles.choose(FILE, names)


def test_what_looks_like_interactions() -> None:
    assert looks_like(["userId", "movieId", "rating"])
    assert not looks_like(["user", "text", "label"])
