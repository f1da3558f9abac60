"""Did a change help? Two runs on the same data, seed by seed."""

from pathlib import Path

from holdfast.study.compare import Changes, compare_runs


def compare(before: Path | str, after: Path | str) -> Changes:
    """What changed in hold and in accuracy between two runs on the same data, paired over the seeds of both.

    Families that are compared are the first of each run.
    """
    return compare_runs(Path(before), Path(after))
