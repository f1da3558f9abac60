"""Does a rule cover every operation of a model? What no rule covers is named, never silently passed."""

from collections.abc import Iterator, Sequence
from typing import NoReturn

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.core.rules import Part, Rules
from holdfast.core.settings import name_of
from holdfast.models.base import Run

Node = torch.autograd.graph.Node

# fmt: off
# operations that are linear, or a ReLU, or pooling, whatever they are given
PASSING = frozenset((
    "Add", "Addcmul", "AsStrided", "AvgPool1D", "AvgPool2D", "AvgPool3D", "AdaptiveAvgPool2D", "Alias",
    "Amax", "Cat", "Clone", "ConstantPadNd", "Copy", "Diagonal", "Expand", "Flip", "Gather", "Im2Col",
    "Index", "IndexSelect", "MaskedFill", "Max", "MaxPool1DWithIndices", "MaxPool2DWithIndices",
    "MaxPool3DWithIndices", "Mean", "Neg", "Permute", "Relu", "Repeat", "ReshapeAlias", "Roll", "Rsub",
    "Select", "Slice", "Split", "SplitWithSizes", "Squeeze", "Stack", "Sub", "Sum", "T", "ToCopy",
    "Transpose", "Unbind", "Unfold", "UnsafeSplit", "UnsafeView", "Unsqueeze", "View", "Where",
    "AccumulateGrad",
))
# linear in each operand: no more than one of them may carry relevance
PRODUCTS = frozenset((
    "Mul", "Mm", "Bmm", "Mv", "Dot", "Addmm", "Addmv", "Addbmm", "Baddbmm", "Convolution",
    "MkldnnConvolution",
))
# fmt: on
PLUS = frozenset(("Addmm", "Addmv", "Addbmm", "Baddbmm"))  # whose first operand is only added


class Watched(Rules):
    """Rules that note whether a model asks them at all."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.asked = rules, 0

    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """Passed on."""
        self.asked += 1
        return self.rules.affine(parts, bias)

    def ahead(self, part: Part) -> Part:
        """Passed on."""
        return self.rules.ahead(part)

    def relu(self, x: Tensor) -> Tensor:
        """Passed on."""
        return self.rules.relu(x)

    def bend(self, name: str, x: Tensor) -> Tensor:
        """Passed on."""
        return self.rules.bend(name, x)

    def constant(self, x: Tensor) -> Tensor:
        """Passed on."""
        return self.rules.constant(x)


def covered(
    explainer: object, run: Run, batch: Batch, target: Int[Tensor, "B"], leaves: Tensor, rules: Rules
) -> None:
    """Raise ``BadSetting`` naming the first operation between the evidence and ``leaves`` without a rule."""
    watched = Watched(rules)
    who, what = name_of(type(explainer)), type(run.model).__name__

    def refuse(why: str) -> NoReturn:
        raise BadSetting(f"{who}: expected a model whose every operation has a rule, but {what} {why}")

    stranger = "never asks the rules: compute its layers through holdfast.core.rules, or choose another"
    with torch.enable_grad():
        leaf = leaves.detach().clone().requires_grad_()
        try:
            logits = run(batch, Edit(embedded=leaf, rules=watched)).logits
        except (RuntimeError, ValueError, IndexError):  # a leading axis that only rules understand
            if not watched.asked:
                refuse(stranger)
            raise
        if not watched.asked:
            refuse(stranger)
        chosen = logits.gather(1, target[:, None]).sum()
    if chosen.grad_fn is None:
        refuse("lets nothing of its input reach the evidence: choose another explainer")
    carriers = carrying(chosen.grad_fn, leaf)
    for node in carriers:
        why = objection(node, carriers)
        if why is not None:
            refuse(f"{why}: compute it through holdfast.core.rules, or choose another explainer")


def operation(node: Node) -> str:
    """What a node of the graph does: ``TanhBackward0`` → ``Tanh``."""
    return node.name().rsplit("::", 1)[-1].partition("Backward")[0]


def objection(node: Node, carriers: dict[Node, None]) -> str | None:
    """Why relevance cannot pass a node, if it cannot."""
    name = operation(node)
    carried = [below is not None and below in carriers for below, _ in node.next_functions]
    if name in PRODUCTS:
        factors = carried[1:] if name in PLUS else carried
        return f"multiplies two signals with each other ({name})" if sum(factors) > 1 else None
    if name == "Div":
        return "divides by a signal (Div)" if carried[1] else None
    return None if name in PASSING else f"has the operation {name}, which no rule covers"


def carrying(top: Node, leaf: Tensor) -> dict[Node, None]:
    """Every node on a way from ``top`` to the leaf, those near the leaf first."""
    found: dict[Node, None] = {}
    for node in _below_first(top):
        own = node.name().endswith("AccumulateGrad") and _variable(node) is leaf
        if own or any(below in found for below, _ in node.next_functions if below is not None):
            found[node] = None
    return found


def _below_first(top: Node) -> Iterator[Node]:
    """The graph, each node after all that it depends on; by hand, for a recurrence may be deep."""
    seen: set[Node] = set()
    stack: list[tuple[Node, bool]] = [(top, False)]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += [(below, False) for below, _ in node.next_functions if below is not None]


def _variable(node: Node) -> object:
    return getattr(node, "variable", None)
