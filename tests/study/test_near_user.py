"""What is near a user of a data set."""

import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.data.source import Source, load
from holdfast.study.near_user import NearUser
from holdfast.train.family import Family

DATA = load(Source("planted-plays:users=60,length=12"))
SEEDS = tuple(map(Member, range(6)))


def family(model):
    return Family.init(make("models", model), DATA.task, SEEDS)


def test_an_item_whose_vector_is_next_to_a_recommended_one_is_named():
    known = DATA.histories.of(3).long()
    new = next(item for item in range(1, DATA.task.vocabulary) if item not in set(known.tolist()))
    some = family("sasrec:dim=8")
    some.parameters["embedding.weight"][:, new] = some.parameters["embedding.weight"][:, known[0]] + 1e-4
    near = NearUser(some, DATA, 3, 1)
    assert [(one.name, one.agree) for one in near.items(new)] == [(DATA.item_name(int(known[0])), 6)]
    assert near.users() is None
    assert near.taken(new) is None


def test_users_with_the_same_vector_are_near():
    some = family("gmf:dim=8")
    table = some.parameters["embedding_user.weight"]
    table[:, 9] = table[:, 3] + 1e-5
    near = NearUser(some, DATA, 3, 1)
    assert [one.name for one in near.users().named] == [DATA.user_name(9)]
    assert near.taken(int(DATA.histories.of(9)[0])).took >= 1.0
    assert not near.items(1)


def test_nothing_is_near_in_untrained_vectors():
    for model in ("deepicf", "neumf"):
        near = NearUser(family(model), DATA, 5, 5)
        assert not any(near.items(item) for item in range(1, 20))
        assert torch.is_tensor(near.vectors)
