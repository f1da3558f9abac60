from holdfast.core.records import Member
from holdfast.data.scores.given import bring
from tests.data.scores.made import made


def test_all_explanations_have_the_same_members_and_positions():
    own = made(members=2, examples=3)
    brought = bring({"a": own.scores, "b": own.scores}, seeds=[7, 9])
    assert brought.first is brought.explanations["a"]
    assert brought.members == (Member(7), Member(9))
    assert brought.mask.shape == (3, 6)
    assert brought.probabilities is brought.labels is brought.tokens is brought.predict is None
