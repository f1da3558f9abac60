"""Planted reviews: generated sentences whose true explanation is known.

Every review says whether somebody liked a film. The words that decide, a word of praise or blame and
whatever turns it around, are the *rationale*. What makes it hard is what makes real reviews hard: negation
near and far, negation that turns nothing around, a clause that overrules another ("but", "although"), praise
and blame of things that do not matter (the weather, the popcorn, another film), and rare words. No label is
wrong. A bag of words gets about 71 % of the test reviews right, a CNN 86 %, a BiLSTM 93 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from holdfast.core.draws import seed_of
from holdfast.data.text.planted_words import (
    ADJECTIVES,
    ASPECTS,
    COPULAS,
    DEGREES,
    DENIALS,
    ELSEWHERE,
    FILLERS,
    NOUNS,
    OTHERS,
    SELDOM,
    VERBS,
)

SHORTEST, LONGEST = 6, 24
MARK = "*"  # put before every token of the rationale while a sentence is being made


@dataclass(frozen=True)
class Review:
    """One generated review: tokens, which of them decide, and whether it is praise."""

    tokens: tuple[str, ...]
    rationale: tuple[bool, ...]
    positive: bool


def reviews(sizes: Sequence[int], seed: int = 0) -> list[list[Review]]:
    """Lists of reviews of these sizes, all different from each other, praise and blame in turn.

    >>> (first, second), = reviews([2])
    >>> first.positive, second.positive
    (False, True)
    """
    random = Random(seed_of(None, "planted", seed))
    seen: set[tuple[str, ...]] = set()
    return [[_fresh(random, bool(row % 2), seen) for row in range(size)] for size in sizes]


def _fresh(random: Random, positive: bool, seen: set[tuple[str, ...]]) -> Review:
    while True:
        marked = _review(random, positive).split()
        tokens = tuple(token.removeprefix(MARK) for token in marked)
        if SHORTEST <= len(tokens) <= LONGEST and tokens not in seen:
            seen.add(tokens)
            return Review(tokens, tuple(token.startswith(MARK) for token in marked), positive)


def _review(random: Random, positive: bool) -> str:
    verdict = _verdict(random, positive)
    before = [_aside(random, positive) for _ in range(_count(random))]
    after = [_aside(random, positive) for _ in range(_count(random))]
    end = " ." if random.random() < 0.8 else ""
    return " , ".join([*before, verdict, *after]) + end


def _verdict(random: Random, positive: bool) -> str:
    """The part that decides; in one of eight reviews there is a clause that it overrules."""
    main, draw = _clause(random, positive), random.random()
    if draw < 0.88:
        return main
    overruled = _plain(_clause(random, not positive))
    if draw < 0.94:
        return f"{overruled} , but {main}"
    if draw < 0.98:
        return f"although {overruled} , {main}"
    return f"{main} , although {overruled}"


def _clause(random: Random, positive: bool) -> str:
    """One judgement of the film, with its rationale marked."""
    draw = random.random()
    if draw < 0.5:
        return _adjective_clause(random, positive)
    if draw < 0.7:
        return _noun_clause(random, positive)
    if draw < 0.9:
        return _verb_clause(random, positive)
    return _scope_clause(random, positive)


def _adjective_clause(random: Random, positive: bool) -> str:
    subject = f"the {_pick(random, ASPECTS)} {_pick(random, COPULAS)}"
    degree = f"{_pick(random, DEGREES)} " if random.random() < 0.4 else ""
    if random.random() < 0.88:
        return f"{subject} {degree}{_marked(_adjective(random, positive))}"
    denied = _marked(_adjective(random, not positive))
    return f"{subject} {_marked(_pick(random, DENIALS))} {degree}{denied}"


def _noun_clause(random: Random, positive: bool) -> str:
    if random.random() < 0.88:
        return f"it is a {_marked(_rare(random, NOUNS[positive]))}"
    denial = _pick(random, ["*hardly a", "*no", "*not a", "*never a", "*far *from a"])
    return f"it is {denial} {_marked(_rare(random, NOUNS[not positive]))}"


def _verb_clause(random: Random, positive: bool) -> str:
    things = f"the {_pick(random, ASPECTS)}"
    if random.random() < 0.88:
        return f"i {_marked(_rare(random, VERBS[positive]))} {things}"
    denial = _pick(random, ["do *n't", "did *n't", "could *not", "*never"])
    return f"i {denial} {_marked(_rare(random, VERBS[not positive]))} {things}"


def _scope_clause(random: Random, positive: bool) -> str:
    """Negation far from what it turns around, and negation that turns nothing around."""
    aspect, same = f"the {_pick(random, ASPECTS)}", _marked(_adjective(random, positive))
    other = _marked(_adjective(random, not positive))
    forms = [
        f"i do *not think that {aspect} is {other}",
        f"*nobody would call {aspect} {other}",
        f"there is *nothing {other} about {aspect}",
        f"there is no doubt that {aspect} is {same}",
        f"{aspect} is not only {same} but also {_marked(_adjective(random, positive))}",
        f"i can not say how {same} {aspect} is",
    ]
    return _pick(random, forms)


def _aside(random: Random, positive: bool) -> str:
    """Something that does not matter; its praise or blame speaks for the verdict as often as against it."""
    if random.random() < 0.75:
        return _pick(random, FILLERS)
    tone = positive if random.random() < 0.5 else not positive
    word = _adjective(random, tone)
    forms = [
        f"the {_pick(random, ELSEWHERE)} {_pick(random, COPULAS)} {word}",
        f"the {_pick(random, ELSEWHERE)} {_pick(random, COPULAS)} not {_adjective(random, not tone)}",
        f"unlike the {word} {_pick(random, OTHERS)}",
        f"we {_rare(random, VERBS[tone])} the {_pick(random, ELSEWHERE)}",
        f"the {_pick(random, ELSEWHERE)} was a {_rare(random, NOUNS[tone])}",
    ]
    return _pick(random, forms)


def _count(random: Random) -> int:
    draw = random.random()
    return 0 if draw < 0.4 else 1 if draw < 0.9 else 2


def _pick(random: Random, words: Sequence[str]) -> str:
    # only `random()` is promised to stay the same in every Python, so nothing else is used
    return words[int(random.random() * len(words))]


def _adjective(random: Random, positive: bool) -> str:
    if random.random() < 0.15:
        return _pick(random, SELDOM[positive])
    return _rare(random, ADJECTIVES[positive])


def _rare(random: Random, words: Sequence[str]) -> str:
    """The first words are common, the last rare: the place is the square of a uniform number."""
    return words[int(random.random() ** 2 * len(words))]


def _marked(words: str) -> str:
    return " ".join(MARK + word for word in words.split())


def _plain(clause: str) -> str:
    return clause.replace(MARK, "")
