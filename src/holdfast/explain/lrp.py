"""Layer-wise relevance propagation."""

from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.core.rules import Rules
from holdfast.explain.relevance import RuleExplainer
from holdfast.explain.rules.alpha_beta import AlphaBeta
from holdfast.explain.rules.epsilon import Epsilon
from holdfast.explain.rules.gamma import Gamma
from holdfast.explain.rules.taylor import Taylor
from holdfast.models.base import Model

Rule = Literal["auto", "alphabeta", "epsilon", "gamma"]


@dataclass(frozen=True)
class Lrp(RuleExplainer):
    """Relevance passed down layer by layer: αβ where states are behind ReLUs, ε where they are signed.

    ``rule`` chooses one for every model: ``alphabeta``, with α − β = 1 (Chormai (3.34)), ``epsilon`` (Bach et
    al. 2015) or ``gamma`` (Montavon et al. 2019); ``auto`` is αβ for any model where α and β are given.
    Pixels are signed inputs like any other; gates and attention weights are constants (Arras et al. 2017).

    >>> Lrp(rule="epsilon", epsilon=0.01).conserves
    True
    """

    rule: Rule = "auto"
    alpha: float = 1.5
    beta: float = 0.5
    epsilon: float = 1e-6
    gamma: float = 0.25

    def __post_init__(self) -> None:
        if self.rule not in get_args(Rule):
            raise BadSetting(
                f"lrp: expected rule to be auto, alphabeta, epsilon or gamma, but got {self.rule}"
            )
        for field in ("beta", "epsilon", "gamma"):
            if not 0.0 <= getattr(self, field) < float("inf"):
                raise BadSetting(f"lrp: expected {field} to be at least 0, but got {getattr(self, field)}")
        if not abs(self.alpha - self.beta - 1.0) < 1e-9:
            raise BadSetting(
                f"lrp: expected alpha − beta to be 1, but got {self.alpha} − {self.beta}: "
                f"take alpha={self.beta + 1.0:g} with beta={self.beta:g}"
            )

    def suited(self, model: Model) -> Self:
        """With the rule for this model: among signed states sums cancel, and αβ amplifies both sides."""
        if self.rule != "auto":
            return self
        signed = model.domain == "signed" and self.beta == Lrp.beta
        return replace(self, rule="epsilon" if signed else "alphabeta")

    def rules(self, batch: Batch, embedded: Tensor) -> Rules:
        """The rule for every layer; ``auto`` that does not know the model is αβ."""
        if self.rule == "epsilon":
            return Epsilon(self.epsilon)
        if self.rule == "gamma":
            return Gamma(self.gamma)
        # with β = 0 only the parts that have the sign of their sum count, which is cheaper to compute
        return AlphaBeta(self.beta) if self.beta else Taylor("zplus")
