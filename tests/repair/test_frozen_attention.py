import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.models.text.cnn import Cnn
from holdfast.repair.frozen_attention import FrozenAttention
from holdfast.testing.repair import check_repair
from holdfast.train.family import Family, initial
from holdfast.train.fit import Fit


def test_the_contract():
    check_repair(FrozenAttention())


def test_attention_stays_as_it_was_drawn(planted):
    architecture = Cnn(filters=4, dim=8)
    family = Family.fit(architecture, planted, [Member(0), Member(1)], Fit(epochs=1), FrozenAttention())
    for m, member in enumerate(family.members):
        start = initial(architecture, planted.task, member)
        for name in family.model.attention_names:
            assert torch.equal(family.parameters[name][m], start[name])
        assert not torch.equal(family.parameters["head.weight"][m], start["head.weight"])


def test_a_model_with_nothing_to_freeze_is_refused():
    with pytest.raises(
        BadSetting, match="frozen_attention: expected a model with attention, but rlstm has none"
    ):
        FrozenAttention().teachers(make("models", "rlstm"))
