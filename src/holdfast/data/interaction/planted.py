"""Generated histories whose next item is caused by one known item.

There are series of two parts. Whoever takes the first part takes the second a few items later; which series a
user begins has nothing to do with taste. The other items are taste: most are of the user's two favourite
genres. No item comes twice. The last two items of every history are second parts, so that the one item that
causes each of them is known: its first part.

A model should see less of a history than there is: else the place of an item in its window tells how far
the end is, and the series that nobody has ended yet (their ends are held out) are all near it.
"""

from itertools import product

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.draws import uniform
from holdfast.core.errors import BadSetting
from holdfast.core.settings import at_most
from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.named import NamedHistories
from holdfast.data.names import Names
from holdfast.data.text.planted_words import words

GENRES = words("Adventure Comedy Crime Drama Fantasy History Mystery Nature Romance Travel")
ADJECTIVES = words(
    "Quiet Hidden Golden Broken Distant Silver Wandering Crimson Forgotten Gentle Hollow Winter "
    "Painted Restless Sleeping Amber Crooked Silent Burning Lonely"
)
NOUNS = words(
    "Harbour Orchard Lantern Bridge Garden River Tower Meadow Compass Island Clock Forest Letter "
    "Station Violin Mountain Mirror Window Valley Kite"
)
SERIES = 5  # one item in so many is a first part, and one its second
PAIRS = 8  # series that each user takes
TASTE = (8, 12)  # how many items of taste each user takes
LATER = 3  # how many items later a second part comes at most, about
FAVOURITE = 0.75
LEAST = 60  # items
MOST = 1_000_000  # users


def planted_histories(users: int, items: int, seed: int) -> NamedHistories:
    """Histories of so many users; ``items`` counts all of them, parts of series too.

    >>> made = planted_histories(users=50, items=140, seed=0)
    >>> made.titles[0], made.titles[28]
    ('The Quiet Harbour', 'Return to the Quiet Harbour')
    >>> int(made.causes["test"].sum())
    50
    """
    series, most = items // SERIES, len(ADJECTIVES) * len(NOUNS)
    if users < 2 or not LEAST <= items <= most:
        raise BadSetting(
            f"planted-plays: expected users to be 2 or more and items to be {LEAST} to {most}, "
            f"but got users={users} and items={items}"
        )
    at_most("planted-plays: expected users", users, MOST)
    rest = items - 2 * series
    first = uniform((users, series), None, "series", seed).argsort(1)[:, :PAIRS]
    chosen = torch.cat([first, series + first, 2 * series + _taste(users, rest, seed)], 1)
    times, lengths = _times(users, seed)
    order = times.argsort(1)
    inside = torch.arange(order.shape[1]) < lengths[:, None]
    ids = chosen.gather(1, order)[inside].int() + 1
    causes = {name: (order == pair)[inside] for pair, name in enumerate(("test", "validation"))}
    offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
    titles, genres = _titles(series, rest)
    return NamedHistories(
        Histories(ids, offsets),
        Names.of(str(user + 1) for user in range(users)),
        Names.of(f"i{item + 1}" for item in range(items)),
        Names.of(titles),
        Names.of(genres),
        causes,
        ("The histories are generated; which item causes the one that is asked for is known.",),
    )


def _taste(users: int, rest: int, seed: int) -> Int[Tensor, "U t"]:
    """Items of taste for each user, none twice: most of two genres."""
    genre = torch.arange(rest) % len(GENRES)
    favourites = uniform((users, len(GENRES)), None, "favourites", seed).argsort(1)[:, :2]
    liked = (genre == favourites[..., None]).any(1)
    among = liked.float().mean(1, keepdim=True)
    weight = torch.where(liked, FAVOURITE / among, (1 - FAVOURITE) / (1 - among))
    # a race between exponential clocks: a draw without putting back
    clocks = -torch.log1p(-uniform((users, rest), None, "taste", seed)) / weight
    return clocks.argsort(1)[:, : TASTE[1]]


def _times(users: int, seed: int) -> tuple[Float[Tensor, "U k"], Int[Tensor, "U"]]:
    """When each chosen item comes, and how many do; the first two series end in test and validation."""
    least, most = TASTE
    draws = uniform((users, 2 * PAIRS + most + 1), None, "times", seed)
    count = least + (draws[:, -1:] * (most - least + 1)).long()
    end = (count + 2 * PAIRS - 2).float()
    gap = 0.5 + draws[:, PAIRS : 2 * PAIRS] * (LATER - 0.5)
    begin = draws[:, :PAIRS] * (end - gap)
    begin[:, :2] = (end - gap)[:, :2]
    finish = begin + gap
    finish[:, :2] = end + torch.tensor([2.0, 1.0])
    taste = draws[:, 2 * PAIRS : -1] * end
    absent = torch.arange(most) >= count
    times = torch.cat([begin, finish, taste.masked_fill(absent, torch.inf)], 1)
    return times, count[:, 0] + 2 * PAIRS


def _titles(series: int, rest: int) -> tuple[list[str], list[str]]:
    pairs = [
        f"{ADJECTIVES[(a + n) % len(ADJECTIVES)]} {noun}"
        for a, (n, noun) in product(range(20), enumerate(NOUNS))
    ]
    stems, others = pairs[:series], pairs[series : series + rest]
    titles = [f"The {one}" for one in stems] + [f"Return to the {one}" for one in stems] + others
    genres = [GENRES[number % len(GENRES)] for number in range(series)]
    return titles, genres + genres + [GENRES[number % len(GENRES)] for number in range(rest)]
