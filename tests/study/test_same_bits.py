from types import SimpleNamespace

from holdfast.core.records import Member
from holdfast.study.same_bits import alike, same_bits


def family(*weights):
    """Members with these digests."""
    members = tuple(Member(seed) for seed in range(len(weights)))
    notes = {
        member: {"sha256": digest} if digest else None
        for member, digest in zip(members, weights, strict=True)
    }
    job = SimpleNamespace(note=notes.get)
    return SimpleNamespace(members=members, job=job)


def test_members_are_known_by_their_weights():
    assert alike(family("a", "b", "a", "c", "b")) == [[0, 2], [1, 4]]
    assert not same_bits(family("a", "b", "a"))
    assert same_bits(family("a", "a"))


def test_weights_that_are_gone_say_nothing():
    assert alike(family("", "")) == []
    assert not same_bits(family("", ""))
    assert not same_bits(family("a"))
