"""A control: the same weight on every position."""

from dataclasses import dataclass
from typing import ClassVar

import torch

from holdfast.core.errors import BadSetting
from holdfast.models.base import Model
from holdfast.train.repair import Repair, Tensors


@dataclass(frozen=True)
class EvenAttention(Repair):
    """Train with even attention: every position counts the same, from the first step to the last (Wiegreffe &
    Pinter 2019). If accuracy does not fall, attention is not needed for the task.

    What makes the scores is 0 and stays so. Only for models whose one map pools the states.
    """

    freezes_attention: ClassVar[bool] = True

    def first(self, parameters: Tensors, model: Model) -> Tensors:
        """All scores 0."""
        if not model.pools:
            raise BadSetting(
                "even_attention: expected a model whose one attention map pools its states, as cnn, "
                "but got another"
            )
        zero = {name: torch.zeros_like(parameters[name]) for name in model.attention_names}
        return parameters | zero
