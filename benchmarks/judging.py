"""Judging ten members' scores of 5,000 examples of 64 positions: seconds, memory, and a plain loop.

Ours answers every question that scores, probabilities and labels allow, and draws the report; the loop only
measures the distances that a hold needs (between members, and to four shuffled copies, four other inputs and
three untrained orders), example by example with NumPy, on a slice of the same scores. Both run in a process
of their own; memory is what is used beyond the input.
"""

import argparse
import json
import subprocess
import sys
import tempfile

INPUT = """
import json, resource, sys, time
import numpy as np
members, examples, positions = map(int, sys.argv[1:4])
dice = np.random.default_rng(0)
signal = dice.normal(size=(examples, positions))
scores = signal + 0.3 * dice.normal(size=(members, examples, positions))
odds = 1 / (1 + np.exp(-scores.sum(-1) / positions**0.5))
labels = (signal.sum(-1) > 0).astype(int)
untrained = dice.normal(size=(3, examples, positions))
"""
OURS = """
import holdfast
few = slice(0, 40)
holdfast.judge(scores[:3, few], probabilities=odds[:3, few], labels=labels[few], target=1)._repr_html_()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.perf_counter(), time.process_time()
answer = holdfast.judge(scores, probabilities=odds, labels=labels, untrained=untrained, target=1)
judged = time.perf_counter() - began[0]
answer.report(sys.argv[4])
drawn, computed = time.perf_counter() - began[0] - judged, time.process_time() - began[1]
peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**20
print(json.dumps([judged, drawn, computed, peak, answer.answer.rows[0].hold]))
"""
NAIVE = """
def parts(row):
    cells = np.concatenate((np.maximum(row, 0), np.maximum(-row, 0)))
    return cells / cells.sum()
def apart(a, b):
    return np.abs(parts(a) - parts(b)).sum() / 2
def ordered(row, by):
    copy = np.empty_like(row)
    copy[np.argsort(-np.abs(by))] = row[np.argsort(-np.abs(row))]
    return copy
began = time.perf_counter(), time.process_time()
near, far = 0.0, {"shuffled": [], "another input": [], "untrained order": []}
for row in range(examples):
    own = scores[:, row]
    copies = {
        "shuffled": [own[:, dice.permutation(positions)] for _ in range(4)],
        "another input": [scores[:, (row + step) % examples] for step in range(1, 5)],
        "untrained order": [np.array([ordered(one, by[row]) for one in own]) for by in untrained],
    }
    for i in range(members):
        for j in range(i + 1, members):
            near += apart(own[i], own[j])
            for name, each in copies.items():
                far[name] += [(apart(own[i], one[j]) + apart(own[j], one[i])) / 2 for one in each]
pairs = examples * members * (members - 1) / 2
hold = min(1 - near / pairs / np.mean(each) for each in far.values())
print(json.dumps([time.perf_counter() - began[0], time.process_time() - began[1], hold]))
"""


def measured(code: str, *arguments: object) -> list[float]:
    """What a process prints."""
    command = [sys.executable, "-c", INPUT + code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    numbers: list[float] = json.loads(done.stdout)
    return numbers


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--members", type=int, default=10)
    options.add_argument("--examples", type=int, default=5_000)
    options.add_argument("--positions", type=int, default=64)
    options.add_argument("--slice", type=int, default=100, help="examples that the loop measures")
    asked = options.parse_args()
    size = asked.members, asked.examples, asked.positions
    with tempfile.TemporaryDirectory() as folder:
        judged, drawn, computed, peak, hold = measured(OURS, *size, f"{folder}/report.html")
    _, loop, about = measured(NAIVE, asked.members, asked.slice, asked.positions)
    print(f"{' × '.join(map(str, size))} scores: judged in {judged:.1f} s, drawn in {drawn:.1f} s, ", end="")
    print(f"{computed:.1f} s of processor time, peak {peak:.2f} GiB beyond the input, hold {hold:.2f}")
    ours, theirs = computed / asked.examples, loop / asked.slice
    print(f"{1000 * ours:.2f} ms an example, a loop {1000 * theirs:.2f} (hold {about:.2f}): ", end="")
    print(f"ratio {theirs / ours:.2f}")


if __name__ == "__main__":
    main()
