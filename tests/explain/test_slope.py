"""Slopes, repeated batches, and how they are cut."""

import pytest
import torch
from torch.func import vmap

from holdfast.explain.slope import ascend, evidence, odds, pieces, repeat, slope
from holdfast.testing.model import build, example
from tests.explain.cases import CNN, PAIR, TARGET, TWO, run_of
from tests.reference import explain as naive


def test_slope():
    model, batch = build(CNN, TWO), example(TWO)
    slopes = slope(run_of(model), batch, TARGET, model.embed(batch).detach())
    for row in range(len(batch)):
        one = batch.take(torch.tensor([row]))
        expected = naive.slope(model, one, int(TARGET[row]), model.embed(one))
        torch.testing.assert_close(slopes[row], expected)


def test_repeat_keeps_the_order_of_rows():
    batch = example(PAIR)
    many = repeat(batch, 3)
    for field in ("inputs", "mask", "targets", "rows", "query", "query_mask"):
        assert torch.equal(getattr(many, field), torch.cat([getattr(batch, field)] * 3))


@pytest.mark.parametrize(("count", "rows", "chunk"), [(7, 3, 8), (7, 30, 8), (1, 1, 1), (7, 0, 4)])
def test_pieces_cover_everything_once(count, rows, chunk):
    cut = list(pieces(count, rows, chunk))
    assert [i for piece in cut for i in range(count)[piece]] == list(range(count))
    assert all((piece.stop - piece.start) * rows <= max(chunk, rows) for piece in cut)


@pytest.mark.parametrize("explained", [odds, evidence])
def test_alone_and_mapped_are_the_same(explained):
    model, batch = build(CNN, TWO), example(TWO)
    run, embedded = run_of(model), model.embed(batch).detach()
    with torch.no_grad():  # as in a family
        alone = ascend(run, batch, TARGET, embedded, explained, None)
    mapped = vmap(lambda at: ascend(run, batch, TARGET, at, explained, None))(embedded[None])
    for one, many in zip(alone, mapped, strict=True):
        assert not one.requires_grad
        torch.testing.assert_close(many[0], one)
    evidence = model.evidence(model(batch).logits)[torch.arange(5), TARGET].detach()
    torch.testing.assert_close(alone[0], evidence)
