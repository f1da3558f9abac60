"""Audits of a small table, run once."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from holdfast.commands.audit import Audited, audit

ROWS = 160


def columns() -> dict[str, list]:
    """Age, job and a name; who pays late is young, or cooks."""
    ages = [20 + (7 * row) % 45 for row in range(ROWS)]
    jobs = ["cook" if row % 5 == 0 else ("clerk", "driver")[row % 2] for row in range(ROWS)]
    late = ["late" if age < 35 or job == "cook" else "paid" for age, job in zip(ages, jobs, strict=True)]
    return {"age": ages, "job": jobs, "debt": [(row * 31) % 97 for row in range(ROWS)], "payment": late}


@cache
def audited(model: str = "forest:trees=5,leaves=6", resample: bool = False, seeds: int = 3) -> Audited:
    """The audit of three members, in a folder of its own."""
    return audit(
        columns(),
        label="payment",
        models=model,
        resample=resample or None,
        seeds=seeds,
        workers=1,
        device="cpu",
        out=Path(mkdtemp()) / "run",
    )
