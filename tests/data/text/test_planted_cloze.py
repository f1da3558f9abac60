"""Planted cloze questions: the truth is where it is said to be, and nothing else helps."""

import hashlib
import json
from collections import Counter

import pytest

from holdfast.data.text.cloze import marked
from holdfast.data.text.planted_cloze import ENTITIES, Story, stories
from holdfast.data.text.vocabulary import tokenise


@pytest.fixture(scope="module")
def made() -> list[Story]:
    return stories((2000,))[0]


def test_every_story_is_new_and_names_its_options(made: list[Story]) -> None:
    assert len({story.tokens for story in made}) == 2000
    for story in made:
        assert tokenise(" ".join(story.tokens), marks=True) == list(story.tokens)
        assert {ENTITIES.index(name) for name in marked(" ".join(story.tokens))} == set(story.options)
        assert story.answer in story.options
        assert len(story.tokens) <= 40


def test_the_rationale_answers_the_question(made: list[Story]) -> None:
    """Read by the rationale alone: who did what the question asks about; nobody else did it."""
    for story in made:
        entity, *deed = (w for w, decides in zip(story.tokens, story.rationale, strict=True) if decides)
        assert entity == ENTITIES[story.answer]
        assert story.question == f"@placeholder {' '.join(deed)} ."
        assert all(story.tokens.count(word) == 1 for word in (entity, *deed))


def test_a_model_that_ignores_the_story_is_at_chance(made: list[Story]) -> None:
    """Of the entities of a story, the one that a question most often has as its answer is right by chance."""
    train, test = made[:1500], made[1500:]
    counts = Counter((story.question, story.answer) for story in train)
    guesses = [max(story.options, key=lambda one: counts[story.question, one]) for story in test]
    right = sum(guess == story.answer for guess, story in zip(guesses, test, strict=True)) / len(test)
    chance = sum(1 / len(story.options) for story in test) / len(test)
    assert abs(right - chance) < 0.05
    answers = Counter(story.answer for story in made)
    assert max(answers.values()) < 1.3 * len(made) / len(ENTITIES)


def test_a_model_that_ignores_the_question_knows_half(made: list[Story]) -> None:
    """It knows the two who did something; whoever is named first is the answer less often."""
    first = [
        min(w for w in map(story.tokens.index, map(ENTITIES.__getitem__, story.options))) for story in made
    ]
    right = sum(
        story.tokens[at] == ENTITIES[story.answer] for at, story in zip(first, made, strict=True)
    ) / len(made)
    assert right < 0.5


def test_the_stories_are_the_same_everywhere(made: list[Story]) -> None:
    text = json.dumps([[story.tokens, story.rationale, story.question] for story in made])
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "8d6c691efa795e9c"
    assert stories((20,)) == [made[:20]]
    assert stories((20,), seed=1) != stories((20,))
