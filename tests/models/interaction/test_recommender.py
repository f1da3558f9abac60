"""What all recommenders share."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.models.interaction.recommender import Recommender
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.run import Run
from holdfast.models.text.average import Average
from holdfast.testing.histories import histories
from holdfast.testing.model import build
from holdfast.train.family import initial
from tests.models.interaction.twin import TASK

NAMES = ("bert4rec", "gru4rec", "sasrec")
PAIRS = ("deepicf", "fism", "gmf", "ncf", "neumf")


def test_the_catalogue_has_them_all():
    found = {name for name, cls in catalogue("models").items() if cls.reads == ("interaction",)}
    assert found == {*NAMES, *PAIRS}


@pytest.mark.parametrize("name", NAMES)
def test_built_from_its_name(name):
    model = make("models", f"{name}:dim=4").build(TASK)
    assert isinstance(model, Recommender)
    table = model.embedding.weight
    assert table.shape == (12, 4)
    assert 0 < float(table.detach().abs().max()) <= 0.04


@pytest.mark.parametrize("name", NAMES)
def test_histories_longer_than_the_model_sees_are_refused(name):
    model = build(make("models", f"{name}:dim=4"), replace(TASK, length=3))
    with pytest.raises(BadData, match=r"^expected histories of at most 3 items, but got 6: cut them to"):
        model(histories(TASK, 6))


def test_training_needs_what_came_next():
    model, batch = build(Sasrec(dim=4), TASK), histories(TASK, 6)
    with pytest.raises(BadData, match=r"^expected a batch to train on, with what came next \(following\)"):
        model.losses(replace(batch, following=None))
    with pytest.raises(BadData, match=r"^expected negatives in a batch to train on with the loss bce"):
        model.losses(replace(batch, negatives=None))


def test_positions_without_a_following_item_cost_nothing():
    model, batch = build(Sasrec(dim=4), TASK), histories(TASK, 6)
    late = torch.where(torch.arange(6) < 5, 0, batch.following)
    before = model.losses(replace(batch, following=late))
    gone = model.losses(replace(batch, following=torch.zeros_like(late)))
    assert (before[:4] > 0).all()
    assert torch.equal(gone, torch.zeros(5).double())


def test_words_are_refused_and_items_are_not_for_words():
    with pytest.raises(
        BadSetting, match=r"^sasrec: expected interaction data, but got text data: choose one of "
    ):
        Sasrec().build(Task(9, ("no", "yes")))
    with pytest.raises(
        BadSetting, match=r"^average: expected text data, but got interaction data: choose one of "
    ):
        Average().build(TASK)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("explainer", ["lrp", "deep_taylor", "guided_backprop"])
def test_relevance_does_not_pass_silently(name, explainer):
    model, batch = build(make("models", f"{name}:dim=4"), TASK), histories(TASK, 6).take(torch.tensor([0]))
    run = Run(model, {key: p.detach() for key, p in model.named_parameters()})
    with pytest.raises(BadSetting, match=f"^{explainer}: expected a model whose every operation has a rule"):
        make("explainers", explainer).suits(run, batch, torch.tensor([0]))


def test_bad_settings():
    with pytest.raises(
        BadSetting, match=r"^sasrec: expected dropout to be at least 0 and below 1, but got 1"
    ):
        Sasrec(dropout=1.0)
    with pytest.raises(
        BadSetting, match=r"^sasrec: expected loss to be bce, sampled or softmax, but got mse$"
    ):
        Sasrec(loss="mse")
    with pytest.raises(BadSetting, match=r"^sasrec: expected negatives to be at least 1, but got 0$"):
        Sasrec(negatives=0)
    with pytest.raises(BadSetting, match=r"^sasrec: expected dim to be at least 1, but got 0$"):
        Sasrec(dim=0)
    with pytest.raises(BadSetting, match=r"^sasrec: expected spread to be above 0, but got 0.0$"):
        Sasrec(spread=0.0)


@pytest.mark.parametrize("name", NAMES)
def test_a_wider_start_is_the_same_draw_stretched_for_items_alone(name):
    narrow, wide = (
        initial(make("models", f"{name}:dim=4{more}"), TASK, Member(3)) for more in ("", ",spread=0.06")
    )
    for key, tensor in narrow.items():
        factor = 3.0 if key == "embedding.weight" else 1.0
        torch.testing.assert_close(wide[key], factor * tensor)
