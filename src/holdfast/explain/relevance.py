"""Relevance: input × gradient of a network rewritten by rules (Chormai §3.2)."""

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
from holdfast.models.run import Run


@register
@dataclass(frozen=True)
class RelevanceResult:
    """Scores, the evidence they share out, and how much of it was lost: Σ scores + lost = evidence."""

    scores: Float[Tensor, "*shape"]
    lost: Float[Tensor, "*M B"]
    evidence: Float[Tensor, "*M B"]


class RuleExplainer(Explainer):
    """An explainer that rewrites layers by rules. It explains the evidence for the target class alone."""

    signed: ClassVar[bool] = True
    conserves: ClassVar[bool] = True

    @abstractmethod
    def rules(self, batch: Batch, embedded: Tensor) -> Rules:
        """The rules for this input, a new instance for each call."""

    def leaves(self, batch: Batch, embedded: Tensor) -> Tensor:
        """What the rewritten network reads: the input, under a leading axis if the rules want one."""
        return embedded

    def relevance(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> RelevanceResult:
        """The scores, and how much was lost for each example."""
        embedded, explainer = run.embed(batch), self.suited(run.model)
        leaves, rules = explainer.leaves(batch, embedded), explainer.rules(batch, embedded)
        evidence, slopes = ascend(run, batch, target, leaves, ruled, rules)
        if leaves.dim() > embedded.dim():  # the first leaf is the input itself, which has no score
            scores = place((leaves[1:] * slopes[1:]).sum(0), batch)
        else:
            scores = place(leaves * slopes, batch)
        return RelevanceResult(scores, evidence - scores.flatten(1).sum(1), evidence)

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
        example, explainer = batch.map(lambda tensor: tensor[:1]), self.suited(run.model)
        embedded = run.embed(example).detach()
        leaves, rules = explainer.leaves(example, embedded), explainer.rules(example, embedded)
        covered(explainer, run, example, target[:1], leaves, rules)
