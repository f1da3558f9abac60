import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.models.run import Run
from holdfast.models.text.bert import Bert
from holdfast.repair.attention_at import AttentionAt
from holdfast.testing.model import build, example
from holdfast.testing.repair import check_repair
from tests.models.text.checkpoints import TWO, write_checkpoint
from tests.reference import adversaries
from tests.repair.attacked import CLASSES, ITEMS, LENGTH, WORDS, attacked, losses


def test_the_contract():
    check_repair(AttentionAt())
    check_repair(make("repairs", "attention_at+aswa"))


def moved(weights, site, shift):
    """softmax(log w + r) of the one row there is."""
    return adversaries.softmax(weights[0].clamp(min=1e-300).log() + shift, site.allowed[0])[None]


@pytest.mark.parametrize(
    ("model", "task"), [("average:hidden=4,dim=3", CLASSES), ("bilstm:hidden=3,dim=3,attention=dot", WORDS)]
)
def test_every_text_has_scores_moved_by_a_vector_of_its_own(model, task):
    own = attacked(model, task)
    found, plain = losses(AttentionAt(LENGTH), own), own.run.losses(own.batch)
    for row in range(len(own.batch) - 1):  # the last has no word
        expected = adversaries.attention_at(own.by_map(row, moved), own.batch.mask.shape[1], LENGTH)
        torch.testing.assert_close(found[row], plain[row] + expected)
    torch.testing.assert_close(found[-1], 2 * plain[-1])
    assert (found[:2] > 2 * plain[:2]).all()


def by_rows(own, row, length):
    """L(s + r) of one history; r of every row of every map by itself, from one gradient."""
    shapes = [weights.shape for weights in own.run(own.alone(row)).attention]

    def loss(shifts):
        def at(weights, site, _):
            rows = weights.flatten(0, -2), site.allowed.flatten(0, -2), shifts[site.layer].flatten(0, -2)
            each = [
                adversaries.softmax(w.clamp(min=1e-300).log() + r, a) for w, a, r in zip(*rows, strict=True)
            ]
            return torch.stack(each).view(weights.shape)

        return own.by_map(row, at)(None)

    nowhere = [torch.zeros(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    slopes = torch.autograd.grad(loss(nowhere), nowhere)
    shifts = []
    for slope in slopes:
        rows = [adversaries.scaled(g, length) for g in slope.flatten(0, -2).tolist()]
        shifts.append(torch.tensor(rows, dtype=torch.float64).view(slope.shape))
    return loss(shifts)


def test_every_row_of_self_attention_has_its_own():
    own = attacked("sasrec:dim=4,heads=2", ITEMS)
    found, plain = losses(AttentionAt(LENGTH), own), own.run.losses(own.batch)
    for row in range(3):
        torch.testing.assert_close(found[row], plain[row] + by_rows(own, row, LENGTH))
    assert (found[:3] > 2 * plain[:3]).all()


def test_every_pair_has_its_own():
    own = attacked("deepicf:dim=4,hidden=3,layers=5", ITEMS)
    found, plain = losses(AttentionAt(LENGTH), own), own.run.losses(own.batch)
    assert (found[:3] > 2 * plain[:3]).all()
    torch.testing.assert_close(losses(AttentionAt(1e-9), own), 2 * plain)


def test_frozen_layers_of_a_checkpoint_are_read_outside_the_gradient(tmp_path):
    model = build(Bert(str(write_checkpoint(tmp_path / "checkpoint"))), TWO)
    run, batch = Run(model, model.tensors()), example(TWO)
    found, plain = AttentionAt(LENGTH).losses(run, batch, {}, {}), run.losses(batch)
    assert (found[:2] > 2 * plain[:2]).all()
