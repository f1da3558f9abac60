"""Comprehensiveness and sufficiency of ten members against ten plain passes for each share.

Made-up texts of SST's sizes, a CNN with untrained weights, random scores for an explanation, one CPU thread.
*One order* is the curves in the order of one explainer; *audit* is what ``--probe`` measures of it, with two
random orders and leave-one-out's own order for each member. Plain: every member passes over every text once,
for each of the five shares of both probes. They take turns; seconds of the process, the least of each counts.
"""

import argparse
import time
from collections.abc import Callable

import torch
from texts import dataset, texts

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation, Member
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.measure.probes.drops import drops
from holdfast.measure.probes.faithfulness import curves
from holdfast.measure.probes.sufficiency import Sufficiency
from holdfast.train.family import Family, one_thread

MEMBERS, DIM = 10, 100
PROBES = (Comprehensiveness(), Sufficiency())


def seconds(work: Callable[[], object]) -> float:
    """How long it takes, in time of the process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Two hundred texts by default, as an audit explains."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    data = dataset(*texts(max(options.rows, 300)))
    family = Family.init(make("models", f"cnn:dim={DIM}"), data.task, [Member(n) for n in range(MEMBERS)])
    split, rows = data.splits["train"], torch.arange(options.rows)
    target, mask = split.targets[rows], split.batch(rows).mask
    scores = torch.rand(MEMBERS, *mask.shape, generator=torch.Generator().manual_seed(0)) * mask
    said = Explanation(scores, mask, target, family.members, "given", signed=True)
    works: dict[str, Callable[[], object]] = {
        "plain": lambda: family.logits(split, rows),
        "one order": lambda: [curves(family, probe, split, rows, target, scores) for probe in PROBES],
        "audit": lambda: [drops(family, probe, split, rows, target, {"given": said}) for probe in PROBES],
    }
    with torch.no_grad(), one_thread():
        turns = [[seconds(work) for work in works.values()] for _ in range(options.repeats + 1)][1:]
    plain, *others = (min(each) for each in zip(*turns, strict=True))
    passes = plain * sum(len(probe.shares) for probe in PROBES)
    ratios = "; ".join(
        f"{name} {took:.2f} s, ratio {took / passes:.2f}"
        for name, took in zip(list(works)[1:], others, strict=True)
    )
    print(f"{options.rows} texts, {MEMBERS} members, ten passes a share {passes:.2f} s; {ratios}")


if __name__ == "__main__":
    main()
