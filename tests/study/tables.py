"""Audits of a small table, run once."""

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from holdfast.commands.audit import Audited, audit
from tests.study.tiny import here

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
    folder = Path(mkdtemp(prefix="holdfast-tables-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with here():
        return audit(
            columns(),
            label="payment",
            models=model,
            resample=resample or None,
            seeds=seeds,
            device="cpu",
            out=folder / "run",
            epochs=5,
        )
