"""The suite sees a temperature that is trained, or that divides too little or too much, and names of
attention tensors that are too many or too few."""

import pytest
import torch
import torch.nn.functional as F

from holdfast.core.records import PLAIN
from holdfast.data.base import Task
from holdfast.models.image.deep import Deep
from holdfast.models.interaction.gmf import Gmf
from holdfast.models.interaction.gru4rec import Gru4rec
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.text.average import Average
from holdfast.models.text.classifier import TextModel
from holdfast.models.text.transformer import Transformer
from holdfast.testing.histories import histories
from holdfast.testing.model import example
from holdfast.testing.named_tensors import check_attention_names, check_temperature, check_vectors

TASK = Task(12, ("no", "yes"))


def broken(model):
    """A small classifier of this class, in double precision."""
    good = Average(hidden=4, dim=3).build(TASK)
    return model(TASK, good.embedding, (good.encoder,), "additive").double()


class Trained(TextModel):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.temperature = torch.nn.Parameter(torch.ones(()))


class Cold(TextModel):
    def tempered(self, logits):
        return logits


class ColdSubsets(TextModel):
    def subsets(self, batch, kept, stays=False):
        return super().subsets(batch, kept, stays) * self.temperature


class ColdLosses(TextModel):
    def losses(self, batch, edit=PLAIN):
        return F.cross_entropy(self(batch, edit).logits * self.temperature, batch.targets, reduction="none")


class Heated(TextModel):
    def embed(self, batch):
        return super().embed(batch) * self.temperature

    def encode(self, embedded, batch, edit):
        return super().encode(embedded / self.temperature, batch, edit)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Trained, "the temperature would be trained"),
        (Cold, "the temperature does not divide the logits"),
        (ColdSubsets, "the temperature does not divide the logits of subsets"),
        (ColdLosses, "the temperature is not in the losses"),
        (Heated, "the temperature changes more than the logits"),
    ],
)
def test_a_broken_temperature_is_seen(model, message):
    with pytest.raises(AssertionError, match=f"^{message}"):
        check_temperature(broken(model), example(TASK))


def test_the_frame_itself_is_sound():
    check_temperature(broken(TextModel), example(TASK))
    check_attention_names(broken(TextModel), example(TASK))


POOL = ("pool.states.weight", "pool.states.bias", "pool.score.weight")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "attention_names is empty, or the model has no attention, but not both"),
        ((*POOL, "pool.nothing"), r"attention_names has \['pool.nothing'\], which is not a parameter"),
        ((*POOL, "head.weight"), "attention_names has head.weight, which changes no map"),
        (POOL[:2], "the attention depends on more than attention_names"),
    ],
)
def test_broken_attention_names_are_seen(names, message):
    model = broken(type("Named", (TextModel,), {"attention_names": names}))
    with pytest.raises(AssertionError, match=f"^{message}$"):
        check_attention_names(model, example(TASK))


@pytest.mark.parametrize(
    ("architecture", "task", "names"),
    [
        (Average(hidden=4, dim=3), TASK, POOL),
        (Average(hidden=4, dim=3, attention="dot"), TASK, ("pool.weight",)),
        (Average(hidden=4, dim=3, attention="dot"), Task(12, ("a", "b"), pair=True), ("pool.query.weight",)),
        (
            Transformer(hidden=4, dim=3, attention="dot"),
            Task(12, ("a", "b"), pair=True),
            ("encoder.blocks.stack.0.inputs", "encoder.blocks.stack.1.inputs", "pool.query.weight"),
        ),
        (Sasrec(dim=4), Task(9, (), length=5), ("blocks.stack.0.inputs", "blocks.stack.1.inputs")),
        (Gru4rec(dim=4), Task(9, (), length=5), ()),
        (Deep(), Task(0, ("a", "b", "c"), strip=(4, 8, 2)), ()),
    ],
)
def test_the_tensors_that_make_the_attention(architecture, task, names):
    assert architecture.build(task).attention_names == names


ITEMS = Task(9, (), length=8, users=4)


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        ("item_vectors", "vectors", "item_vectors has vectors, which is not a parameter"),
        ("user_vectors", "embedding_item.weight", "which has not 4 rows"),
        ("item_vectors", "spare", "item_vectors has spare, which changes no score"),
    ],
)
def test_broken_vectors_are_seen(kind, name, message):
    model = Gmf(dim=3).build(ITEMS)
    model.register_parameter("spare", torch.nn.Parameter(torch.zeros(9, 2)))
    model.__class__ = type("Named", (type(model),), {kind: (name,)})
    with pytest.raises(AssertionError, match=message):
        check_vectors(model, histories(ITEMS, 4), ITEMS)
