import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.models.text.cnn import Cnn
from holdfast.repair.even_attention import EvenAttention
from holdfast.testing.repair import check_repair
from holdfast.train.family import Family
from holdfast.train.fit import Fit


def test_the_contract():
    check_repair(EvenAttention())


@pytest.mark.parametrize("repair", ["even_attention", "even_attention+aswa"])
def test_attention_is_even_after_training(planted, repair):
    few = [Member(0), Member(1)]
    family = Family.fit(Cnn(filters=4, dim=8), planted, few, Fit(epochs=1), make("repairs", repair))
    batch = planted.splits["test"].batch(torch.arange(6))
    even = batch.mask / batch.mask.sum(-1, keepdim=True)
    for m in range(len(family)):
        assert torch.allclose(family.run(m)(batch).attention[0], even, atol=1e-6)


def test_attention_among_positions_cannot_be_made_even(plays):
    with pytest.raises(BadSetting, match="even_attention: expected a model whose one attention map pools"):
        Family.fit(make("models", "sasrec:dim=4"), plays, [Member(0)], Fit(epochs=1), EvenAttention())
