"""Relevance: input × gradient of a network that rules have rewritten (Chormai §3.2)."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch, register
from holdfast.core.rules import Rules
from holdfast.explain.base import Explainer, place
from holdfast.explain.coverage import covered
from holdfast.explain.slope import ascend, ruled
from holdfast.models.base import Run


@register
@dataclass(frozen=True)
class Relevance:
    """Scores, what they share out, and how much of it never reached the input: Σ scores + lost = evidence."""

    scores: Float[Tensor, "*shape"]
    lost: Float[Tensor, "*M B"]
    evidence: Float[Tensor, "*M B"]


class RuleExplainer(Explainer):
    """An explainer by rules. What it explains is the evidence for the target class by itself."""

    signed: ClassVar[bool] = True
    conserves: ClassVar[bool] = True

    @abstractmethod
    def rules(self, batch: Batch, embedded: Tensor) -> Rules:
        """The rules for this input, made anew for each call."""

    def leaves(self, batch: Batch, embedded: Tensor) -> Tensor:
        """What the rewritten network reads: the input, under a leading axis if the rules want one."""
        return embedded

    def relevance(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> Relevance:
        """The scores, and how much was lost for each example."""
        embedded, own = run.embed(batch), self.suited(run.model)
        leaves, rules = own.leaves(batch, embedded), own.rules(batch, embedded)
        evidence, slopes = ascend(run, batch, target, leaves, ruled, rules)
        if leaves.dim() > embedded.dim():  # the first of them is the input itself, only to be read
            scores = place((leaves[1:] * slopes[1:]).sum(0), batch)
        else:
            scores = place(leaves * slopes, batch)
        return Relevance(scores, evidence - scores.flatten(1).sum(1), evidence)

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T ..."]:
        """The relevance of every position."""
        return self.relevance(run, batch, target).scores

    def suits(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> None:
        """Every operation between the evidence and the input must be one that a rule covers."""
        one, chosen = batch.map(lambda tensor: tensor[:1]), target[:1]
        embedded, own = run.embed(one).detach(), self.suited(run.model)
        covered(own, run, one, chosen, own.leaves(one, embedded), own.rules(one, embedded))
