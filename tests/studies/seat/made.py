"""Rows of families whose numbers were chosen."""

import random
from itertools import combinations

from holdfast.studies.seat.measures import CHANGED, CONSTANT, F1, FLIPPED, MOVED, UNFLIPPED, name_of
from holdfast.studies.seat.numbers import COMPREHENSIVE, SENSITIVE, SUFFICIENT
from holdfast.studies.seat.plan import ASWA, BOTH, NO_STABILITY, NO_TOPK, NOISES, NONE, RIVALS, SEAT
from holdfast.studies.seat.strengths import VALIDATION
from holdfast.studies.seat.surrogates import FOLLOWS, LOSS, OVERLAP
from holdfast.study.measurement import Measurement

SEEDS, GROUPS, TEXTS = 6, 5, 40
WORDS = "neighbours"
NUMBERS = {
    "jsd": 0.01,
    "tvd": 0.05,
    "flipped": 0.02,
    "f1": 0.8,
    "hold": 0.5,
    "apart": 0.2,
    "comprehensiveness": 0.1,
    "sufficiency": 0.1,
    "sensitivity": 1.0,
    "constant": 0.0,
    "contrast": 0.7,
    "validation": 0.8,
}
# As the paper has it: what every method changes of the vanilla model's numbers
AS_CLAIMED = {
    NONE: {},
    **{f"{name}:strength=0.3": {"jsd": 0.02, "tvd": 0.02} for name in RIVALS},
    SEAT: {
        "jsd": 0.001, "tvd": 0.01, "f1": 0.82, "hold": 0.6, "apart": 0.1, "comprehensiveness": 0.15,
        "sufficiency": 0.02, "sensitivity": 0.5,
    },
    NO_STABILITY: {"f1": 0.75, "sufficiency": 0.05, "tvd": 0.03},
    NO_TOPK: {"sufficiency": 0.08, "tvd": 0.02},
    ASWA: {"hold": 0.7},
    BOTH: {"hold": 0.8},
}  # fmt: skip


def around(mean, name, seed, own=0.002):
    """The number of a seed: seeds differ under every repair alike, and each a little by itself."""
    shared, alone = random.Random(f"{seed}").uniform(-1, 1), random.Random(f"{name} {seed}").uniform(-1, 1)
    return mean * (1 + 0.02 * shared + own * alone)


def family(repair=NONE, data="sst2", model="rnn", seeds=SEEDS, **numbers):
    """Every row of a family; what is not named is as :data:`NUMBERS` has it."""
    of, place = NUMBERS | numbers, (data, model, repair)

    def by_seed(quantity, mean, groups=True, **about):
        each = [around(mean, f"{place} {quantity} {about}", seed) for seed in range(seeds)]
        middle = sum(each) / seeds
        yield Measurement(*place, quantity, middle, middle - 0.01, middle + 0.01, seeds, **about)
        for seed, value in enumerate(each):
            yield Measurement(*place, quantity, value, by="member", member=str(seed), n=TEXTS, **about)
        for group in range(GROUPS if groups else 0):
            value = middle * (1 + 0.01 * (group - 2))
            yield Measurement(*place, quantity, value, by="group", bin=str(group), n=8, **about)

    yield from by_seed(VALIDATION, of["validation"], groups=False)
    yield Measurement(*place, CONSTANT, of["constant"], n=seeds)
    yield from by_seed(F1, of["f1"], groups=False)
    for probe in (*map(name_of, NOISES), WORDS):
        for quantity, mean in ((MOVED, of["jsd"]), (CHANGED, of["tvd"]), (FLIPPED, of["flipped"])):
            yield from by_seed(quantity, mean, probe=probe)
            if quantity != FLIPPED:
                yield from by_seed(f"{quantity}{UNFLIPPED}", mean / 2, groups=False, probe=probe)
    for what, name in (
        (COMPREHENSIVE, "comprehensiveness"),
        (SUFFICIENT, "sufficiency"),
        (SENSITIVE, "sensitivity"),
    ):
        yield from by_seed("drop", of[name], explainer="attention", probe=what.probe)
        yield Measurement(*place, "drop_random", 0.03, 0.02, 0.04, seeds, probe=what.probe)
    yield from _between(place, of["apart"], seeds)
    yield from _held(place, of["hold"], seeds)
    yield Measurement(*place, "contrast", of["contrast"], n=seeds, explainer="attention")
    if repair == SEAT:
        yield from by_seed(FOLLOWS, 0.9, groups=False)
        yield Measurement(*place, LOSS, 0.05, 0.04, 0.06, seeds)
        yield Measurement(*place, OVERLAP, 0.9, 0.8, 1.0, seeds)


def _between(place, mean, seeds):
    about = {"explainer": "attention", "comparison": "jensen_shannon"}
    for i, j in combinations(range(seeds), 2):
        value = around(mean, f"{place}", i) * around(1.0, f"{place}", j)
        yield Measurement(
            *place, "stability", value, by="pair", member=str(i), other_member=str(j), n=TEXTS, **about
        )
    yield Measurement(*place, "stability", mean, mean - 0.01, mean + 0.01, seeds, **about)
    for group in range(GROUPS):
        value = mean * (1 + 0.01 * (group - 2))
        yield Measurement(*place, "stability", value, by="group", bin=str(group), n=8, **about)


def _held(place, mean, seeds):
    yield Measurement(*place, "hold", mean, mean - 0.05, mean + 0.05, seeds, explainer="attention")
    for seed in range(seeds if seeds > 2 else 0):
        left = around(mean, f"{place} hold", seed)
        yield Measurement(
            *place, "hold", left, by="without", member=str(seed), n=seeds - 1, explainer="attention"
        )


def rows(changes=None, data="sst2", model="rnn", seeds=SEEDS, without=()):
    """Rows of every method as the paper claims it; ``changes`` are other numbers of some of them."""
    more = changes or {}
    names = [name for name in dict.fromkeys((*AS_CLAIMED, *more)) if name not in without]
    return [
        row
        for name in names
        for row in family(name, data, model, seeds, **(AS_CLAIMED.get(name, {}) | more.get(name, {})))
    ]
