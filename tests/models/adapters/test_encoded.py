"""What models share that read with a checkpoint's layers."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import PLAIN
from holdfast.models.adapters.encoded import EncodedArchitecture
from holdfast.models.text.bert import Bert
from holdfast.models.text.hf import HuggingFace
from holdfast.testing.model import build, example
from tests.models.text.checkpoints import TWO


def test_what_one_model_remembers_of_a_text_is_not_taken_for_another_s(checkpoint):
    """They have one encoder, of which one uses the words' states and the other the first position's."""
    batch = example(TWO).take(torch.tensor([0, 1]))
    own = [build(kind(str(checkpoint)), TWO) for kind in (Bert, HuggingFace)]
    wanted = [
        model.decide(model.encode(model.embed(batch), batch, PLAIN), batch, PLAIN).logits for model in own
    ]
    for _ in range(2):
        for model, logits in zip(own, wanted, strict=True):
            assert torch.equal(model.rank(batch), logits)


@pytest.mark.parametrize("kind", EncodedArchitecture.__subclasses__())
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"trains": "first"}, "expected trains to be head or last or all, but got first"),
        ({"dropout": 1.0}, "expected dropout to be at least 0 and below 1, but got 1.0"),
    ],
)
def test_bad_settings(kind, settings, said):
    with pytest.raises(BadSetting, match=said):
        kind("x", **settings)
