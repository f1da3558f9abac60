"""The numbers of the study's families: what every study reads of rows, and two that are made of them."""

from collections.abc import Iterable

import torch

from holdfast.study.measurement import FamilyKey, Measurement, QuantityKey
from holdfast.study.numbers import MEMBER, Number, without_each
from holdfast.study.numbers import numbers as every_number

ACCURACY, SPREAD, DEVIATION = QuantityKey("accuracy"), QuantityKey("accuracy_sd"), QuantityKey("deviation")
ATTENTION, TOP = (QuantityKey("stability", "attention", comparison=name) for name in ("kl", "jaccard"))
GRADIENT = QuantityKey("stability", "gradient", comparison="kl")


def numbers(rows: Iterable[Measurement]) -> dict[tuple[FamilyKey, QuantityKey], Number]:
    """Every number of every family that rows hold, the spread of accuracy over seeds among them; the
    deviation of predictions is no mean of seeds, so its rows say what it is of all."""
    kept = list(rows)
    table, seeds = every_number(kept), dict[FamilyKey, dict[str, float]]()
    for row in kept:
        if (row.what, row.by) == (ACCURACY, MEMBER):
            seeds.setdefault(row.family, {})[row.member] = row.value
        elif (row.what, row.by) == (DEVIATION, "all"):
            number = table.setdefault((row.family, DEVIATION), Number())
            number.whole, number.n = row.value, row.n
    for family, accuracies in seeds.items():
        left = {seed: _sd(rest) for seed, rest in without_each(accuracies).items()}
        table[family, SPREAD] = Number(_sd(accuracies.values()), len(accuracies), left)
    return table


def _sd(values: Iterable[float]) -> float:
    kept = torch.tensor(list(values), dtype=torch.float64)
    return float(kept.std()) if len(kept) > 1 else 0.0
