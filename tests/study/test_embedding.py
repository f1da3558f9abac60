"""What vectors know of groups, in every space and before training."""

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.data.interaction.attributes import Attribute
from holdfast.measure.embedding import pca
from holdfast.study.embedding import plane, space_purity, vectors_of
from holdfast.train.family import Family

TASK = Task(61, (), length=5, users=40)
ITEMS = Attribute.of("kind", [["a"] if n % 2 else ["b"] for n in range(60)])


def family():
    made = Family.init(make("models", "gmf:dim=4"), TASK, tuple(map(Member, range(3))))
    made.parameters["embedding_item.weight"][:, 1:, 2] += ITEMS.inside[:, 0].float()  # as if it were learned
    return made


def test_what_was_learned_is_seen_and_untrained_vectors_know_nothing():
    found = list(space_purity(family(), ITEMS, "items", ks=(10,), spaces=("full", "pca")))
    whole = {(one.space, one.trained): one.purity for one in found if not one.purity.group}
    assert set(whole) == {("full", True), ("pca", True), ("full", False), ("pca", False)}
    for space in ("full", "pca"):
        assert whole[space, True].share.value == 1.0
        assert abs(whole[space, False].gain.value) < 0.1
    assert {one.purity.group for one in found} == {"", "a", "b"}


def test_a_plane_is_that_of_one_member():
    some = family()
    assert torch.equal(plane(some, "users", 2), pca(some.parameters["embedding_user.weight"][2]).points)
    assert plane(some, "items", space="tsne").shape == (60, 2)
    assert vectors_of(some, "items").shape == (3, 60, 4)


def test_what_does_not_fit_is_refused():
    with pytest.raises(BadSetting, match=r"^kind: expected that of 40 users, but got 60: take the attribute"):
        list(space_purity(family(), ITEMS, "users"))
    made = Family.init(make("models", "sasrec:dim=4"), TASK, (Member(0),))
    with pytest.raises(
        BadSetting, match=r"^this model has no vectors of users: choose one that has, such as gmf$"
    ):
        vectors_of(made, "users")
