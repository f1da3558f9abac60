"""Does a rule cover every operation of a model? An operation without a rule is named, not silently passed."""

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.core.rules import Part, Rules
from holdfast.core.settings import name_of
from holdfast.models.run import Run

Node = torch.autograd.graph.Node

# fmt: off
# operations that are linear, or a ReLU, or pooling, whatever they are given
PASSING = frozenset((
    "Add", "AsStrided", "AvgPool1D", "AvgPool2D", "AvgPool3D", "AdaptiveAvgPool2D", "Alias",
    "Amax", "Cat", "Clone", "ConstantPadNd", "Copy", "Diagonal", "Expand", "Flip", "Gather", "Im2Col",
    "Index", "IndexSelect", "MaskedFill", "Max", "MaxPool1DWithIndices", "MaxPool2DWithIndices",
    "MaxPool3DWithIndices", "Mean", "Neg", "Permute", "Relu", "Repeat", "ReshapeAlias", "Roll", "Rsub",
    "Select", "Slice", "Split", "SplitWithSizes", "Squeeze", "Stack", "Sub", "Sum", "T", "ToCopy",
    "Transpose", "Unbind", "Unfold", "UnsafeSplit", "UnsafeView", "Unsqueeze", "View", "Where",
    "AccumulateGrad", "RuleNode",
))
# linear in each operand: no more than one of them may carry relevance
PRODUCTS = frozenset((
    "Mul", "Mm", "Bmm", "Mv", "Dot", "Addcmul", "Addmm", "Addmv", "Addbmm", "Baddbmm", "Convolution",
    "MkldnnConvolution",
))
# fmt: on
RECTIFIERS = frozenset(
    (
        "Relu",
        "Threshold",
        "LeakyRelu",
        "PreluKernel",
        "Elu",
        "Celu",
        "Hardtanh",
        "Clamp",
        "ClampMin",
        "Maximum",
        "Fmax",
    )
)
PLUS = frozenset(("Addcmul", "Addmm", "Addmv", "Addbmm", "Baddbmm"))  # whose first operand is only added


class RuleNode(torch.autograd.Function):
    """What a rule computed from some tensors, as a single node of the graph."""

    @staticmethod
    def forward(made: Tensor, *sources: Tensor) -> Tensor:
        """A value, as if it came straight from its sources."""
        return made.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        """Nothing is kept: there is no backward pass."""


class Watched(Rules):
    """Rules whose calls are single nodes, so that the graph shows what a model computes without them."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.calls = rules, 0

    def affine(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """One node below all parts."""
        self.calls += 1
        return _node(self.rules.affine(parts, bias), *(part.x for part in parts))

    def rectified(self, parts: Sequence[Part], bias: Tensor | None) -> Tensor:
        """One node below all parts."""
        self.calls += 1
        return _node(self.rules.rectified(parts, bias), *(part.x for part in parts))

    def ahead(self, part: Part, rectified: bool = False) -> Part:
        """One node."""
        made = self.rules.ahead(part, rectified)
        return made._replace(x=_node(made.x, part.x))

    def relu(self, x: Tensor) -> Tensor:
        """One node."""
        return _node(self.rules.relu(x), x)

    def activation(self, name: str, x: Tensor) -> Tensor:
        """One node."""
        return _node(self.rules.activation(name, x), x)

    def constant(self, x: Tensor) -> Tensor:
        """No node: nothing passes."""
        return self.rules.constant(x).detach()


def _node(made: Tensor, *sources: Tensor) -> Tensor:
    return RuleNode.apply(made.detach(), *sources)  # type: ignore[no-any-return,no-untyped-call]


def covered(
    explainer: object,
    run: Run,
    batch: Batch,
    target: Int[Tensor, "B"],
    leaves: Tensor,
    rules: Rules,
    strict: bool = True,
) -> None:
    """Raise ``BadSetting`` naming the first operation between the evidence and ``leaves`` without a rule.

    Not ``strict``: only rectifiers must use the rules; everything else may pass by its own gradient.
    """
    watched = Watched(rules)
    who = name_of(type(explainer))

    def refuse(why: str) -> NoReturn:
        raise BadSetting(f"{who}: expected a model whose every operation has a rule, but this one {why}")

    without = "does not use the rules: compute its layers through holdfast.core.rules, or choose another"
    with torch.enable_grad():
        leaf = leaves.detach().clone().requires_grad_()
        weights = {name: tensor.detach().requires_grad_() for name, tensor in run.parameters.items()}
        try:
            logits = Run(run.model, weights)(batch, Edit(embedded=leaf, rules=watched)).logits
        except (RuntimeError, ValueError, IndexError):  # a leading axis that only rules understand
            if not watched.calls:
                refuse(without)
            raise
        if not watched.calls:
            refuse(without)
        top = logits.gather(1, target[:, None]).sum().grad_fn
    carriers = {} if top is None else carrying(top, [leaf])
    if not carriers:
        refuse("has evidence that does not depend on its input: choose another explainer")
    assert top is not None
    weighing = carrying(top, list(weights.values()))
    for node in carriers:
        why = objection(node, carriers, weighing) if strict else rectifier(node)
        if why is not None:
            refuse(f"{why}: compute it through holdfast.core.rules, or choose another explainer")


def operation(node: Node) -> str:
    """What a node of the graph does: ``TanhBackward0`` → ``Tanh``."""
    return node.name().rsplit("::", 1)[-1].partition("Backward")[0]


def rectifier(node: Node) -> str | None:
    """Why a guided gradient cannot pass through a node, if it cannot."""
    name = operation(node)
    return f"has a rectifier that does not use the rules ({name})" if name in RECTIFIERS else None


def objection(node: Node, carriers: dict[Node, None], weighing: dict[Node, None]) -> str | None:
    """Why relevance cannot pass through a node, if it cannot."""
    name = operation(node)
    below = [lower for lower, _ in node.next_functions]
    if name in PRODUCTS:
        factors = below[1:] if name in PLUS else below
        if sum(factor in carriers for factor in factors) > 1:
            return f"multiplies two signals with each other ({name})"
        if any(factor in carriers for factor in factors) and any(
            factor in weighing and factor not in carriers for factor in factors
        ):
            return f"has a layer that does not use the rules ({name})"
        return None
    if name == "Div":
        return "divides by a signal (Div)" if below[1] in carriers else None
    return None if name in PASSING else f"has the operation {name}, which no rule covers"


def carrying(top: Node, leaves: Sequence[Tensor]) -> dict[Node, None]:
    """Every node on a path from ``top`` to one of the leaves, nodes near the leaves first."""
    ids = {id(leaf) for leaf in leaves}
    carriers: dict[Node, None] = {}
    for node in _below_first(top):
        is_leaf = node.name().endswith("AccumulateGrad") and id(_variable(node)) in ids
        if is_leaf or any(below in carriers for below, _ in node.next_functions if below is not None):
            carriers[node] = None
    return carriers


def _below_first(top: Node) -> Iterator[Node]:
    """The graph, each node after all that it depends on; with a stack, as a recurrence may be deep."""
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
