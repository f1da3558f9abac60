"""Twenty million interactions from a CSV file: seconds, memory, and rows a second against a loop over it.

The file is generated (as many users and items as MovieLens-20M, in no order). Ours reads, filters, orders and
splits it, and draws the candidates; the loop only reads a slice of the same file with the ``csv`` module, and
numbers and orders what it finds. Both run in a process of their own.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

OURS = """
import json, resource, sys, time
import torch, pyarrow
from holdfast.data.source import Source, load
began = time.perf_counter()
data = load(Source(sys.argv[1], user="userId", item="movieId", time="timestamp"))
seconds = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
print(json.dumps([len(data.histories.ids), seconds, peak]))
"""
NAIVE = """
import csv, json, resource, sys, time
began = time.perf_counter()
users, items, histories = {}, {}, {}
with open(sys.argv[1], newline="") as file:
    for number, row in zip(range(int(sys.argv[2])), csv.DictReader(file)):
        user = users.setdefault(row["userId"], len(users))
        item = items.setdefault(row["movieId"], len(items) + 1)
        histories.setdefault(user, []).append((int(row["timestamp"]), number, item))
for own in histories.values():
    own.sort()
seconds = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
print(json.dumps([number + 1, seconds, peak]))
"""
BLOCK = 1_000_000


def generate(path: Path, rows: int) -> None:
    """Write so many rows, a million at a time."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import csv

    dice = np.random.default_rng(0)
    users, items = max(3, rows * 138_493 // 20_000_000), max(110, rows * 26_744 // 20_000_000)
    schema = pa.schema([(name, pa.int64()) for name in ("userId", "movieId", "timestamp")])
    with csv.CSVWriter(path, schema) as writer:
        for start in range(0, rows, BLOCK):
            count = min(BLOCK, rows - start)
            columns = [
                dice.integers(1, users + 1, count),
                # some items are far more popular than others
                (items * dice.random(count) ** 2).astype(np.int64) + 1,
                dice.integers(789_652_009, 1_427_784_002, count),
            ]
            writer.write(pa.table(columns, schema=schema))


def measured(code: str, *arguments: object) -> tuple[int, float, float]:
    """Rows, seconds and GiB of a process."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows, seconds, peak = json.loads(done.stdout)
    return rows, seconds, peak


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=20_000_000)
    options.add_argument("--slice", type=int, default=500_000, help="rows that the loop reads")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plays.csv"
        generate(path, asked.rows)
        size = path.stat().st_size / 2**20
        _, seconds, peak = measured(OURS, path)
        some, naive, _ = measured(NAIVE, path, asked.slice)
    ours, theirs = asked.rows / seconds, some / naive
    print(f"{asked.rows:,} rows ({size:.0f} MiB): {seconds:.1f} s, peak {peak:.2f} GiB")
    print(f"{ours:,.0f} rows a second, a csv loop {theirs:,.0f}: ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
