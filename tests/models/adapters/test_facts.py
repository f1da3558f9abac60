"""What is found out by trying: every promise that cannot be kept is told before long work."""

import pytest
import torch
from torch import nn

from holdfast.core.errors import BadSetting
from holdfast.models.adapters.calling import Call
from holdfast.models.adapters.facts import Facts, Tried, facts_of
from tests.models.adapters.modules import Lengths, Masked, Plain

WORDS = torch.arange(2, 12)


def tried(module, embedding="emb", attention="", mask="mask", classes=2):
    return Tried(module, Call("", mask, False), embedding, attention, 0, classes)


def refused(one):
    with pytest.raises(BadSetting) as told:
        facts_of(one, WORDS)
    return str(told.value)


def test_facts():
    assert facts_of(tried(Masked(), attention="attn"), WORDS) == Facts(True, True, True)
    assert facts_of(tried(Lengths()), WORDS) == Facts(True, False)
    assert facts_of(tried(Plain(), mask="", classes=3), WORDS) == Facts(False, False)


def test_a_head_of_zeros_hides_nothing():
    module = Lengths()
    nn.init.zeros_(module.out.weight)
    assert facts_of(tried(module), WORDS) == Facts(True, False)
    assert not module.out.weight.any()


class Random(Masked):
    def forward(self, ids, mask):
        return super().forward(ids, mask) + torch.rand(1)


class Deaf(Masked):
    def forward(self, ids, mask):
        return super().forward(torch.ones_like(ids), mask)


class Direct(Masked):
    def forward(self, ids, mask):
        return self.out(nn.functional.embedding(ids, self.emb.weight).sum(1))


class Beside(Masked):
    def __init__(self):
        super().__init__()
        self.other = nn.Embedding(12, 6)

    def forward(self, ids, mask):
        self.other(ids)
        return super().forward(ids, mask)


class Scores(Masked):
    def forward(self, ids, mask):
        return self.out((self.score(self.emb(ids)) * self.emb(ids)).sum(1))


def test_a_module_that_cannot_be_explained():
    assert refused(tried(Plain(), mask="mask", classes=3)) == (
        "Plain cannot be run on ids of shape (3, 6) and a mask (TypeError: Plain.forward() got an unexpected "
        "keyword argument 'mask'): say how it is called, with ids=… and mask=…"
    )
    assert refused(tried(Random())) == (
        "Random answers otherwise when asked again: expected the same logits in eval mode, so switch off "
        "what is random there"
    )
    assert refused(tried(Deaf())) == (
        "Deaf: other words give the same logits, or none that are finite: expected logits that depend on the "
        "words, so say how it is called, with ids=… and mask=…"
    )
    assert refused(tried(Direct())) == (
        "Direct does not call its layer emb: expected the layer that embeds the words to be called in "
        "forward, on the ids"
    )
    assert refused(tried(Beside(), "other")) == (
        "Beside: its logits do not depend on what other gives: name the layer that embeds the words, "
        "embedding=…"
    )
    assert refused(tried(Scores(), attention="attn")) == (
        "Scores does not call its layer attn: name the one that attends"
    )
    assert refused(tried(Scores(), attention="score")).startswith("expected attention of score to be weights")


class Packed(Plain):
    """Its lengths are those of the ids that are no padding."""

    def forward(self, ids):
        lengths = (ids > 0).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.emb(ids), lengths, batch_first=True, enforce_sorted=False
        )
        return self.out(self.rnn(packed)[1][-1])


class Cut(Packed):
    def forward(self, ids):
        kept = torch.arange(ids.shape[1]) < (ids > 0).sum(1, keepdim=True).clamp(min=1)
        return self.out((self.rnn(self.emb(ids))[0].tanh() * kept[..., None]).sum(1))


HOW = (
    "say which id stands for a deleted word, missing=… (such as that of an unknown word, which is 1 where "
    "Holdfast numbers the words)"
)


def test_an_id_that_cannot_stand_for_a_deleted_word():
    packed, cut = (tried(one, mask="", classes=3) for one in (Packed(), Cut()))
    assert refused(packed) == (
        f"Packed gives no logits, or none that are finite, for a text of the id 0 alone: {HOW}"
    )
    assert refused(cut) == f"Cut does not see the last word of a text where the id 0 stands before it: {HOW}"
    for one in (packed, cut):
        assert facts_of(one._replace(missing=1), WORDS) == Facts(True, False)


def test_a_mask_the_wrong_way_round():
    wrong = Tried(Masked(), Call("", "mask", True), "emb", "", 0, 2)
    said = refused(wrong)
    assert said == (
        "Masked: words where mask says that there are some do not change its logits: is it True where "
        "there is no word? Then say hides=False"
    )
