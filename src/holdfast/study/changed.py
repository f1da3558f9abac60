"""What members say of perturbed examples."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.data.perturb.split import PerturbedSplit


@dataclass(frozen=True)
class Changed:
    """The perturbed examples, and every member's scores of them, by explainer."""

    split: PerturbedSplit
    scores: Mapping[str, Float[Tensor, "M K T"]]

    def only(self, members: Int[Tensor, "n"]) -> "Changed":
        """Those of some members, by their place."""
        return replace(self, scores={name: scores[members] for name, scores in self.scores.items()})

    def told(self, at: int, tokens: Sequence[str], name: Callable[[int], str]) -> str:
        """What became of the words or items of one example, in words; nothing where they stayed as they are,
        as under noise on their vectors. ``name`` gives the name of a number."""
        split, batch = self.split, self.split.base.batch(self.split.rows[at : at + 1], self._width)
        if torch.equal(split.inputs[at], batch.inputs[0]) and torch.equal(split.mask[at], batch.mask[0]):
            return ""
        parts = []
        for token, old in zip(tokens, batch.mask[0].nonzero()[:, 0].tolist(), strict=True):
            now = int(split.place[at, old])
            if bool(split.touched[at, old]):
                parts.append(_told(token, int(batch.inputs[0, old]), now, split.inputs[at].tolist(), name))
        return ", ".join(parts)

    @property
    def _width(self) -> int:
        return int(self.split.mask.shape[1])


def _told(token: str, number: int, now: int, inputs: list[int], name: Callable[[int], str]) -> str:
    if now < 0:
        return f"without “{token}”"
    if inputs[now] != number:
        return f"“{token}” → {name(inputs[now])}"
    return f"“{token}” twice" if now and inputs[now - 1] == number else f"“{token}” moved"
