"""The strength of each rival, chosen on the validation texts: the same tries for each, the best score counts.

The paper gives no strengths. SEAT is not tuned: its settings are the defaults, and are ablated.
"""

from collections.abc import Iterable, Mapping
from statistics import fmean

from holdfast.core.catalogue import make
from holdfast.core.settings import split_label
from holdfast.studies.seat.plan import RIVALS
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.numbers import MEMBER

VALIDATION = "validation_f1"


def rival_of(repair: str) -> str | None:
    """Which of the rivals a repair is; None of others, and of rivals joined with others.

    >>> rival_of("word_at:strength=1.0"), rival_of("seat"), rival_of("word_at+aswa")
    ('word_at', None, None)
    """
    name = "" if "+" in repair else split_label(repair)[0]
    return name if name in RIVALS else None


def strength_of(repair: str) -> float:
    """The strength of a rival.

    >>> strength_of("word_at:strength=1.0"), strength_of("attention_at")
    (1.0, 1.0)
    """
    return float(make("repairs", repair).strength)


def chosen(scores: Mapping[FamilyKey, float]) -> list[FamilyKey]:
    """The families that are compared: of each rival of a model on a data set the one with the best score on
    validation texts, of equal ones the weakest; all that are no rivals.

    >>> scores = {FamilyKey("d", "rnn", f"word_at:strength={s}"): f1 for s, f1 in ((1.0, 0.8), (3.0, 0.7))}
    >>> [family.repair for family in chosen(scores)]
    ['word_at:strength=1.0']
    """
    best: dict[tuple[str, str, str], FamilyKey] = {}
    for family, score in scores.items():
        name = rival_of(family.repair)
        if name is None:
            continue
        place = (family.data, family.model, name)
        known = best.setdefault(place, family)
        if (score, -strength_of(family.repair)) > (scores[known], -strength_of(known.repair)):
            best[place] = family
    kept = set(best.values())
    return [family for family in scores if family in kept or rival_of(family.repair) is None]


def validation_scores(rows: Iterable[Measurement]) -> dict[FamilyKey, float]:
    """The mean score over seeds of every family that was trained."""
    seeds: dict[FamilyKey, list[float]] = {}
    for row in rows:
        if (row.quantity, row.by) == (VALIDATION, MEMBER):
            seeds.setdefault(row.family, []).append(row.value)
    return {family: fmean(values) for family, values in seeds.items()}
