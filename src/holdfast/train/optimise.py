"""Optimisers: settings from which torch's own fused optimisers are made.

Every update is elementwise, so one optimiser over stacked parameters is one optimiser per member.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from holdfast.core.errors import BadSetting
from holdfast.core.settings import name_of

Groups = list[dict[str, Any]]


class Optimiser(ABC):
    """Settings of an optimiser; ``lr`` is constant but for what a repair asks."""

    lr: float
    weight_decay: float

    def __post_init__(self) -> None:
        self._expect("lr", 0 < self.lr < math.inf, "above 0 and finite")
        self._expect("weight_decay", 0 <= self.weight_decay < math.inf, "0 or more and finite")

    def _expect(self, field: str, fine: bool, wanted: str) -> None:
        if not fine:  # so that "not a number" is refused as well
            came = getattr(self, field)
            raise BadSetting(f"{name_of(type(self))}: expected {field} to be {wanted}, but got {came}")

    @abstractmethod
    def over(self, groups: Groups) -> Optimizer:
        """The optimiser over these parameter groups."""


@dataclass(frozen=True)
class Adam(Optimiser):
    """Adam (Kingma & Ba), fused; the lineage's code sets ``amsgrad``."""

    lr: float = 1e-3
    weight_decay: float = 1e-5
    beta1: float = 0.9
    beta2: float = 0.999
    amsgrad: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("beta1", "beta2"):
            self._expect(field, 0 <= getattr(self, field) < 1, "at least 0 and below 1")

    def over(self, groups: Groups) -> Optimizer:
        """Fused on either device; capturable where a CUDA graph will hold it."""
        on_gpu = any(p.is_cuda for group in groups for p in group["params"])
        return torch.optim.Adam(
            groups,
            lr=self.lr,
            betas=(self.beta1, self.beta2),
            amsgrad=self.amsgrad,
            fused=True,
            capturable=on_gpu,
        )


@dataclass(frozen=True)
class Sgd(Optimiser):
    """Stochastic gradient descent with momentum, fused."""

    lr: float = 0.1
    weight_decay: float = 1e-5
    momentum: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect("momentum", 0 <= self.momentum < 1, "at least 0 and below 1")

    def over(self, groups: Groups) -> Optimizer:
        """Fused on either device."""
        return torch.optim.SGD(groups, lr=self.lr, momentum=self.momentum, fused=True)


@dataclass(frozen=True)
class Adagrad(Optimiser):
    """Adagrad (Duchi et al.)."""

    lr: float = 1e-2
    weight_decay: float = 1e-5

    def over(self, groups: Groups) -> Optimizer:
        """Fused on the CPU; on a GPU torch offers the multi-tensor form."""
        on_gpu = any(p.is_cuda for group in groups for p in group["params"])
        return torch.optim.Adagrad(groups, lr=self.lr, foreach=on_gpu, fused=not on_gpu)


def groups_of(parameters: dict[str, Tensor], optimiser: Optimiser, decay_embeddings: bool) -> Groups:
    """Parameter groups: embeddings are left out of weight decay.

    Otherwise a word that is never seen shrinks to nothing and its pre-trained vector is lost.
    """
    both = decay_embeddings or optimiser.weight_decay == 0.0  # one group is one call of the fused update
    spared = {name: "embedding" in name and not both for name in parameters}
    rest = [p for name, p in parameters.items() if not spared[name]]
    kept = [p for name, p in parameters.items() if spared[name]]
    groups = [{"params": rest, "weight_decay": optimiser.weight_decay}, {"params": kept, "weight_decay": 0.0}]
    return [group for group in groups if group["params"]]


def set_rate(optimizer: Optimizer, rate: float) -> None:
    """Give every group the same learning rate."""
    for group in optimizer.param_groups:
        group["lr"] = rate
