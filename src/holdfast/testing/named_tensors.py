"""The tensors of a model that repairs know by name: its temperature."""

import torch

from holdfast.core.records import PLAIN, Batch
from holdfast.models.base import TEMPERATURE, Model, Run

WARM = 2.0  # exact in binary


def check_temperature(model: Model, batch: Batch) -> None:
    """The temperature is 1 and no parameter; another one divides the logits, also in parts, of subsets and in
    the losses, and changes nothing else."""
    warm = Run(model, {TEMPERATURE: torch.full_like(model.temperature, WARM)})
    assert TEMPERATURE not in dict(model.named_parameters()), "the temperature would be trained"
    assert torch.equal(model.temperature, torch.ones_like(model.temperature)), "the temperature is not 1"
    plain, other = model(batch), warm(batch)
    assert torch.equal(other.logits, plain.logits / WARM), "the temperature does not divide the logits"
    seen = [(*trace.attention, trace.embedded, trace.states) for trace in (plain, other)]
    assert all(map(torch.equal, *seen)), "the temperature changes more than the logits"
    parts = warm.decide(plain.states, batch, PLAIN)
    assert torch.equal(parts.logits, other.logits), "the temperature does not divide the logits of decide"
    one = batch.map(lambda tensor: tensor[:1])
    for stays in (False, True):
        kept = model.subsets(one, batch.mask[:2], stays) / WARM
        subsets = warm.subsets(one, batch.mask[:2], stays)
        assert torch.equal(subsets, kept), "the temperature does not divide the logits of subsets"
    assert not torch.equal(warm.losses(batch), model.losses(batch)), "the temperature is not in the losses"
