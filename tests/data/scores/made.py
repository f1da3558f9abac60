"""Scores as somebody might bring them."""

from typing import Any, NamedTuple

import numpy as np


class Made(NamedTuple):
    """Scores of members that agree but for their noise, and models that are their sums."""

    scores: np.ndarray
    probabilities: np.ndarray
    labels: np.ndarray
    untrained: np.ndarray

    def predict(self, keep: np.ndarray) -> np.ndarray:
        """The probability of the second class, from the positions that are left in."""
        return 1 / (1 + np.exp(-(self.scores * keep).sum(-1)))

    @property
    def all(self) -> dict[str, Any]:
        """Everything that can be given in a file."""
        return {**self._asdict(), "target": 1}


def made(members: int = 10, examples: int = 120, positions: int = 6, noise: float = 0.15) -> Made:
    """The signal is normal, the label its sign."""
    dice = np.random.default_rng(0)
    signal = dice.normal(size=(examples, positions))
    scores = signal + noise * dice.normal(size=(members, examples, positions))
    odds = 1 / (1 + np.exp(-scores.sum(-1)))
    drawn = (dice.random(examples) < 1 / (1 + np.exp(-signal.sum(-1)))).astype(int)
    return Made(scores, odds, drawn, dice.normal(size=(3, examples, positions)))
