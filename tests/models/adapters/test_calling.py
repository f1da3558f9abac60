"""How a module is made and called is told by its signature, or by whoever knows better."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from holdfast.core.errors import BadSetting
from holdfast.data.base import Task
from holdfast.models.adapters.calling import Call, call_of, logits_of, made, sizes_of
from tests.models.adapters.modules import OWN, THREE, Attends, Masked, Plain


class Takes(nn.Module):
    def __init__(self, words, out, hidden=7, class_weight=None):
        super().__init__()
        self.got = words, out, hidden, class_weight

    def forward(self, ids, mask, attn_mask=None):
        return ids


class Kwargs(nn.Module):
    def __init__(self, num_labels, vocab_size):
        super().__init__()
        self.got = num_labels, vocab_size

    def forward(self, **given):
        return given


@pytest.mark.parametrize(
    ("module", "said", "call"),
    [
        (Masked(), {}, Call("", "mask", False)),
        (Masked(), {"mask": "none"}, Call("", "", False)),
        (Plain(), {}, Call("", "", False)),
        (Attends(), {"ids": "input_ids", "hides": True}, Call("input_ids", "key_padding_mask", True)),
        (Takes(1, 2), {"mask": "mask"}, Call("", "mask", False)),
        (Kwargs(1, 2), {"ids": "x", "mask": "m"}, Call("x", "m", False)),
    ],
)
def test_the_call(module, said, call):
    assert call_of(module, **({"ids": "", "mask": "auto", "hides": False} | said)) == call


@pytest.mark.parametrize(
    ("module", "said", "sentence"),
    [
        (
            Takes(1, 2),
            {},
            "Takes.forward takes mask and attn_mask: say which is the mask of the words, mask=…",
        ),
        (
            Masked(),
            {"mask": "attention_mask"},
            "expected mask to name an argument of Masked.forward, but got attention_mask: they are ids "
            "and mask",
        ),
        (
            Plain(),
            {"ids": "x"},
            "expected ids to name an argument of Plain.forward, but got x: they are ids",
        ),
    ],
)
def test_what_cannot_be_called_so(module, said, sentence):
    with pytest.raises(BadSetting) as refused:
        call_of(module, **({"ids": "", "mask": "auto", "hides": False} | said))
    assert str(refused.value) == sentence


def test_a_mask_that_hides_is_turned_round():
    ids, mask = torch.ones(1, 2, dtype=torch.long), torch.tensor([[True, False]])
    assert Call("x", "m", True)(Kwargs(1, 2), ids, mask)["m"].tolist() == [[False, True]]
    assert Call("x", "m", False)(Kwargs(1, 2), ids, mask)["x"] is ids


def test_sizes_are_given_by_name_else_in_order():
    assert made(Takes, THREE).got == (12, 3, 7, None)
    assert made(Kwargs, THREE).got == (3, 12)
    assert sizes_of(OWN) == (10, 2)


def test_a_class_that_needs_more():
    class Many(nn.Module):
        def __init__(self, words, classes, width): ...

    class Broken(nn.Module):
        def __init__(self, vocab):
            raise ValueError("no such thing")

    with pytest.raises(BadSetting) as refused:
        made(Many, THREE)
    assert str(refused.value) == (
        "Many(words, classes, width): expected a class that needs a vocabulary size and a number of "
        "classes at most, so give the others defaults"
    )
    with pytest.raises(BadSetting, match=r"^Broken\(vocab=12\) cannot be made: ValueError: no such thing$"):
        made(Broken, THREE)


def test_logits_in_what_a_module_answers():
    three = torch.randn(2, 3)
    for answer in (three, (three, 1), SimpleNamespace(logits=three), {"logits": three}):
        assert logits_of(answer, 2, 3, "Net") is three
    one = torch.tensor([1.0, -2.0])
    for answer in (one, one[:, None]):
        assert logits_of(answer, 2, 2, "Net").tolist() == [[0.0, 1.0], [0.0, -2.0]]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, "Net: expected logits, or an object with .logits, but got NoneType: let forward return them"),
        (
            torch.ones(2, 5, 3),
            "Net: expected logits of shape (2, 3), one for each of 2 texts and 3 classes, but got (2, 5, 3): "
            "check the classes, and that forward returns logits",
        ),
    ],
)
def test_what_are_no_logits(answer, sentence):
    with pytest.raises(BadSetting) as refused:
        logits_of(answer, 2, 3, "Net")
    assert str(refused.value) == sentence


def test_a_task_of_our_own_words():
    assert sizes_of(Task(9, ("a", "b", "c"))) == (9, 3)
