"""The document's numbers (Chormai Figure 3.14, Tables 4.3 to 4.6, Appendices 1, 2) beside the measured."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch

from holdfast.core.errors import BadSetting
from holdfast.measure.groups import Anova, Observation, anova, tukey, tukey_by_method
from holdfast.measure.reduce import Interval, mean_over_members, spread
from holdfast.studies.relevance.cosines import cosines_of_members
from holdfast.studies.relevance.names import (
    DEPTH,
    METHODS,
    as_documented,
    counted,
    data_of,
    label_of,
    majority,
    once,
    shown,
    steps_of,
)
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published, published_table

SEQUENCE = {"mnist": "mnist", "fashion": "fashion-mnist"}
FOLDED = {
    "convrnlstm.persisted.dropout": "convrlstm_sd",
    "rlstm.persisted.dropout": "rlstm_sd",
    "convtran.rlstm.persisted.dropout": "conv+rlstm_sd",
    "deep.persisted.dropout": "deep_sd",
    "convdeep.transcribe": "conv+deep",
}
SAID = {"lrp_alpha1.5_beta0.5": "lrp"}
BOTH = ("mnist-maj", "fashion-maj")
STEPS = 12  # of the majority task
TUKEY = "Appendix 2: Tukey"
VARIANCE: dict[str, Callable[[Anova], float]] = {
    "sum_sq_architecture": lambda over: over.between,
    "sum_sq_residual": lambda over: over.within,
    "F": lambda over: over.f,
    "p": lambda over: over.p,
    "eta_squared": lambda over: over.eta_squared,
}


def published(rows: Iterable[Measurement]) -> list[Published]:
    """Every published number, with the measured one where the study's own settings were run; accuracies in
    percent."""
    kept = as_documented(rows)
    members = cosines_of_members(kept)
    return [
        *_control(kept),
        *_sequence(kept),
        *_majority(kept),
        *_folds(kept),
        *_variance(members),
        *_differences(members),
    ]


def tukey_rows(rows: Iterable[Measurement]) -> list[Measurement]:
    """Is one cell explained better than another? For every pair, by every method, on the majority data.

    ``tukey`` has Tukey's difference (``other_model`` − ``model``) and interval in blocks of data set and
    member (a fold has the same training and test images under every cell), ``tukey_p`` its p, ``tukey_holm``
    the same after Holm's correction over the methods; ``anova_f``, ``anova_p`` and ``anova_eta`` ask whether
    cells differ.
    """
    seen = [row for row in majority(rows) if (row.quantity, row.by) == ("cosine", "member")]
    kept = counted(list(dict.fromkeys(row.member for row in seen)))
    seen = once(row for row in seen if row.member in kept)
    names = shown(label_of(row) for row in seen)
    data, results = " and ".join(dict.fromkeys(row.data for row in seen)), []
    observed: dict[str, list[Observation]] = {}
    for method in (name for name in METHODS if any(row.explainer == name for row in seen)):
        mine = [
            Observation(row.value, names[label_of(row)], f"{row.data}, {row.member}")
            for row in seen
            if row.explainer == method
        ]
        try:
            over = anova(mine)
        except BadSetting:  # too few members to tell cells apart
            continue
        observed[method] = mine
        parts = {"anova_f": over.f, "anova_p": over.p, "anova_eta": over.eta_squared}
        results += [
            _row(data, "", quantity, min(value, 1e12), n=len(mine), explainer=method)
            for quantity, value in parts.items()
        ]
    for c in tukey_by_method(observed):
        d, about = c.difference, {"n": c.difference.n, "explainer": c.method, "other_model": c.other}
        results += [
            _row(data, c.group, "tukey", d.value, low=d.low, high=d.high, **about),
            _row(data, c.group, "tukey_p", c.p, **about),
            _row(data, c.group, "tukey_holm", c.corrected, **about),
        ]
    return results


def _row(data: str, cell: str, quantity: str, value: float, **about: Any) -> Measurement:
    return Measurement(data, cell, "none", quantity, value, **about)


def _control(rows: Sequence[Measurement]) -> Iterator[Published]:
    """The feed-forward control of Figure 3.14."""
    for line in _table("figure_3_14_control"):
        for said, data in SEQUENCE.items():
            ours = _accuracy(rows, data, line["cell"], 1)
            yield Published.beside("Figure 3.14", line["cell"], data, float(line[said]), ours, 100)


def _sequence(rows: Sequence[Measurement]) -> Iterator[Published]:
    """Tables 4.3 (weights) and 4.4 (accuracy) for T = 1, 4, 7."""
    for line in _table("table_4_3_parameters"):
        for cell in ("shallow", "deep"):
            ours = _weights(rows, ("mnist",), cell, int(line["T"]))
            yield Published.beside("4.3", f"{cell} T={line['T']}", "weights", float(line[cell]), ours)
    for line in _table("table_4_4_accuracy"):
        for said, data in SEQUENCE.items():
            for cell in ("shallow", "deep"):
                ours = _accuracy(rows, data, cell, int(line["T"]))
                value = float(line[f"{said}_{cell}"])
                yield Published.beside("4.4", f"{cell} T={line['T']}", data, value, ours, 100)


def _majority(rows: Sequence[Measurement]) -> Iterator[Published]:
    """Tables 4.5 and 4.6: weights (as printed) and accuracies."""
    for line in _table("tables_4_5_4_6_majority"):
        cell = line["cell"]
        table = "4.5" if cell in DEPTH else "4.6"
        weights = _weights(rows, BOTH, cell, STEPS)
        yield Published.beside(table, cell, "weights", float(line["parameters_printed"]), weights)
        for data in BOTH:
            value = float(line[f"{data.replace('-', '_')}_accuracy"])
            yield Published.beside(table, cell, data, value, _accuracy(rows, data, cell, STEPS), 100)


def _folds(rows: Sequence[Measurement]) -> Iterator[Published]:
    """Appendix 1: accuracy of each fold's model on its own held-out fold."""
    for line in _table("appendix_1_kfold_accuracy"):
        cell, data = FOLDED.get(line["cell"], line["cell"]), line["dataset"]
        held = [
            row.value
            for row in rows
            if (row.quantity, row.by) == ("accuracy_held", "member") and (row.data, row.model) == (data, cell)
        ]
        mean = sd = None
        if len(held) > 1:
            each = 100 * torch.tensor(held, dtype=torch.float64)
            ours = spread(each)
            mean, sd = mean_over_members(each).within(0.0, 100.0), Interval(ours.sd, None, None, ours.n)
        where = ("Appendix 1", f"{data} {cell}")
        yield Published.beside(*where, "accuracy", float(line["accuracy_mean"]), mean)
        yield Published.beside(*where, "sd", float(line["accuracy_sd"]), sd)


