"""Do members name the same strongest position?"""

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.records import Explanation
from holdfast.measure.pairing import Pairs, pairs_of
from holdfast.measure.reduce import Interval, over_pairs


def strongest(explanation: Explanation) -> Int[Tensor, "M B"]:
    """Each member's position of the largest absolute score, the first of equal ones."""
    return torch.where(explanation.mask, explanation.scores.abs(), -1.0).argmax(-1)


def same_strongest(explanation: Explanation) -> Interval | None:
    """The share of pairs of members that name the same one, of examples with two positions or more; None
    where there are none, or a single member.

    >>> from holdfast.core.records import Member
    >>> scores = torch.tensor([[[3.0, 1.0]], [[2.0, 1.0]], [[0.0, -5.0]]])
    >>> about = (scores[0] < 9, torch.tensor([0]), (Member(0), Member(1), Member(2)), "mine", True)
    >>> round(same_strongest(Explanation(scores, *about)).value, 3)
    0.333
    """
    several = explanation.mask.sum(-1) > 1
    if not several.any() or len(explanation.members) < 2:
        return None
    left, right = pairs_of(explanation)
    places = strongest(explanation)
    same = (places[left] == places[right]).double()
    return over_pairs(Pairs(same, left, right, len(explanation.members)), several).within(0.0, 1.0)


def most_named(explanation: Explanation, instance: int) -> tuple[int, int]:
    """The position that most members name as the strongest, counted among those that exist (the first of
    equal ones), and how many do."""
    mask = explanation.mask[instance]
    counts = strongest(explanation)[:, instance].bincount(minlength=len(mask))
    place = int(counts.argmax())
    return int(mask[:place].sum()), int(counts[place])
