"""Which parameters are the vectors of items and users."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.models.interaction.item_model import ItemModel, items_of, users_of
from holdfast.train.family import Family

TASK = Task(10, (), length=8, users=5)
MODELS = {name for name, cls in catalogue("models").items() if "interaction" in cls.reads}
WITH_USERS = {"gmf", "ncf", "neumf"}


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_recommender_says_what_its_vectors_are(name):
    """The contract of a model says more of them."""
    family = Family.init(make("models", name), TASK, (Member(0), Member(1)))
    model = family.model
    assert isinstance(model, ItemModel)
    items, users = items_of(model, family.parameters), users_of(model, family.parameters)
    assert items.shape[:2] == (2, 9)
    assert torch.equal(items[1, 3, :2], family.parameters[model.item_vectors[0]][1, 4, :2])
    assert (users is not None) == (name in WITH_USERS)
    assert users is None or users.shape[:2] == (2, 5)


def test_other_models_have_none():
    model = make("models", "cnn").build(replace(TASK, classes=("a", "b"), length=None, users=0))
    assert items_of(model, {}) is None
    assert users_of(model, {}) is None
