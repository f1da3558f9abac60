"""What the paper says of SEAT, and what it does not ask, as numbers that must be above 0."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdfast.studies.seat.numbers import (
    COMPREHENSIVE,
    HOLD,
    SCORE,
    SEEDS,
    SENSITIVE,
    SUFFICIENT,
    by_repair,
    jsd,
    rivals,
    tvd,
    under,
)
from holdfast.studies.seat.plan import (
    ASWA,
    BOTH,
    NO_STABILITY,
    NO_TOPK,
    NONE,
    SEAT,
    SHARED,
    TABLE_1,
    TABLE_4,
)
from holdfast.studies.seat.printed import f1_above, f1_lost, lowest, rivals_moved
from holdfast.studies.seat.surrogates import FOLLOWS
from holdfast.study.measurement import FamilyKey, QuantityKey
from holdfast.study.numbers import Part

Known = Mapping[str, FamilyKey]
Pairs = Sequence[tuple[FamilyKey, FamilyKey]]
LEAST = 0.1  # of a ratio: what ten other seeds move it by is no difference
POINT = 0.005  # of F1, and of a probability
HELD = 0.05  # of hold
ORDER = 0.3  # of a rank correlation
MARGIN = 0.008  # of F1: the most that SEAT loses in the paper
OURS = "ours: the paper does not ask"
TABLE_2, TABLE_4_SAID = "yes (Table 2)", "yes (Table 4; which single term is inferred)"
OF_HOLD = {
    SEAT: "SEAT raises the hold of attention",
    SHARED: "SEAT with one teacher for all seeds raises the hold of attention (by construction)",
    ASWA: "ASWA raises the hold of attention",
    "naswa": "NASWA raises the hold of attention",
    BOTH: "SEAT with ASWA raises the hold of attention",
}


@dataclass(frozen=True)
class Question:
    """A claim that of each of the ``pairs`` (or, not ``every``, in the mean) the first family's number is
    larger than the second's, by ``more`` at least; with ``log`` how many times, ``least`` beyond once. The
    second family is the changed one where the number ``falls``, else the first. A family paired with itself
    is asked whether its number is above 0."""

    statement: str
    published: str
    what: QuantityKey
    pairs: Pairs
    log: bool = False
    falls: bool = False
    every: bool = True
    least: float = 0.0
    more: float = 0.0

    @property
    def least_known(self) -> float:
        """The least that matters, of what the parts are made of."""
        return math.log1p(self.least) if self.log else self.least

    def part(self, pair: tuple[FamilyKey, FamilyKey]) -> Part:
        """What must be above 0."""
        first, second = pair
        if first == second:
            return Part(first.model, ((1.0, first, self.what),))
        terms = ((1.0, first, self.what), (-1.0, second, self.what))
        return Part(called(pair), terms, -self.more)


def called(pair: tuple[FamilyKey, FamilyKey]) -> str:
    """``rnn: word_at against seat``."""
    first, second = pair
    return first.model if first == second else f"{first.model}: {first.repair} against {second.repair}"


def questions(families: Sequence[FamilyKey], words: str) -> list[Question]:
    """Every question that these families, of one data set, can answer; ``words`` names the perturbation of
    words."""
    models = [by_repair(families, model) for model in dict.fromkeys(family.model for family in families)]
    every = [*_moved(models, words), *_scored(models), *_ablated(models), *_faithful(models), *_held(models)]
    return [question for question in every if question.pairs]


def _pairs(models: Sequence[Known], first: str, second: str) -> list[tuple[FamilyKey, FamilyKey]]:
    return [(known[first], known[second]) for known in models if first in known and second in known]


def _moved(models: Sequence[Known], words: str) -> Iterator[Question]:
    """SEAT, its rivals and the vanilla model under noise on the vectors, with other words, and over seeds."""
    all_rivals = [(one, known) for known in models for one in rivals(known).values()]
    others = [(one, known[SEAT]) for one, known in all_rivals if SEAT in known]
    others = [*_pairs(models, NONE, SEAT), *others]
    beside = [(one, known[NONE]) for one, known in all_rivals if NONE in known]
    for table, (attention, prediction), where in (
        ("1", under(TABLE_1), "under noise on the word vectors"),
        ("3", (jsd(words), tvd(words)), "when a word is changed"),
    ):
        attends, predicts = lowest(table, "jsd"), lowest(table, "tvd_sum")
        for thing, what, said in (("attention", attention, attends), ("prediction", prediction, predicts)):
            statement = f"SEAT's {thing} moves least of all {where}"
            yield Question(statement, said, what, others, log=True, falls=True, least=LEAST)
        more = table == "1"
        pairs = beside if more else [(second, first) for first, second in beside]
        statement = (
            f"the rivals' attention moves {'more' if more else 'less'} than the vanilla model's {where}"
        )
        said = rivals_moved(table, more)
        yield Question(statement, said, attention, pairs, log=True, falls=not more, every=False, least=LEAST)
    statement = "seeds agree more on attention with SEAT than without"
    said = "yes, on SST, Hate and Rotten Tomatoes (Figure 2)"
    yield Question(statement, said, SEEDS, _pairs(models, NONE, SEAT), log=True, falls=True, least=LEAST)


def _scored(models: Sequence[Known]) -> Iterator[Question]:
    """What SEAT costs."""
    pairs = _pairs(models, SEAT, NONE)
    yield Question(
        f"SEAT's F1 is at most {MARGIN} below the vanilla one", f1_lost(), SCORE, pairs, more=-MARGIN
    )
    yield Question("SEAT's F1 is above the vanilla one", f1_above(), SCORE, pairs, every=False, least=POINT)


def _ablated(models: Sequence[Known]) -> Iterator[Question]:
    """Table 4: SEAT without each of its penalties; and what the top-k loss stands for."""
    said, plain = TABLE_4_SAID, _pairs(models, NONE, NO_STABILITY)
    yield Question("the top-k term alone costs F1", said, SCORE, plain, falls=True, least=POINT)
    restored = _pairs(models, SEAT, NO_STABILITY)
    yield Question("the stability term restores it", said, SCORE, restored, least=POINT)
    topk = [*plain, *_pairs(models, NO_TOPK, SEAT)]
    yield Question("the top-k term lowers sufficiency", said, SUFFICIENT, topk, falls=True, least=POINT)
    stability = [*_pairs(models, NONE, NO_TOPK), *_pairs(models, NO_STABILITY, SEAT)]
    statement = "the stability term lowers how far predictions move under noise of radius 0.01"
    yield Question(statement, said, under(TABLE_4)[1], stability, log=True, falls=True, least=LEAST)
    statement, said = "the top-k loss follows the true overlap", "yes (Figure 5, not in our copy)"
    own = [(known[SEAT], known[SEAT]) for known in models if SEAT in known]
    yield Question(statement, said, QuantityKey(FOLLOWS), own, least=ORDER)


def _faithful(models: Sequence[Known]) -> Iterator[Question]:
    """Table 2, whose numbers are lost."""
    up, down = _pairs(models, SEAT, NONE), _pairs(models, NONE, SEAT)
    yield Question("SEAT raises comprehensiveness", TABLE_2, COMPREHENSIVE, up, least=POINT)
    yield Question("SEAT lowers sufficiency", TABLE_2, SUFFICIENT, down, falls=True, least=POINT)
    statement = "SEAT lowers the noise on the top words that flips a prediction (sensitivity)"
    yield Question(statement, TABLE_2, SENSITIVE, down, log=True, falls=True, least=LEAST)


def _held(models: Sequence[Known]) -> Iterator[Question]:
    """What each repair does to the hold."""
    for repair, statement in OF_HOLD.items():
        yield Question(statement, OURS, HOLD, _pairs(models, repair, NONE), least=HELD)
    yield Question("ASWA raises hold more than SEAT", OURS, HOLD, _pairs(models, ASWA, SEAT), least=HELD)
    statement = "SEAT with ASWA raises hold beyond ASWA alone"
    yield Question(statement, OURS, HOLD, _pairs(models, BOTH, ASWA), least=HELD)