def _pooled(members: Sequence[Measurement], method: str) -> list[Observation] | None:
    """Both data sets pooled, as the document does: no block; None where a cell is missing."""
    mine = [
        row
        for row in members
        if (row.by, row.explainer) == ("member", method) and row.data in BOTH and row.model in DEPTH
    ]
    pairs = {(row.data, row.model) for row in mine}
    enough = len(pairs) == len(BOTH) * len(DEPTH) and len(mine) > len(pairs)
    return [Observation(row.value, row.model) for row in mine] if enough else None


def _variance(members: Sequence[Measurement]) -> Iterator[Published]:
    for line in _table("appendix_2_anova"):
        method = SAID.get(line["method"], line["method"])
        mine = _pooled(members, method)
        over = None if mine is None else anova(mine)
        for column, value in VARIANCE.items():
            ours = None if over is None or mine is None else Interval(value(over), None, None, len(mine))
            yield Published.beside("Appendix 2: ANOVA", method, column, float(line[column]), ours)


def _differences(members: Sequence[Measurement]) -> Iterator[Published]:
    """The difference of each two cells, and both ends of its interval."""
    lines = _table("appendix_2_tukey")
    for method in METHODS:
        mine = _pooled(members, method)
        differences = {} if mine is None else {(c.group, c.other): c.difference for c in tukey(mine, method)}
        for line in [line for line in lines if SAID.get(line["method"], line["method"]) == method]:
            where = (TUKEY, f"{method}: {line['group2']} − {line['group1']}")
            d = differences.get((line["group1"], line["group2"]))
            yield Published.beside(*where, "difference", float(line["meandiff"]), d)
            ends = {"lower": None, "upper": None} if d is None else {"lower": d.low, "upper": d.high}
            for column, end in ends.items():
                ours = None if d is None or end is None else Interval(end, None, None, d.n)
                yield Published.beside(*where, column, float(line[column]), ours)


def _weights(rows: Sequence[Measurement], data: Sequence[str], cell: str, steps: int) -> Interval | None:
    """The same whichever data set a cell was trained on."""
    matches = (row for name in data if (row := _find(rows, "weights", name, cell, steps)) is not None)
    row = next(matches, None)
    return None if row is None else Interval(row.value, None, None, 1)


def _find(rows: Sequence[Measurement], quantity: str, data: str, cell: str, steps: int) -> Measurement | None:
    key = (quantity, "all", data, cell, steps)
    matches = once(
        row for row in rows if (row.quantity, row.by, data_of(row.data), row.model, steps_of(row.data)) == key
    )
    return matches[0] if matches else None


def _accuracy(rows: Sequence[Measurement], data: str, cell: str, steps: int) -> Interval | None:
    """Of those who trained on the published part, on the published test part, where that is known."""
    row = _find(rows, "accuracy_published", data, cell, steps) or _find(rows, "accuracy", data, cell, steps)
    return None if row is None else row.interval


def _table(name: str) -> list[dict[str, str]]:
    return published_table("holdfast.studies.relevance", f"chormai_{name}")
