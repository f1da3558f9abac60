"""What a study found, as CSV files: claims, the rows behind tables and figures, published beside measured."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from holdfast.core.settings import label, split_label
from holdfast.study.measurement import Measurement
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published

TEXTS = ("table", "row", "column", "note")
CLAIMS = (
    "claim", "where", "explainer", "published", "measured", "low", "high", "n", "before", "after", "above",
    "worth", "p", "p_holm", "p_worth", "p_worth_holm", "weakest", "over", "detail", "answer",
)  # fmt: skip
PLACES = ("data", "model", "attention", "repair", "against", "optimiser")
ROWS = (
    "data", "model", "repair", "optimiser", "quantity", "explainer", "comparison", "other", "by", "bin",
    "value", "low", "high", "n",
)  # fmt: skip
DRAWN = ("word", "path")  # of figures alone; the first hold words of the data


def claims_csv(claims: Iterable[Mapping[str, Any]], plan: Plan) -> bytes:
    """One line for each claim and each detail, with both p as they are and as Holm corrects them."""
    return _csv((*PLACES, *CLAIMS), [_claim(claim, plan) for claim in claims])


def _claim(claim: Mapping[str, Any], plan: Plan) -> dict[str, Any]:
    ends, models = claim["measured"], claim.get("cells", ())
    kinds = dict.fromkeys(
        split_label(m)[1].get("attention", "additive") for m in models if "against" in claim
    )
    return {name: claim.get(name) for name in (*PLACES, *CLAIMS)} | {
        "model": " + ".join(models),
        "attention": " + ".join(kinds),
        "optimiser": label(plan.fit.optimiser),
        "measured": ends["value"],
        "low": ends["low"],
        "high": ends["high"],
        "n": ends["n"],
        "p_holm": claim["corrected"],
        "p_worth_holm": claim["corrected_worth"],
        "answer": claim["verdict"],
    }


def rows_csv(rows: Iterable[Measurement], plan: Plan) -> bytes:
    """The table without what figures alone show, and so without a word of the data."""
    about = {"optimiser": label(plan.fit.optimiser)}
    return _csv(ROWS, [asdict(row) | about for row in rows if row.by not in DRAWN])


def published_csv(rows: Iterable[Published]) -> bytes:
    """Every published number with ours, and why where there is none."""
    return _csv([f.name for f in fields(Published)], [asdict(row) for row in rows])


def read_published(path: Path) -> list[dict[str, Any]]:
    """Back from :func:`published_csv`."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [{k: v if k in TEXTS else float(v) if v else None for k, v in row.items()} for row in rows]


def _csv(columns: Sequence[str], lines: Iterable[Mapping[str, Any]]) -> bytes:
    sink = io.StringIO()
    writer = csv.DictWriter(sink, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _short(value) for name, value in line.items()} for line in lines)
    return sink.getvalue().encode()


def _short(value: Any) -> Any:
    """Seven digits: more are of the machine."""
    return float(f"{value:.7g}") if isinstance(value, float) else value
