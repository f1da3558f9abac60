"""What an adapted architecture says of itself, and what it refuses before long work."""

import pytest
import torch
from torch import nn

from holdfast.core.errors import BadSetting
from holdfast.data.base import Task
from holdfast.models.adapters.adapt import adapt
from tests.models.adapters.modules import OWN, TWO, Attends, Lengths, Masked, Plain


def refused(architecture, task=TWO):
    with pytest.raises(BadSetting) as told:
        architecture.build(task)
    return str(told.value)


def test_defaults_are_what_it_can_be_asked():
    plain = ("gradient", "gradient_input", "integrated_gradients", "leave_one_out", "random")
    assert adapt(Masked).explainers == plain
    assert adapt(Masked, attention="attn").explainers == ("attention", *plain)
    assert not adapt(Masked).attends
    assert not adapt(Masked).pretrained


def test_it_tells_how_words_are_deleted():
    assert adapt(Masked).notes(TWO) == ("Of Masked, a deleted word is hidden by the mask.",)
    assert adapt(Plain, missing=1).notes(Task(12, ("a", "b", "c"))) == (
        "Of Plain, a deleted word is replaced by the id 1; one at the end of a text is cut off.",
        "The logits of Plain change when padding is added, so every text was run without any: in padded "
        "batches it may answer otherwise.",
    )
    assert adapt(Lengths, pad=3).notes(TWO) == (
        "Of Lengths, a deleted word is replaced by the id 3; one at the end of a text is cut off.",
    )


def test_an_untrained_one_must_be_drawn():
    assert adapt(Attends).undrawn == ""
    assert adapt(Masked()).undrawn == ""
    assert adapt(Attends(), "words").undrawn == (
        "no layer of Attends has a reset_parameters that draws scale (give fresh=…, a function that makes a "
        "new one)"
    )
    own = adapt(Attends(), "words", fresh=Attends, ids="input_ids", hides=True)
    assert own.undrawn == ""
    assert own.build(TWO)(example()).logits.shape == (5, 2)


def example():
    from holdfast.testing.model import example as made

    return made(TWO)


def test_what_it_refuses():
    assert refused(adapt(Masked(vocabulary=9)), OWN) == (
        "Masked has 9 embeddings, but the texts use the id 9: expected ids from 0 to 8, so check that "
        "they are of its own tokenizer"
    )
    assert "but missing words use the id 99: expected" in refused(adapt(Masked, missing=99))
    assert refused(adapt(Masked, attention="nowhere")) == (
        "Masked has no layer 'nowhere' for attention=…: its layers are emb, score, attn and out"
    )
    assert refused(adapt(Masked(classes=3))) == (
        "Masked: expected logits of shape (3, 2), one for each of 3 texts and 2 classes, but got (3, 3): "
        "check the classes, and that forward returns logits"
    )
    pair = Task(12, ("no", "yes"), pair=True)
    assert (
        refused(adapt(Masked), pair) == "Masked: expected single texts, but got pairs: choose another model"
    )
    with pytest.raises(BadSetting, match="expected read to be mean, first or last, but got middle"):
        adapt(Masked, read="middle")


class Normed(Masked):
    def __init__(self, vocabulary=12, classes=2):
        super().__init__(vocabulary, classes)
        self.norm = nn.BatchNorm1d(6)

    def forward(self, ids, mask):
        return self.out(self.norm(self.emb(ids).tanh().mean(1)))


def test_running_numbers_are_not_trained_here():
    assert refused(adapt(Normed)) == (
        "Normed has batch normalisation, whose running numbers are not trained here: use nn.LayerNorm, or "
        "bring trained members, holdfast.family(module, files)"
    )


def test_what_it_draws_is_the_members_own():
    state = torch.random.get_rng_state()
    adapt(Masked).notes(TWO)
    assert torch.equal(torch.random.get_rng_state(), state)
