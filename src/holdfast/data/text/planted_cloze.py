"""Planted cloze questions: generated stories in which it is known where the answer stands.

Two entities of a story do something each ("@entity3 baked fresh bread"); one or two others are only
mentioned, and some sentences name nobody. The question repeats what one of the two did and leaves its entity
out. Its *rationale* are the words of the answering sentence: the entity, which is the answer, and the verb
and its object, by which the sentence is found. No other word of the story says who did it (what the other one
did says at most who did not), so a right explanation points at these four. Any one of the three words of a
deed is enough to find the sentence: a model may lean on some of them more than on others.

Which entities a story has, which of the two is asked for, what they did, and in which order it is told are
drawn independently and evenly. So no entity is the answer more often than another, and a model that ignores
the story is right as often as chance: once in as many times as the story has entities. (A model that ignores
the question can know that those who are only mentioned are never asked for, and be right half the time.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from holdfast.core.draws import seed_of

T = TypeVar("T")
ENTITIES = tuple(f"@entity{number}" for number in range(10))
DEEDS = (
    "baked fresh bread",
    "mended old nets",
    "sold red apples",
    "wrote long letters",
    "painted green doors",
    "fed young horses",
    "sang sad hymns",
    "carried cold water",
    "chopped dry wood",
    "read short poems",
)
MENTIONS = (
    "{} was there too",
    "nobody saw {}",
    "a letter came for {}",
    "{} was far away",
    "they spoke of {}",
)
ASIDES = ("the day was warm", "nobody knew why", "it rained a little", "the road was empty")


@dataclass(frozen=True)
class Story:
    """One story with its question: tokens, which of them decide, the entities by number, and the answer."""

    tokens: tuple[str, ...]
    rationale: tuple[bool, ...]
    question: str
    options: tuple[int, ...]
    answer: int


def stories(sizes: Sequence[int], seed: int = 0) -> list[list[Story]]:
    """Lists of stories of these sizes, all different from each other.

    >>> (story,), = stories([1])
    >>> " ".join(word for word, decides in zip(story.tokens, story.rationale) if decides), story.question
    ('@entity8 wrote long letters', '@placeholder wrote long letters .')
    """
    random = Random(seed_of(None, "planted-cloze", seed))
    seen: set[tuple[str, ...]] = set()
    return [[_fresh(random, seen) for _ in range(size)] for size in sizes]


def _fresh(random: Random, seen: set[tuple[str, ...]]) -> Story:
    while True:
        story = _story(random)
        if story.tokens not in seen:
            seen.add(story.tokens)
            return story


def _story(random: Random) -> Story:
    options = _some(random, range(len(ENTITIES)), 3 + int(random.random() * 2))
    deeds, answer = _some(random, DEEDS, 2), int(random.random() * 2)
    told = [f"{ENTITIES[who]} {deed} ." for who, deed in zip(options, deeds, strict=False)]
    others = [_pick(random, MENTIONS).format(ENTITIES[who]) + " ." for who in options[2:]]
    others += [f"{_pick(random, ASIDES)} ." for _ in range(int(random.random() * 3))]
    marked = [
        (word, sentence == told[answer] and word != ".")
        for sentence in _some(random, [*told, *others], len(told) + len(others))
        for word in sentence.split()
    ]
    words, rationale = zip(*marked, strict=True)
    question = f"@placeholder {deeds[answer]} ."
    return Story(words, rationale, question, tuple(sorted(options)), options[answer])


def _pick(random: Random, things: Sequence[T]) -> T:
    # only `random()` is promised to stay the same in every Python, so nothing else is used
    return things[int(random.random() * len(things))]


def _some(random: Random, things: Sequence[T], count: int) -> list[T]:
    """So many of them, in random order."""
    ranked = sorted((random.random(), place) for place in range(len(things)))
    return [things[place] for _, place in ranked[:count]]
