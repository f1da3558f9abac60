"""A module with freshly drawn numbers: every layer that knows how to reset itself does."""

import copy
from collections.abc import Iterator

from torch import nn

RESETS = ("reset_parameters", "_reset_parameters")  # the second is nn.MultiheadAttention's


def redrawn(module: nn.Module) -> nn.Module:
    """A copy; draws from torch's global generator."""
    own = copy.deepcopy(module)
    for part in own.modules():
        for reset in _resets(part):
            getattr(part, reset)()
    return own


def undrawn(module: nn.Module) -> list[str]:
    """The parameters that no layer resets, by their names.

    >>> class Own(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.weight, self.head = nn.Parameter(torch.ones(2)), nn.Linear(2, 1)
    >>> undrawn(Own())
    ['weight']
    """
    drawn = {id(one) for part in module.modules() if any(_resets(part)) for one in part.parameters()}
    return [name for name, one in module.named_parameters() if id(one) not in drawn]


def _resets(part: nn.Module) -> Iterator[str]:
    return (name for name in RESETS if callable(getattr(part, name, None)))
