"""Tables 4.1 to 4.3 of the document beside the measured: every number of them, run or not."""

import math
from collections.abc import Iterable, Iterator

import torch

from holdfast.measure.estimate import Estimate, as_cut
from holdfast.measure.reduce import Interval, mean_over_members, spread
from holdfast.studies.seed_stability.measures import CLASS, SPLIT
from holdfast.studies.seed_stability.numbers import SPREAD, numbers
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.numbers import Numbers, Part, estimate
from holdfast.study.published_number import NOT_HAD, NOT_RUN, Published, published_table

SIZES = "4.1"
TABLES = {"cnn": "4.2", "bilstm": "4.3"}
DATA = {"sst2": "SST", "imdb": "IMDB", "ag_news/world-business": "AgNews", "snli": "SNLI"}
# our numbers of the classes in the document's order; of AG News there are as many of each
CLASSES = {
    "SST": {"negative": 0, "positive": 1},
    "IMDB": {"negative": 0, "positive": 1},
    "AgNews": {"World": 0, "Business": 1},
    "SNLI": {"neutral": 1, "contradiction": 2, "entailment": 0},
}
SEEDS = 10  # of the document
CUT = "cut of sd"  # made of two printed numbers


def published(rows: Iterable[Measurement]) -> list[Published]:
    """Every number of the three tables; in Tables 4.2 and 4.3 percent, and the cut that two of them make."""
    kept = list(rows)
    return [*_sizes(kept), *_accuracies(kept)]


def cut_published(family: FamilyKey) -> float | None:
    """How much smaller the printed deviation of accuracy is than without repair.

    >>> round(cut_published(FamilyKey("sst2", "cnn", "aswa")), 3)
    0.614
    """
    before, after = (_line(family._replace(repair=repair)) for repair in ("none", family.repair))
    if before is None or after is None or family.repair == "none":
        return None
    return 1 - float(after["accuracy_sd"]) / float(before["accuracy_sd"])


def cut_error(cut: float) -> float:
    """The standard error of a published cut of a deviation: ``(1 − cut) √(2 · 1/(2(n − 1)))``, as if both
    deviations were of independent seeds.

    >>> round(cut_error(0.61), 2)
    0.13
    """
    return (1 - cut) / math.sqrt(SEEDS - 1)


def _line(family: FamilyKey) -> dict[str, str] | None:
    name = (DATA.get(family.data), family.model, family.repair)
    lines = published_table("holdfast.studies.seed_stability", "jain_tables_4_2_4_3_seed_stability")
    return next((x for x in lines if (x["dataset"], x["encoder"], x["repair"]) == name), None)


def _sizes(rows: list[Measurement]) -> Iterator[Published]:
    lookup = {(DATA.get(r.data), r.quantity, r.bin): r for r in rows if r.by in (CLASS, SPLIT)}
    for line in published_table("holdfast.studies.seed_stability", "jain_table_4_1_datasets"):
        name = line["dataset"]
        length = lookup.get((name, "length", "train"))
        yield _beside(SIZES, name, "average length", float(line["average_length"]), length)
        for split in ("train", "test"):
            counts = [int(count) for count in line[f"{split}_per_class"].split("/")]
            classes = CLASSES.get(name) or {f"class {place + 1}": place for place in range(len(counts))}
            for (label, number), count in zip(classes.items(), counts, strict=True):
                row = lookup.get((name, "texts", f"{split}/{number}"))
                yield _beside(SIZES, name, f"{split} {label}", float(count), row)


def _beside(table: str, name: str, column: str, said: float, row: Measurement | None) -> Published:
    ours = None if row is None else Interval(row.value, None, None, 0)
    return Published.beside(table, name, column, said, ours, note=_why(name))


def _accuracies(rows: list[Measurement]) -> Iterator[Published]:
    table, seeds = numbers(rows), _seeds(rows)
    names = {name: data for data, name in DATA.items()}
    for line in published_table("holdfast.studies.seed_stability", "jain_tables_4_2_4_3_seed_stability"):
        data, model, repair = line["dataset"], line["encoder"], line["repair"]
        family = FamilyKey(names.get(data, data), model, repair)
        where = (TABLES[model], f"{data} {model} {repair}")
        cut, accuracies, note = cut_published(family), seeds.get(family), _why(data)
        mean = sd = estimated = None
        if accuracies is not None:
            many, estimated = spread(accuracies), spread_cut(table, family)
            mean = mean_over_members(accuracies).within(0.0, 100.0)
            sd = Interval(many.sd, *sd_ends(many.sd, many.n), many.n)
        yield Published.beside(*where, "accuracy", float(line["accuracy_mean"]), mean, note=note)
        yield Published.beside(*where, "sd", float(line["accuracy_sd"]), sd, note=note)
        if cut is not None:
            ours = None if estimated is None else _cut(estimated)
            yield Published.beside(*where, CUT, round(100 * cut, 1), ours, 100, note)


def spread_cut(table: Numbers, family: FamilyKey) -> Estimate | None:
    """``ln(sd without repair / sd)`` of accuracy over seeds, with its error."""
    terms = ((1.0, family._replace(repair="none"), SPREAD), (-1.0, family, SPREAD))
    return estimate(table, [Part("", terms)], mean=False, log=True)


def sd_ends(sd: float, n: int) -> tuple[float | None, float | None]:
    """The 95 % interval of a standard deviation, by χ²(n − 1)."""
    from scipy.stats import chi2

    low, high = chi2.ppf([0.975, 0.025], n - 1)
    return float(sd * ((n - 1) / low) ** 0.5), float(sd * ((n - 1) / high) ** 0.5)


def _cut(estimated: Estimate) -> Interval:
    return as_cut(estimated if estimated.freedom > 1 else estimated._replace(error=None))


def _seeds(rows: list[Measurement]) -> dict[FamilyKey, torch.Tensor]:
    """The accuracy of every seed, in percent."""
    accuracies: dict[FamilyKey, list[float]] = {}
    for row in rows:
        if row.quantity == "accuracy" and row.by == "member":
            accuracies.setdefault(row.family, []).append(100 * row.value)
    return {family: torch.tensor(values, dtype=torch.float64) for family, values in accuracies.items()}


def _why(name: str) -> str:
    return NOT_RUN if name in DATA.values() else NOT_HAD
