"""What users thought of the items: how often each rating was given, and how items that they did not like rank
(Jain §3.1.8, Figure 3.5)."""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.interaction.ratings import DISLIKES, LIKED
from holdfast.measure.linked import examples_left, mean_over_both
from holdfast.measure.probes.moved import Moved
from holdfast.measure.ranking import candidate_ranks, hr, ndcg
from holdfast.measure.reduce import mean_over_members
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult

MOST = 20  # different ratings: more are not stars
BELOW, ABOVE = "below 3", "3 or more"
NAMES = {"hr@10": hr, "ndcg@10": ndcg}


def frequency_rows(family: FamilyResult) -> Iterator[Measurement]:
    """How often each rating was given, and how many test items were rated low and high."""
    ratings = InteractionDataset.narrow(family.dataset).histories.ratings
    row = Measurer(family).row
    if ratings is not None:
        known, counts = torch.unique(ratings[~ratings.isnan()], return_counts=True)
        for value, count in zip(known.tolist()[: MOST + 1], counts.tolist(), strict=False):
            if len(known) <= MOST:
                yield row("rating_count", float(count), by="rating", bin=f"{value:g}", at=value)
    for name, users in (groups(family) or {}).items():
        yield row("size", float(users.sum()), by="rated", bin=name)


def groups(family: FamilyResult) -> dict[str, Bool[Tensor, "N"]] | None:
    """The users whose test item they rated below 3 stars, and the others; None where nothing is rated."""
    given = test_ratings(family)
    return None if given is None else {BELOW: given < LIKED, ABOVE: given >= LIKED}


def test_ratings(family: FamilyResult) -> Float[Tensor, "N"] | None:
    """What each user gave for the test item; None where not all interactions are rated."""
    dataset = InteractionDataset.narrow(family.dataset)
    histories = dataset.histories
    if histories.ratings is None or not histories.rated:
        return None
    return histories.ratings[histories.ends - dataset.test.back]


def rated_rows(family: FamilyResult) -> Iterator[Measurement]:
    """Hit rate and NDCG of the users who rated their test item low and of the others, and how far apart they
    are (over seeds and users)."""
    users, row = groups(family), Measurer(family).row
    if users is None or not all(bool(some.any()) for some in users.values()):
        return
    ranks = candidate_ranks(family.probabilities, family.targets)
    keeps = examples_left(torch.arange(ranks.shape[1]))
    for name, number in NAMES.items():
        for group, some in users.items():
            yield row(name, mean_over_members(number(ranks[:, some])), by="rated", bin=group)
        apart = [
            number(ranks[:, users[ABOVE] & keep]) - number(ranks[:, users[BELOW] & keep]) for keep in keeps
        ]
        interval = mean_over_both(torch.stack(apart))
        if interval is not None:
            yield row(f"{name}_liked", interval)


def with_ratings(found: Moved, family: FamilyResult, rows: Int[Tensor, "K"]) -> Moved:
    """Of three classes, a true item that its user rated low is disliked, not liked."""
    given = None if family.dataset.task.classes or found.classes != 3 else test_ratings(family)
    if given is None:
        return found
    disliked = (found.truth == found.classes - 1) & (given[rows] < LIKED)
    return found._replace(truth=torch.where(disliked, DISLIKES, found.truth))
