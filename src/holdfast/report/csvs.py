"""What a study found, as CSV files: claims, the rows behind tables and figures, published beside measured."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from holdfast.core.settings import label, split_label
from holdfast.measure.claims import Claim
from holdfast.study.measurement import Measurement
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published

CLAIMS = (
    "claim", "where", "explainer", "published", "measured", "low", "high", "n", "before", "after", "above",
    "worth", "p", "p_holm", "p_worth", "p_worth_holm", "weakest", "over", "detail", "answer",
)  # fmt: skip
PLACES = ("data", "model", "attention", "repair", "against", "optimiser")
ROWS = (
    "data", "model", "other_model", "repair", "other_repair", "optimiser", "quantity", "explainer",
    "other_explainer", "comparison", "probe", "by", "member", "other_member", "label", "sentence", "bin",
    "value", "low", "high", "n",
)  # fmt: skip
WORDS = ("word", "word_before", "word_after")  # rows of these hold words of the data
DRAWN = (*WORDS, "path_x", "path_y")  # of figures alone


def claims_csv(claims: Iterable[Claim], plan: Plan) -> bytes:
    """One line for each claim and each detail, with both p as they are and as Holm corrects them."""
    return _csv((*PLACES, *CLAIMS), [_line(claim, plan) for claim in claims])


def _line(claim: Claim, plan: Plan) -> dict[str, Any]:
    changed = claim.models if claim.against else ()
    kinds = dict.fromkeys(split_label(model)[1].get("attention", "additive") for model in changed)
    return asdict(claim) | {
        "model": " + ".join(claim.models),
        "attention": " + ".join(kinds),
        "optimiser": label(plan.fit.optimiser),
        "claim": claim.statement,
        "measured": claim.effect.value,
        "low": claim.effect.low,
        "high": claim.effect.high,
        "n": claim.effect.n,
        "worth": claim.least,
        "p_worth": claim.p_least,
        "p_worth_holm": claim.p_least_holm,
        "answer": claim.answer,
    }


def rows_csv(rows: Iterable[Measurement], plan: Plan) -> bytes:
    """The table without what figures alone show, and so without a word of the data."""
    about = {"optimiser": label(plan.fit.optimiser)}
    return _csv(ROWS, [asdict(row) | about for row in rows if row.quantity not in DRAWN])


def published_csv(rows: Iterable[Published]) -> bytes:
    """Every published number with ours, and why where there is none."""
    return _csv([f.name for f in fields(Published)], [asdict(row) for row in rows])


def read_published(path: Path) -> list[Published]:
    """Back from :func:`published_csv`."""
    with path.open(encoding="utf-8", newline="") as file:
        return [_published(row) for row in csv.DictReader(file)]


def _published(row: dict[str, str]) -> Published:
    measured, low, high = (float(row[name]) if row[name] else None for name in ("measured", "low", "high"))
    where, said = (row["table"], row["row"], row["column"]), float(row["published"])
    return Published(*where, said, measured, low, high, int(row["n"]), row["note"])


def _csv(columns: Sequence[str], lines: Iterable[Mapping[str, Any]]) -> bytes:
    sink = io.StringIO()
    writer = csv.DictWriter(sink, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _short(value) for name, value in line.items()} for line in lines)
    return sink.getvalue().encode()


def _short(value: Any) -> Any:
    """Seven digits: further ones depend on the machine."""
    return float(f"{value:.7g}") if isinstance(value, float) else value
