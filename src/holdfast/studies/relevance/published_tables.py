"""The document's numbers (Chormai Figure 3.14, Tables 4.3 to 4.6, Appendices 1, 2) beside the measured."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch

from holdfast.core.errors import BadSetting
from holdfast.measure.groups import Anova, Observation, anova, tukey, tukey_by_method
from holdfast.measure.reduce import mean_over_members, spread
from holdfast.studies.relevance.cosines import cosines_of_members
from holdfast.studies.relevance.names import (
    DEPTH,
    METHODS,
    counted,
    data_of,
    label_of,
    majority,
    once,
    own,
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
PAIRED = "data set and member"  # the blocks of a comparison


def published(rows: Iterable[Measurement]) -> list[Published]:
    """Every published number for which there is one measured with the study's own settings; accuracies in
    percent."""
    kept = own(rows)
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

    ``tukey`` has Tukey's difference (other − model) and interval in blocks of data set and member (a fold has
    the same training and test images under every cell), ``tukey_p`` its p, ``tukey_holm`` the same after
    Holm's correction over the methods; ``anova_f``, ``anova_p`` and ``anova_eta`` ask whether cells differ.
    """
    seen = [row for row in majority(rows) if (row.quantity, row.by) == ("cosine", "member")]
    kept = counted(list(dict.fromkeys(row.bin for row in seen)))
    seen = once(row for row in seen if row.bin in kept)
    names = shown(label_of(row) for row in seen)
    data, found = " and ".join(dict.fromkeys(row.data for row in seen)), []
    asked: dict[str, list[Observation]] = {}
    for method in (name for name in METHODS if any(row.explainer == name for row in seen)):
        mine = [
            Observation(row.value, names[label_of(row)], f"{row.data}, {row.bin}")
            for row in seen
            if row.explainer == method
        ]
        try:
            over = anova(mine)
        except BadSetting:  # too few members to tell cells apart
            continue
        asked[method] = mine
        parts = {"anova_f": over.f, "anova_p": over.p, "anova_eta": over.eta_squared}
        found += [
            _row(data, "", quantity, min(value, 1e12), n=len(mine), explainer=method)
            for quantity, value in parts.items()
        ]
    for c in tukey_by_method(asked):
        d, about = c.difference, {"n": c.difference.n, "explainer": c.method, "other": c.other}
        found += [
            _row(data, c.group, "tukey", d.value, low=d.low, high=d.high, **about),
            _row(data, c.group, "tukey_p", c.p, **about),
            _row(data, c.group, "tukey_holm", c.corrected, **about),
        ]
    return found


def _row(data: str, cell: str, quantity: str, value: float, **about: Any) -> Measurement:
    return Measurement(data, cell, "none", quantity, value, comparison=PAIRED, **about)


def _control(rows: Sequence[Measurement]) -> Iterator[Published]:
    """The feed-forward control of Figure 3.14."""
    for line in _table("figure_3_14_control"):
        for said, data in SEQUENCE.items():
            row = _accuracy(rows, data, line["cell"], 1)
            if row is not None:
                yield _percent("Figure 3.14", line["cell"], data, float(line[said]), row)


def _sequence(rows: Sequence[Measurement]) -> Iterator[Published]:
    """Tables 4.3 (weights) and 4.4 (accuracy) for T = 1, 4, 7."""
    for line in _table("table_4_3_parameters"):
        for cell in ("shallow", "deep"):
            row = _find(rows, "weights", "mnist", cell, int(line["T"]))
            if row is not None:
                yield Published(
                    "4.3", f"{cell} T={line['T']}", "weights", float(line[cell]), row.value, None, None, 1
                )
    for line in _table("table_4_4_accuracy"):
        for said, data in SEQUENCE.items():
            for cell in ("shallow", "deep"):
                row = _accuracy(rows, data, cell, int(line["T"]))
                if row is not None:
                    name = f"{cell} T={line['T']}"
                    yield _percent("4.4", name, data, float(line[f"{said}_{cell}"]), row)


def _majority(rows: Sequence[Measurement]) -> Iterator[Published]:
    """Tables 4.5 and 4.6: weights (as printed) and accuracies."""
    for line in _table("tables_4_5_4_6_majority"):
        cell = line["cell"]
        table = "4.5" if cell in DEPTH else "4.6"
        for data in BOTH:
            row = _find(rows, "weights", data, cell, STEPS)
            if row is not None:
                yield Published(
                    table, cell, "weights", float(line["parameters_printed"]), row.value, None, None, 1
                )
                break
        for data in BOTH:
            row = _accuracy(rows, data, cell, STEPS)
            if row is not None:
                yield _percent(table, cell, data, float(line[f"{data.replace('-', '_')}_accuracy"]), row)


def _folds(rows: Sequence[Measurement]) -> Iterator[Published]:
    """Appendix 1: accuracy of each fold's model on its own held-out fold."""
    for line in _table("appendix_1_kfold_accuracy"):
        cell, data = FOLDED.get(line["cell"], line["cell"]), line["dataset"]
        held = [
            row.value
            for row in rows
            if (row.quantity, row.by) == ("accuracy_held", "member") and (row.data, row.model) == (data, cell)
        ]
        if len(held) > 1:
            each = 100 * torch.tensor(held, dtype=torch.float64)
            ours, middle = spread(each), mean_over_members(each).within(0.0, 100.0)
            name, table = f"{data} {cell}", "Appendix 1"
            mean, sd = float(line["accuracy_mean"]), float(line["accuracy_sd"])
            yield Published(table, name, "accuracy", mean, ours.mean, middle.low, middle.high, ours.n)
            yield Published(table, name, "sd", sd, ours.sd, None, None, ours.n)


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
        if mine is not None:
            over: Anova = anova(mine)
            for column, value in (("F", over.f), ("eta_squared", over.eta_squared)):
                said = float(line[column])
                yield Published("Appendix 2: ANOVA", method, column, said, value, None, None, len(mine))


def _differences(members: Sequence[Measurement]) -> Iterator[Published]:
    for method in METHODS:
        mine = _pooled(members, method)
        lines = [
            line for line in _table("appendix_2_tukey") if SAID.get(line["method"], line["method"]) == method
        ]
        if mine is None or not lines:
            continue
        found = {(c.group, c.other): c.difference for c in tukey(mine, method)}
        for line in lines:
            said, d = float(line["meandiff"]), found[line["group1"], line["group2"]]
            name = f"{method}: {line['group2']} − {line['group1']}"
            yield Published(TUKEY, name, "difference", said, d.value, d.low, d.high, d.n)


def _find(rows: Sequence[Measurement], quantity: str, data: str, cell: str, steps: int) -> Measurement | None:
    asked = (quantity, "all", data, cell, steps)
    found = once(
        row
        for row in rows
        if (row.quantity, row.by, data_of(row.data), row.model, steps_of(row.data)) == asked
    )
    return found[0] if found else None


def _accuracy(rows: Sequence[Measurement], data: str, cell: str, steps: int) -> Measurement | None:
    """Of those who trained on the published part, on the published test part, where that is known."""
    unseen = _find(rows, "accuracy_published", data, cell, steps)
    return unseen or _find(rows, "accuracy", data, cell, steps)


def _percent(table: str, name: str, column: str, said: float, row: Measurement) -> Published:
    low, high = (None if end is None else 100 * end for end in (row.low, row.high))
    return Published(table, name, column, said, 100 * row.value, low, high, row.n)


def _table(name: str) -> list[dict[str, str]]:
    return published_table("holdfast.studies.relevance", f"chormai_{name}")
