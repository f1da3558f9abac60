"""What models of tables share: how a row is read, and what becomes of a column that is taken away."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.data.base import Kind, Task
from holdfast.data.features.columns import Columns
from holdfast.models.base import Architecture, Model
from holdfast.models.odds import Worth

FACTS = ("background", "shares", "numeric")  # of the data: no parameters, and no part of training
ROOM = 2**22  # numbers of embedded rows at once


class FeatureModel(Model):
    """One row of a table in, logits over the classes out; of two classes (0, z).

    A number is read as it is, a category as one of D numbers, of which each has the mean 0 among the training
    rows: 0 is the average row. A hole is filled from every row of the background in turn, and the logits are
    averaged: the expected log-odds, as interventional SHAP has them (Janzing et al. 2020). Training meets no
    holes; where its losses do, the average stands there.

    What is explained of a class is the mean of its log-odds against each other class, which is linear in the
    logits; of two classes these are its log-odds.
    """

    background: Float[Tensor, "R T"]
    shares: Float[Tensor, "T D"]
    numeric: Float[Tensor, "T"]

    def __init__(self, task: Task) -> None:
        super().__init__()
        columns = columns_of(task)
        self.sizes, self.width = columns.sizes, max(columns.sizes)
        self.outputs = 1 if len(task.classes) == 2 else len(task.classes)
        self.register_buffer("background", columns.background.clone())
        self.register_buffer("shares", columns.shares.clone())
        self.register_buffer("numeric", torch.tensor([float(size == 1) for size in columns.sizes]))

    @abstractmethod
    def answers(self, rows: Float[Tensor, "N T D"], edit: Edit) -> Float[Tensor, "N C"]:
        """The logits of whole rows, at temperature 1."""

    def tensors(self) -> dict[str, Tensor]:
        """The parameters, the temperature, and what is known of the columns: a member needs no data set."""
        return super().tensors() | {name: getattr(self, name) for name in FACTS}

    def coded(self, values: Float[Tensor, "N T"]) -> Float[Tensor, "N T D"]:
        """Values as numbers: those of a numeric column first of D, the share taken from a category's 1."""
        place = torch.arange(self.width, device=values.device)
        first = values[..., None] * (place == 0)
        chosen = (values[..., None] == place).to(values.dtype) - self.shares
        return torch.where(self.numeric[:, None] > 0, first, chosen)

    def embed(self, batch: Batch) -> Float[Tensor, "B T D"]:
        """The row as numbers; holes are 0."""
        count = len(self.sizes)
        rows = self.coded(batch.inputs[..., :count].to(self.shares.dtype))
        return F.pad(rows, (0, 0, 0, batch.mask.shape[-1] - count)) * batch.mask[..., None]

    def room(self, batch: Batch) -> Bool[Tensor, "B T D"]:
        """A number has one, a category as many as there are."""
        device, more = batch.mask.device, batch.mask.shape[-1] - len(self.sizes)
        sizes = torch.tensor((*self.sizes, *[0] * more), device=device)
        return batch.mask[..., None] & (torch.arange(self.width, device=device) < sizes[:, None])

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Tensor:
        """The row itself: there is no attention."""
        return embedded

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """The logits, averaged over the background where there are holes."""
        if edit.rules is not None:
            raise BadSetting(
                "relevance rules are not made for tables of features: choose shapley, leave_one_out, "
                "permutation or, of mlp and logistic, an explainer by gradients"
            )
        count = len(self.sizes)
        rows, mask = states[:, :count], batch.mask[:, :count]
        logits = self.answers(rows, edit) if _is_whole(mask) else self.expected(rows, mask, edit)
        return Trace(logits, (), states if edit.embedded is None else edit.embedded, states)

    def losses(
        self, batch: Batch, edit: Edit = PLAIN, weights: Float[Tensor, "C"] | None = None
    ) -> Float[Tensor, "B"]:
        """Cross-entropy; the average row stands in holes."""
        assert batch.targets is not None
        rows = self.embedded(batch, edit) * batch.mask[..., None]
        logits = self.tempered(self.answers(rows[..., : len(self.sizes), :], edit))
        return F.cross_entropy(logits, batch.targets, weights, reduction="none")

    def expected(
        self, rows: Float[Tensor, "N T D"], mask: Bool[Tensor, "N T"], edit: Edit
    ) -> Float[Tensor, "N C"]:
        """The mean logits over the background."""
        return self.filled(rows, mask, edit).mean(-2)

    def filled(
        self, rows: Float[Tensor, "N T D"], mask: Bool[Tensor, "N T"], edit: Edit
    ) -> Float[Tensor, "N R C"]:
        """The logits with the holes filled from each row of the background."""
        behind = self.coded(self.background)
        each = max(1, ROOM // behind.numel())
        parts = []
        for start in range(0, len(mask), each):
            some = slice(start, start + each)
            whole = torch.where(mask[some, None, :, None], rows[some, None], behind)
            many = replace(
                edit, noise={k: v[some].repeat_interleave(len(behind), 0) for k, v in edit.noise.items()}
            )
            logits = self.answers(whole.flatten(0, 1), many)
            parts.append(torch.unflatten(logits, 0, (-1, len(behind))))
        return torch.cat(parts)

    def explained(self, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
        """The mean of the log-odds of the target against each other class."""
        chosen = logits.gather(1, target[:, None])[:, 0]
        return chosen - (logits.sum(1) - chosen) / (logits.shape[1] - 1)

    def worth(
        self, batch: Batch, target: Int[Tensor, "1"], kept: Bool[Tensor, "S T"], of: Worth, stays: bool
    ) -> Float[Tensor, "S"]:
        """Of the probability it is the mean probability that counts, not that of the mean log-odds."""
        if of == "score":
            return super().worth(batch, target, kept, of, stays)
        count = len(self.sizes)
        rows = self.embedded(batch)[:, :count].expand(len(kept), -1, -1)
        mask = (batch.mask & kept)[:, :count]
        return self.tempered(self.filled(rows, mask, PLAIN)).softmax(-1)[..., target[0]].mean(-1)

    def of_target(
        self, parts: Float[Tensor, "B T O"], target: Int[Tensor, "B"], batch: Batch
    ) -> Float[Tensor, "B T"]:
        """The scores of a batch, from what each column adds to each output."""
        return F.pad(self.share(parts, target), (0, batch.mask.shape[1] - len(self.sizes))) * batch.mask

    def share(self, parts: Float[Tensor, "B T O"], target: Int[Tensor, "B"]) -> Float[Tensor, "B T"]:
        """What is explained of parts of the logits, in which it is linear."""
        count = len(self.sizes)
        logits = self.tempered(self.padded(parts)).flatten(0, 1)
        return self.explained(logits, target.repeat_interleave(count)).view(-1, count)

    def padded(self, logits: Float[Tensor, "*N O"]) -> Float[Tensor, "*N C"]:
        """(0, z) of two classes."""
        return F.pad(logits, (1, 0)) if self.outputs == 1 else logits

    def evidence(self, logits: Float[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        """Of two classes, each has what speaks against the other."""
        if self.outputs > 1:
            return logits
        z = logits[..., 1] - logits[..., 0]
        return torch.stack([-z, z], -1)


class FeatureArchitecture(Architecture):
    """What all models of tables have in common."""

    reads: ClassVar[tuple[Kind, ...]] = ("features",)
    attends: ClassVar[bool] = False
    ordered: ClassVar[bool] = False


def columns_of(task: Task) -> Columns:
    """The columns of a task."""
    if task.columns is None:
        raise BadSetting("expected a task of features, with columns, but got none")
    return task.columns


def _is_whole(mask: Bool[Tensor, "N T"]) -> bool:
    """Whether there is no hole; of batches that are mapped that is not asked."""
    mapped: Any = torch._C._functorch.is_batchedtensor
    return not mapped(mask) and bool(mask.all())
