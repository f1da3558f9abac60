"""Does an explanation survive another seed? The hold, its interval, and what could have gone unseen."""

from holdfast.data.reading import listed
from holdfast.measure.hold import MOST, Hold, members_to_settle, unseen_share
from holdfast.measure.odd_members import Groups
from holdfast.measure.question import SHORT, Name, Question, Word, ends, not_asked, places

SHAKY, HOLDS = 0.4, 0.7
MEMBERS, INSTANCES = 10, 100
IMPOSTORS = 2
"""So many impostors at least, or nothing is said to hold: a shuffled copy alone is too weak an opponent."""


def survives(hold: Hold | None, groups: Groups | None, instances: int, of: str = "seed") -> Question:
    """*Does not hold* where the whole interval lies below 0.4, *shaky* inside 0.4 to 0.7, passed from 0.7.

    Ten members, a hundred instances, two impostors and no group apart are needed to pass; ``of`` is what
    members are: a seed, a fold, a run.
    """
    if hold is None:
        return not_asked("survives", SHORT)
    return judged("survives", hold, _lacks(hold, groups, instances, of), of)


def alone(of: str = "seed") -> Question:
    """Whether it survives another member cannot be asked of a single one."""
    return not_asked("survives", f"one {of} says nothing of another: bring two more")


def judged(name: Name, hold: Hold, lacks: str, of: str, what: str = "", beside: str = "") -> Question:
    """The answer that a hold gives, unless something ``lacks`` before it may be said to hold; ``what`` says
    of which change it is the hold, ``beside`` what a reader must know too."""
    low, high = _interval(hold)
    words = _words(low, high)
    if words == ("holds",) and lacks:
        words = ("shaky", "holds")
    limit = HOLDS if "holds" in words or words == ("shaky",) else SHAKY
    passed = words == ("holds",)
    answer = "passed" if passed else "failed" if len(words) == 1 else "undecided"
    because = _because(hold, low, high, words, lacks if "holds" in words else "", of, what)
    because += f"; {beside}" if beside else ""
    settle = _settle(hold, words, low) if answer == "undecided" else None
    rest = () if passed else words
    return Question(name, answer, hold.value, low, high, limit, rest, because, settle)  # type: ignore[arg-type]


def word_of(low: float | None, high: float | None) -> Word | None:
    """The word for an interval that lies on one side of each limit, else None.

    >>> word_of(0.72, 0.9), word_of(0.5, 0.72)
    ('holds', None)
    """
    words = _words(low, high)
    return words[0] if len(words) == 1 else None


def _words(low: float | None, high: float | None) -> tuple[Word, ...]:
    """The words that an interval reaches into; all of them where there is no interval."""
    bottom, top = -1e9 if low is None else low, 1e9 if high is None else high
    reached = {
        "does not hold": bottom < SHAKY,
        "shaky": bottom < HOLDS and top >= SHAKY,
        "holds": top >= HOLDS,
    }
    return tuple(word for word, inside in reached.items() if inside)  # type: ignore[misc]


def _interval(hold: Hold) -> tuple[float | None, float | None]:
    """The ends of the interval: two members have none, whatever they say; more that say the very same are
    as sure as can be."""
    if hold.n == 2:
        return None, None
    return (hold.value, hold.value) if hold.value == 1.0 else (hold.low, hold.high)


def _lacks(hold: Hold, groups: Groups | None, instances: int, of: str) -> str:
    """What is missing before it may be said to hold."""
    if hold.n < MEMBERS:
        return f"{hold.n} {of}s are too few to say that it holds ({MEMBERS} are needed)"
    if instances < INSTANCES:
        return f"{instances} examples are too few to say that it holds ({INSTANCES} are needed)"
    if len(hold.against) < IMPOSTORS:
        return "only one impostor could be made, which is too weak an opponent"
    return _apart(groups)


def _apart(groups: Groups | None) -> str:
    """Which members explain otherwise than the rest."""
    if groups is None or not groups.apart:
        return ""
    explain = "explains" if len(groups.smaller) == 1 else "explain"
    return f"{listed(groups.smaller)} {explain} otherwise than the rest (groups {places(groups.gap)} apart)"


def _because(
    hold: Hold,
    low: float | None,
    high: float | None,
    words: tuple[Word, ...],
    besides: str,
    of: str,
    what: str,
) -> str:
    # a hold below 0 is no better than the impostor, and is said so
    value, *between = (None if end is None else max(end, 0.0) for end in (hold.value, low, high))
    whose = "in this one model" if hold.n == 1 else f"over {hold.n} {of}s"
    held = f"hold {places(value or 0.0)}{ends(*between)}{what} {whose}, against {hold.nearest}"
    if low is None or high is None:
        return f"{held}: {f'two {of}s give' if hold.n > 1 else 'one example gives'} no margin of error"
    if low == high == 0:
        return f"{held}: it does not depend on what was learned"
    if besides:
        return f"{held}; {besides}"
    if hold.n == 1:
        return held
    odd = f"odd {of}s up to {100 * unseen_share(hold.n):.0f} % would not have been seen"
    return f"{held}; {odd}" if words == ("holds",) else held


def _settle(hold: Hold, words: tuple[Word, ...], low: float | None) -> int | None:
    """About how many members would leave one word; 0: more than fifty. Of a single one examples decide."""
    if hold.n == 1:
        return None
    if low is None:
        return MEMBERS
    least = MEMBERS if "holds" in words else hold.n + 1
    if low >= HOLDS:
        return least if hold.n < MEMBERS else None
    nearest = next(one for one in hold.against if one.impostor == hold.nearest)
    limits = [limit for limit, word in ((SHAKY, "does not hold"), (HOLDS, "holds")) if word in words]
    counts = [members_to_settle(nearest, hold.n, limit) for limit in limits]
    known = [count for count in counts if count is not None]
    return min(max(*known, least), MOST) if len(known) == len(counts) else 0
