"""The head of each family, as transformers has it."""

import pytest
import torch
from torch import nn

from holdfast.models.adapters.head import Head, places, redraw


@pytest.mark.parametrize(
    ("labels", "classes", "wanted"),
    [
        ({0: "Negative", 1: "POSITIVE"}, ("negative", "positive"), (0, 1)),
        ({0: "pos", 1: "neg"}, ("neg", "pos"), (1, 0)),
        ({0: "LABEL_0", 1: "LABEL_1"}, ("0", "1"), (0, 1)),
        ({0: "1", 1: "0"}, ("0", "1"), (1, 0)),
        ({0: "LABEL_0", 1: "LABEL_1"}, ("1", "5"), None),
        ({0: "a", 1: "b", 2: "c"}, ("a", "b"), None),
        ({0: "a", 1: "A"}, ("a", "A"), None),
    ],
)
def test_labels_are_classes(labels, classes, wanted):
    assert places(labels, classes) == wanted


def test_a_head_is_drawn_as_transformers_draws_it():
    head = Head("roberta", 64, 3, 0.02)
    assert float(head.dense.weight.detach().std()) == pytest.approx(0.02, rel=0.1)
    assert not head.dense.bias.any()
    assert not head.out.bias.any()


def test_what_norms_multiply_by_is_one():
    norm = nn.LayerNorm(4)
    nn.init.normal_(norm.weight)
    redraw(norm.named_parameters(), 0.02)
    assert torch.equal(norm.weight, torch.ones(4))
