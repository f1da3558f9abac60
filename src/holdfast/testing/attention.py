"""What every model's attention must keep: maps respect the mask, and pass the door."""

import torch
from torch import Tensor

from holdfast.core.records import Batch, Edit, Site
from holdfast.models.base import Model
from holdfast.testing.histories import sites_of
from holdfast.testing.near import assert_near


def check_attention(model: Model, batch: Batch) -> None:
    """Weights are a distribution over the positions that exist (unless the model says otherwise); where there
    is none to attend they are 0."""
    length = batch.mask.shape[1]
    for weights in model(batch).attention[: model.unedited]:
        pooled = weights.dim() == 2
        exists = batch.mask if pooled else batch.mask[:, None, None]
        assert not (weights[..., :length] * ~exists).any(), "a masked position is attended"
        attends = torch.nn.functional.pad(batch.mask, (0, weights.shape[-1] - length), value=True)
        rows = batch.mask.any(1) if pooled else attends[:, None].expand(weights.shape[:-1])
        total = rows.to(weights.dtype)
        assert_near(weights.sum(-1), total, "attention does not sum to 1")
    for weights, site in sites_of(model, batch):
        assert site.allowed.shape == weights.shape, "site.allowed and the weights differ in shape"
        exists = batch.mask if site.kind == "pool" else batch.mask[:, None, None]
        assert not (weights[..., :length] * ~exists).any(), "a masked position is attended"
        assert not (weights * ~site.allowed).any(), "attention goes where it is not allowed"
        total = site.allowed.any(-1).to(weights.dtype)
        if model.distributes:
            assert_near(weights.sum(-1), total, "attention does not sum to 1")


def check_edit(model: Model, batch: Batch) -> None:
    """``edit.attention`` sees every map that is edited with its site, and what it returns is what is used."""
    plain, seen = model(batch), []
    maps = plain.attention[model.unedited :]

    def turn(weights: Tensor, site: Site) -> Tensor:
        seen.append((weights, site))
        return weights.flip(-1) * site.allowed

    edited = model(batch, Edit(attention=turn))
    after_all = edited.attention[model.unedited :]
    assert len(seen) == len(maps) == len(after_all), "edit.attention does not see every map"
    for (weights, site), before, after in zip(seen, maps, after_all, strict=True):
        if not site.layer:
            assert torch.equal(weights, before), "edit.attention is not given the attention"
        assert torch.equal(after, weights.flip(-1) * site.allowed), (
            "the trace does not have what edit.attention returned"
        )
        if site.kind == "pool":
            assert torch.equal(site.allowed, _readable(batch)), "site.allowed is not the mask"
    if seen:
        assert not torch.equal(edited.logits, plain.logits), "the edited attention is not used"
    kept = model(batch, Edit(attention=lambda weights, site: weights))
    assert torch.equal(kept.logits, plain.logits), "an edit that changes nothing changes the logits"


def _readable(batch: Batch) -> Tensor:
    """What exists; of a history that is asked about one of its own items, all others."""
    if batch.query is None or batch.query_mask is not None:
        return batch.mask
    return batch.mask & (batch.inputs != batch.query)
