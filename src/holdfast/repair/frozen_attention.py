"""A control: attention as it was drawn."""

from dataclasses import dataclass
from typing import ClassVar

from holdfast.models.base import Architecture
from holdfast.repair.adversary import check_attends
from holdfast.train.repair import Repair, Teacher


@dataclass(frozen=True)
class FrozenAttention(Repair):
    """Train everything but what makes the attention maps, which stays as it was drawn (Wiegreffe & Pinter
    2019): if accuracy does not fall, the model did not need to learn where to attend.

    In self-attention Q, K and V are one tensor, so that the values stay too.
    """

    freezes_attention: ClassVar[bool] = True

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """None; a model without attention that is known has nothing to freeze, and is refused."""
        check_attends(self, model)
        return {}
