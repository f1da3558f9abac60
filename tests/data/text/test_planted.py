import hashlib
import json

import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from holdfast.data.text.planted import LONGEST, SHORTEST, Review, reviews
from holdfast.data.text.planted_words import ADJECTIVES, NOUNS, SELDOM, VERBS
from holdfast.data.text.vocabulary import tokenise

POLAR = {tone: {*ADJECTIVES[tone], *SELDOM[tone], *NOUNS[tone], *VERBS[tone]} for tone in (True, False)}


@pytest.fixture(scope="module")
def made() -> list[list[Review]]:
    return reviews((500, 300, 2000))


def test_every_review_is_new_and_of_the_right_length(made: list[list[Review]]) -> None:
    every = [review for part in made for review in part]
    assert len({review.tokens for review in every}) == 2800
    assert all(SHORTEST <= len(review.tokens) <= LONGEST for review in every)
    assert all(tokenise(" ".join(review.tokens)) == list(review.tokens) for review in every)
    assert [review.positive for review in every[:4]] == [False, True, False, True]


def test_the_rationale_gives_the_verdict(made: list[list[Review]]) -> None:
    """Read by the rationale alone: the tone of its words, turned around by every denial among them."""
    for review in (review for part in made for review in part):
        kept = [token for token, decides in zip(review.tokens, review.rationale, strict=True) if decides]
        tones = {token in POLAR[True] for token in kept if token in POLAR[True] | POLAR[False]}
        denied = any(token not in POLAR[True] | POLAR[False] for token in kept)
        assert tones == {review.positive ^ denied}, review


def test_the_reviews_are_the_same_everywhere(made: list[list[Review]]) -> None:
    text = json.dumps([[review.tokens, review.rationale] for part in made for review in part])
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "a40d3c32338bc2e8"
    assert reviews((20,)) == [made[0][:20]]
    assert reviews((20,), seed=1) != reviews((20,))


def test_a_bag_of_words_is_neither_at_chance_nor_good(made: list[list[Review]]) -> None:
    test, _, train = ([" ".join(review.tokens) for review in part] for part in made)
    targets = [[review.positive for review in part] for part in made]
    count = CountVectorizer(token_pattern=r"\S+")
    model = LogisticRegression(max_iter=2000).fit(count.fit_transform(train), targets[2])
    assert 0.6 < model.score(count.transform(test), targets[0]) < 0.8
