"""Small histories and files of interactions, for tests."""

from pathlib import Path

import torch

from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.named import NamedHistories
from holdfast.data.names import Names


def histories(lists: list[list[int]]) -> Histories:
    ids = torch.tensor([item for one in lists for item in one], dtype=torch.int32)
    return Histories(ids, torch.tensor([0, *map(len, lists)]).cumsum(0))


def named(lists: list[list[int]], items: int) -> NamedHistories:
    users = Names.of(f"u{number}" for number in range(len(lists)))
    return NamedHistories(histories(lists), users, Names.of(f"i{number + 1}" for number in range(items)))


def rows(users: int = 8, items: int = 12, each: int = 6) -> list[tuple[str, str, int]]:
    """Every user takes ``each`` items; later rows are earlier in time."""
    found = [(f"u{u}", f"i{(u + 2 * k) % items}", 1000 + 10 * k) for u in range(users) for k in range(each)]
    return found[::-1]


def put_csv(path: Path, lines: list[tuple], header: str = "user,item,time") -> Path:
    path.write_text(header + "\n" + "".join(",".join(map(str, line)) + "\n" for line in lines))
    return path


def names_of(data, row: int) -> list[str]:
    """The whole history of a user, by the names of the items."""
    return [data.items[item - 1] for item in data.histories.of(row).tolist()]
