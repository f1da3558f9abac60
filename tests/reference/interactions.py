"""Windows, negatives, filters and splits written naively: loops over lists."""

from collections import Counter


def aligned(items: list[int], length: int) -> list[int]:
    """The latest items, with zeros on the left."""
    latest = items[max(0, len(items) - length) :]
    return [0] * (length - len(latest)) + latest


def window(history: list[int], start: int, length: int) -> tuple[list[int], list[int]]:
    """Inputs and what follows each, of the window of ``length + 1`` training interactions from ``start``."""
    piece = history[:-2][start : start + length + 1]
    return aligned(piece[:-1], length), aligned(piece[1:], length)


def starts(history: list[int], length: int) -> list[int]:
    """Where a window may begin."""
    return list(range(max(1, len(history) - 2 - length)))


def untouched(items: int, touched: list[int]) -> list[int]:
    """The items that are not there, in order."""
    return [item for item in range(1, items + 1) if item not in touched]


def pair_rows(histories: list[list[int]], order: list[int], size: int) -> list[tuple[int, list[int]]]:
    """Each user with so many of the training items at a time, taken in this order of all of them."""
    pairs = [(user, item) for user, history in enumerate(histories) for item in history[:-2]]
    rows = []
    for user in range(len(histories)):
        own = [pairs[place][1] for place in order if pairs[place][0] == user]
        for first in range(0, len(own), size):
            some = own[first : first + size]
            rows.append((user, some + [0] * (size - len(some))))
    return rows


def negative(items: int, history: list[int], draw: float) -> int:
    """The item that a uniform number chooses among those that are not in the training history."""
    left = untouched(items, history[:-2])
    return left[int(draw * len(left))]


def floyd(size: int, draws: list[float]) -> list[int]:
    """Different numbers below ``size``: Floyd's algorithm as Bentley printed it."""
    chosen: list[int] = []
    for step, draw in enumerate(draws):
        top = size - len(draws) + step
        one = int(draw * (top + 1))
        chosen.append(top if one in chosen else one)
    return chosen


def once(rows: list[tuple[str, str]], least: int) -> list[tuple[str, str]]:
    """The rows whose user and item have so many in the whole."""
    users, items = Counter(user for user, _ in rows), Counter(item for _, item in rows)
    return [(user, item) for user, item in rows if users[user] >= least and items[item] >= least]


def core(rows: list[tuple[str, str]], least: int) -> list[tuple[str, str]]:
    """The same, until nothing changes."""
    while (left := once(rows, least)) != rows:
        rows = left
    return rows


def in_time(rows: list[tuple[str, str, float]]) -> dict[str, list[str]]:
    """Each user's items in the order of time, equal times as they lie."""
    found: dict[str, list[str]] = {}
    for user, _, _ in rows:
        found.setdefault(user, [])
    for user, own in found.items():
        mine = [(time, place, item) for place, (who, item, time) in enumerate(rows) if who == user]
        own += [item for _, _, item in sorted(mine, key=lambda row: row[:2])]
    return found


def tied_ends(rows):
    """Users whose two latest times are the same."""
    times = {}
    for user, _, time in rows:
        times.setdefault(user, []).append(time)
    return sum(len(own) > 1 and sorted(own)[-1] == sorted(own)[-2] for own in times.values())


def repeats(rows):
    """Which rows are the same as one before them."""
    return [row in rows[:place] for place, row in enumerate(rows)]
