"""Stability layer by layer: do two seeds compute the same thing, and where do they part?"""

from collections.abc import Iterator

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.measure.pairing import Pairs
from holdfast.measure.reduce import over_pairs
from holdfast.models.run import Run
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult
from holdfast.train.family import template

LAYERS = ("embedding", "encoder", "context", "logits")
MOST = 128


def layer_rows(family: FamilyResult) -> Iterator[Measurement]:
    """Linear CKA of every layer's values between every two seeds, on some test texts.

    ``CKA(X, Y) = ‖XᵀY‖² / (‖XᵀX‖ ‖YᵀY‖)`` of centred values: 1 is the same up to rotation and scale, so
    hidden units in another order do not count (Kornblith et al. 2019). Jain §6.2.2 leaves the question open.
    """
    seen = [_layers(family, number) for number in range(len(family.members))]
    left, right = torch.triu_indices(len(seen), len(seen), offset=1)
    for place, layer in enumerate(LAYERS):
        values = [
            cka(seen[i][place], seen[j][place]) for i, j in zip(left.tolist(), right.tolist(), strict=True)
        ]
        similarity = over_pairs(Pairs(torch.stack(values)[:, None], left, right, len(seen)))
        yield Measurement(
            family.data, family.model, family.repair, "layer", similarity.value,
            similarity.low, similarity.high, similarity.n,
            comparison="cka", by="layer", bin=layer, at=float(place),
        )  # fmt: skip


def cka(x: Float[Tensor, "N A"], y: Float[Tensor, "N B"]) -> Float[Tensor, ""]:
    """Linear centred kernel alignment of two sets of values for the same things; 0 where one is constant.

    >>> x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> cka(x, 3 * x.flip(1)).item()
    1.0
    """
    a, b = (t.double() - t.double().mean(0) for t in (x, y))
    norm = torch.linalg.matrix_norm
    scale = norm(a.T @ a) * norm(b.T @ b)
    return torch.where(scale > 0, norm(a.T @ b) ** 2 / scale.clamp(min=1e-30), 0.0).clamp(max=1.0)


@torch.no_grad()
def _layers(family: FamilyResult, number: int) -> tuple[Tensor, ...]:
    model = template(family.job.architecture, family.dataset.task)
    run = Run(model, family.job.parameters(family.members[number]))
    batch: Batch = family.dataset.splits["test"].batch(family.rows[:MOST])
    trace = run(batch)
    context = (trace.attention[-1][..., None] * trace.states).sum(1)
    return trace.embedded[batch.mask], trace.states[batch.mask], context, trace.logits
