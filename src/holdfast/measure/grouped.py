"""Values of members on groups of examples: what intervals over both are made of."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.measure.estimate import two_jackknives
from holdfast.measure.reduce import Interval

GROUPS = 10  # of the explained examples
GROUP = "group"  # measurements by it: ``bin`` is the group, ``n`` how many count


def mean_over_both(
    values: Float[Tensor, "M K"], known: Bool[Tensor, "M K"], group: Int[Tensor, "K"]
) -> Interval:
    """The mean over known examples, then over members, with the interval over members and examples."""
    sums, counts = in_groups(values, known, group)

    def mean(members: Bool[Tensor, "M"], groups: Bool[Tensor, "G"]) -> Float[Tensor, "1"]:
        total, count = (table[members][:, groups].sum(-1) for table in (sums, counts))
        return (total / count).nanmean(-1, keepdim=True)

    return two_jackknives(mean, *sums.shape).interval()


def in_groups(
    values: Float[Tensor, "M K"], known: Bool[Tensor, "M K"], group: Int[Tensor, "K"]
) -> tuple[Float[Tensor, "M G"], Float[Tensor, "M G"]]:
    """The sum of the known values in each group, and how many they are."""
    inside = torch.nn.functional.one_hot(group).double()
    return torch.where(known, values, 0.0).double() @ inside, known.double() @ inside
