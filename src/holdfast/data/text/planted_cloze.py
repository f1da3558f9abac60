"""Planted cloze questions: generated stories in which it is known where the answer stands.

A story has a sentence for each of its entities, which says what that one did, in any order, among sentences
that nobody asks about. The question leaves the entity of one of these sentences out. Its *rationale* are two
words of the answering sentence: the entity, which is the answer, and the verb, by which the sentence is found;
no other word of the story says anything about it. So a right explanation points at these two. Where and when
something was done is said of every entity, also in the question, and is drawn anew there: it does not matter.

Which entities a story has, which of them is asked for, who did what, and in which order it is told are drawn
independently and evenly. A model that ignores the story or the question is therefore right as often as chance,
one of the number of entities in the story, and no entity is the answer more often than another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from holdfast.core.draws import seed_of

T = TypeVar("T")
ENTITIES = tuple(f"@entity{number}" for number in range(12))
FEWEST, MOST = 3, 5  # entities of a story
VERBS = tuple(
    "sang slept danced laughed waited cooked painted fished prayed argued shouted worked "
    "swam wept whistled stumbled knitted cheered bowed sneezed".split()
)
PLACES = (
    "in the garden",
    "by the river",
    "at the market",
    "on the bridge",
    "near the old mill",
    "under the trees",
    "in the kitchen",
    "behind the church",
)
DOERS = 2
MENTIONS = (
    "{} was there too",
    "nobody saw {}",
    "a letter came for {}",
    "{} was far away",
    "they spoke of {}",
)
TIMES = ("all day", "at noon", "after the storm", "on monday", "for an hour", "before supper")
ASIDES = (
    "the day was long",
    "nobody knew why",
    "it rained a little",
    "the bells rang twice",
    "the road was empty",
    "there was bread and wine",
)
ASKED = ("{hole} {verb}", "it was {hole} who {verb}", "they said that {hole} {verb}")


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
    >>> " ".join(word for word, decides in zip(story.tokens, story.rationale) if decides)
    '@entity3 sang'
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
    count = FEWEST + int(random.random() * (MOST - FEWEST + 1))
    options, verbs = _some(random, range(len(ENTITIES)), count), _some(random, VERBS, DOERS)
    facts = list(zip(options[:DOERS], verbs, strict=True))
    answer, verb = _pick(random, facts)
    told = [(f"{ENTITIES[who]} {did}{_when(random)} .", who == answer) for who, did in facts]
    told += [(_pick(random, MENTIONS).format(ENTITIES[who]) + " .", False) for who in options[DOERS:]]
    told += [(f"{_pick(random, ASIDES)} .", False) for _ in range(int(random.random() * 3))]
    marked = [
        (word, decides and word in (ENTITIES[answer], verb))
        for sentence, decides in _some(random, told, len(told))
        for word in sentence.split()
    ]
    asked = _pick(random, ASKED).format(hole="@placeholder", verb=verb)
    words, rationale = zip(*marked, strict=True)
    return Story(words, rationale, f"{asked}{_when(random)} .", tuple(sorted(options)), answer)


def _when(random: Random) -> str:
    draw = random.random()
    return "" if draw < 0.4 else f" {_pick(random, PLACES)}" if draw < 0.7 else f" {_pick(random, TIMES)}"


def _pick(random: Random, things: Sequence[T]) -> T:
    # only `random()` is promised to stay the same in every Python, so nothing else is used
    return things[int(random.random() * len(things))]


def _some(random: Random, things: Sequence[T], count: int) -> list[T]:
    """So many of them, in random order."""
    ranked = sorted((random.random(), place) for place in range(len(things)))
    return [things[place] for _, place in ranked[:count]]
