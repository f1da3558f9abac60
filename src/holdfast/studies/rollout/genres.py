"""Attention between genres: does a model attend within what it was never told of (Baumhauer §4.2.3)?

The document lays fifty movies of each of four genres one after the other, and sees stripes. As every genre
then always has the same positions, stripes may be of positions alone: so the same is measured with the movies
mixed, where only what an item is can make a difference.
"""

from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.measure.between_groups import attention_between, over_groups, sequences
from holdfast.measure.reduce import mean_over_members
from holdfast.models.run import Run
from holdfast.studies.rollout.names import Shape
from holdfast.studies.rollout.numbers import row
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult, family_of

GENRES = ("Sci-Fi", "Romance", "Animation", "Horror")
SEQUENCES, AT_ONCE = {"cpu": 400, "cuda": 10_000}, 100
ORDERS = {"genres": False, "genres_mixed": True}  # whether the movies are mixed


def genre_rows(family: FamilyResult, shape: Shape) -> Iterator[Measurement]:
    """For each genre of the query and of the key (``bin``: ``Romance/Horror``) the mean weight, times the
    length, so that 1 is even attention; of SASRec with one block, where genres are known."""
    known = items_of(family)
    if shape != Shape("sasrec", 1, 1) or known is None:
        return
    length = family.dataset.task.length or 0
    each, trained = length // len(GENRES), family_of(family)
    runs = [trained.run(number) for number in range(len(trained))]
    for quantity, shuffled in ORDERS.items():
        tables = _tables(runs, known, each, shuffled, family.device)
        for one, query in enumerate(GENRES):
            for other, key in enumerate(GENRES):
                value = mean_over_members(tables[:, one, other])
                yield row(family, quantity, value, by="genre", bin=f"{query}/{key}")
        within = tables.diagonal(dim1=1, dim2=2).mean(1)
        across = (tables.sum((1, 2)) - within * len(GENRES)) / (len(GENRES) * (len(GENRES) - 1))
        yield row(family, f"{quantity}_within", mean_over_members(within - across))


def items_of(family: FamilyResult) -> list[Int[Tensor, "n"]] | None:
    """The items of each genre, and of no other of the four; None where one has too few for a sequence."""
    dataset = InteractionDataset.narrow(family.dataset)
    items_by_genre: dict[str, list[int]] = {name: [] for name in GENRES}
    for item in range(1, dataset.task.vocabulary):
        mine = set(dataset.genres(item)) & set(GENRES)
        if len(mine) == 1:
            items_by_genre[mine.pop()].append(item)
    each = (dataset.task.length or 0) // len(GENRES)
    if each < 1 or any(len(items) < each for items in items_by_genre.values()):
        return None
    return [torch.tensor(items_by_genre[name]) for name in GENRES]


def _tables(
    runs: list[Run], known: list[Int[Tensor, "n"]], each: int, shuffled: bool, device: str
) -> Float[Tensor, "M G G"]:
    """The mean over pairs of sequences, of queries and of keys; the same for all runs."""
    count = SEQUENCES[torch.device(device).type]
    total = torch.zeros(len(runs), len(known), len(known), dtype=torch.double)
    for part in range(count // AT_ONCE):
        (queries, one), (keys, other) = (
            sequences(known, each, AT_ONCE, f"{side} {part}", shuffled) for side in ("query", "key")
        )
        queries, keys, one, other = (tensor.to(device) for tensor in (queries, keys, one, other))
        for number, run in enumerate(runs):
            attention = attention_between(run, queries, keys).weights
            total[number] += over_groups(attention, one, other, len(known)).cpu()
    return total / (count // AT_ONCE) * each * len(known)
