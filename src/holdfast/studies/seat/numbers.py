"""The numbers of the study's families, read back from rows, and which families are compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from holdfast.measure.embedding_noise import EmbeddingNoise
from holdfast.measure.says import LEAST
from holdfast.studies.seat.measures import ATTENTION, CHANGED, CONSTANT, F1, FAITHFUL, MOVED, name_of
from holdfast.studies.seat.plan import NOISES, NONE, RIVALS
from holdfast.studies.seat.strengths import rival_of
from holdfast.study.measurement import FamilyKey, Measurement, QuantityKey
from holdfast.study.numbers import Number
from holdfast.study.numbers import numbers as every_number

SCORE, HOLD, CONTRAST = QuantityKey(F1), QuantityKey("hold", ATTENTION), QuantityKey("contrast", ATTENTION)
SEEDS = QuantityKey("stability", ATTENTION, comparison="jensen_shannon")
COMPREHENSIVE, SUFFICIENT, SENSITIVE = (QuantityKey("drop", ATTENTION, probe=probe) for probe in FAITHFUL)
MOST = 0.5  # of the seeds say the same of every text: collapsed
LEAST_MOVED = 1e-15  # smaller divergences are those of rounding


def jsd(probe: str) -> QuantityKey:
    """How far attention moves."""
    return QuantityKey(MOVED, probe=probe)


def tvd(probe: str) -> QuantityKey:
    """How far the prediction moves."""
    return QuantityKey(CHANGED, probe=probe)


def under(noise: EmbeddingNoise) -> tuple[QuantityKey, QuantityKey]:
    """Both, under a noise."""
    return jsd(name_of(noise)), tvd(name_of(noise))


def numbers(rows: Iterable[Measurement]) -> dict[tuple[FamilyKey, QuantityKey], Number]:
    """Every number of every family; a hold is no mean of seeds, so its rows say what it is of all. How far
    something moves has a ratio to any other such number, 0 too: it counts as the least that is told apart."""
    kept = list(rows)
    table = {key: _above_nothing(number, key[1]) for key, number in every_number(kept).items()}
    for row in kept:
        if (row.what, row.by) == (HOLD, "all"):
            number = table.setdefault((row.family, HOLD), Number())
            number.whole, number.n = row.value, len(number.left)
    return table


def _above_nothing(number: Number, what: QuantityKey) -> Number:
    if what != SEEDS and what.quantity not in (MOVED, CHANGED):
        return number
    left = {seed: max(value, LEAST_MOVED) for seed, value in number.left.items()}
    groups = {group: (max(value, LEAST_MOVED), count) for group, (value, count) in number.groups.items()}
    return replace(number, whole=max(number.whole, LEAST_MOVED), left=left, groups=groups)


def word_probe(rows: Iterable[Measurement]) -> str:
    """By which perturbation of words attention was moved; nothing where there was none."""
    noises = {name_of(noise) for noise in NOISES}
    probes = (row.probe for row in rows if row.quantity == MOVED and row.probe not in noises)
    return next(probes, "")


def compared(rows: Iterable[Measurement]) -> list[FamilyKey]:
    """The families that were measured, in order."""
    return list(dict.fromkeys(row.family for row in rows if row.quantity == MOVED))


def constants(rows: Iterable[Measurement]) -> dict[FamilyKey, float]:
    """In what share of its seeds a family that was measured says the same of every text, where it is any."""
    kept = list(rows)
    known = set(compared(kept))
    return {
        row.family: row.value
        for row in kept
        if row.quantity == CONSTANT and row.value > 0 and row.family in known
    }


def even(rows: Iterable[Measurement]) -> dict[FamilyKey, float]:
    """The families whose attention is nearly even in every text, with its contrast: such attention moves
    least of all, and says nothing."""
    return {
        row.family: row.value for row in rows if (row.what, row.by) == (CONTRAST, "all") and row.value < LEAST
    }


def collapsed(rows: Iterable[Measurement]) -> set[FamilyKey]:
    """The families that are not ranked: most seeds say the same of every text, or attention became even."""
    kept = list(rows)
    flat = even(kept)
    became = {one for one in flat if one._replace(repair=NONE) not in flat}
    return {family for family, share in constants(kept).items() if share >= MOST} | became


def by_repair(families: Sequence[FamilyKey], model: str) -> dict[str, FamilyKey]:
    """The families of a model: rivals by their name, whatever their strength, others as they are written."""
    return {rival_of(one.repair) or one.repair: one for one in families if one.model == model}


def rivals(known: Mapping[str, FamilyKey]) -> dict[str, FamilyKey]:
    """Only the rivals, in the order of the paper."""
    return {name: known[name] for name in RIVALS if name in known}
