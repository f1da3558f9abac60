"""Which column of a file of interactions holds what."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from holdfast.core.errors import BadData
from holdfast.data.reading import listed, shown

USER = ("user", "userid", "uid", "customer", "customerid", "reviewer", "reviewerid", "visitorid", "sessionid")
# fmt: off
ITEM = (
    "item", "itemid", "iid", "movie", "movieid", "product", "productid", "asin", "parentasin", "artist",
    "artistid", "track", "trackid", "song", "songid", "book", "bookid", "game", "gameid", "businessid",
)
# fmt: on
TIME = ("time", "timestamp", "date", "datetime", "unixtime", "unixreviewtime", "createdat", "ts")
RATING = ("rating", "ratings", "stars", "score")
TITLE = ("title", "itemtitle", "movietitle", "producttitle")
GENRES = ("genres", "genre", "categories", "category")


@dataclass(frozen=True)
class Roles:
    """The columns of users, items, times and ratings; ``None`` is guessed by name (and may be absent, but for
    the first two). ``title`` and ``genres`` are only guessed.

    >>> chosen, notes = Roles(item="film").choose(Path("plays.csv"), ["userId", "film", "date"])
    >>> chosen.user, chosen.item, chosen.time, notes[0]
    ('userId', 'film', 'date', "The users are column 'userId', the times column 'date', by their names.")
    """

    user: str | None = None
    item: str | None = None
    time: str | None = None
    rating: str | None = None
    title: str | None = None
    genres: str | None = None

    def choose(self, path: Path, names: Sequence[str]) -> tuple["Roles", list[str]]:
        """The column of each role among these names, and what a reader must know of the choice."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        for option, name in given.items():
            if name is not None and name not in names:
                raise BadData(
                    f"{path} has no column {shown(name)} for --{option}: its columns are {listed(names)}"
                    f"{_other_separator(names)}"
                )
        used = [name for name in given.values() if name is not None]
        if len(set(used)) < len(used):
            raise BadData(f"{path}: expected different columns for --user, --item, --time and --rating")
        plausible = {"user": USER, "item": ITEM, "time": TIME, "rating": RATING}
        plausible |= {"title": TITLE, "genres": GENRES}
        columns = {
            role: given[role] or _guess(path, role, [n for n in names if n not in used], plausible[role])
            for role in plausible
        }
        if columns["user"] is None or columns["item"] is None:
            raise BadData(
                f"cannot tell which columns of {path} hold the users and the items: "
                f"name them with --user and --item (its columns are {listed(names)}{_other_separator(names)})"
            )
        chosen = Roles(**columns)
        return chosen, _notes(chosen, given)


def looks_like(names: Sequence[str]) -> bool:
    """Whether these are columns of interactions.

    >>> looks_like(["user_id:token", "item_id:token"]), looks_like(["text", "label"])
    (True, False)
    """
    plain = {_plain(name) for name in names}
    return bool(plain & set(USER)) and bool(plain & set(ITEM))


def _other_separator(names: Sequence[str]) -> str:
    """What to do about a table that seems to be cut by something else than it is read by.

    >>> _other_separator(["user;item"]), _other_separator(["user", "item"])
    ("; it seems to be separated by ';': expected commas in a .csv and tabs in a .tsv", '')
    """
    for mark in "\t;|,":
        if len(names) == 1 and mark in names[0]:
            return f"; it seems to be separated by {mark!r}: expected commas in a .csv and tabs in a .tsv"
    return ""


def _guess(path: Path, role: str, names: Sequence[str], plausible: Sequence[str]) -> str | None:
    matches = [name for name in names if _plain(name) == plausible[0]]
    matches = matches or [name for name in names if _plain(name) in plausible]
    if len(matches) > 1 and role in ("user", "item", "time"):
        raise BadData(
            f"{path}: {listed(map(shown, matches), 'or')} could be the {role}s: name the column with --{role}"
        )
    return matches[0] if matches else None


def _plain(name: str) -> str:
    """``user_id:token`` → ``userid``."""
    return "".join(character for character in name.partition(":")[0].lower() if character.isalnum())


def _notes(chosen: Roles, given: dict[str, str | None]) -> list[str]:
    guessed = {
        role: name
        for role in ("user", "item", "time")
        if (name := getattr(chosen, role)) is not None and given[role] is None
    }
    words = ", ".join(f"the {role}s column {shown(name)}" for role, name in guessed.items())
    notes = (
        [f"{words[0].upper()}{words[1:]}, by their names.".replace("s column", "s are column", 1)]
        if words
        else []
    )
    if chosen.time is None:
        notes.append("There is no column of times: the order of the rows is taken for the order of time.")
    if chosen.rating is not None:
        notes.append(
            f"Every row is an interaction; ratings (column {shown(chosen.rating)}) only count for models "
            "that tell what users liked from what they did not."
        )
    return notes
