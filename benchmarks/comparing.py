"""All comparisons of ten seeds against computing the explanations they compare.

In one process, on one thread: ten members explain the same texts, one member after the other as on the CPU
plan; then every comparison of the catalogue compares every two. Less is better; below 1 the comparisons are
the cheaper part. Attention by itself is one plain pass: the claim is about an audit's explainers together.
"""

import argparse
import time
from dataclasses import replace

import torch
from texts import VOCABULARY, dataset, texts
from torch import Tensor

from holdfast.core.catalogue import catalogue, make
from holdfast.core.records import Explanation, Member
from holdfast.data.base import Split
from holdfast.measure.pairing import over_members
from holdfast.models.text.cnn import Cnn
from holdfast.train.family import Family, one_thread
from holdfast.train.scores import scores

ROWS = 1_821
EXPLAINERS = ("attention", "gradient", "gradient_input", "integrated_gradients", "leave_one_out")
SEEDS = tuple(Member(seed) for seed in range(10))


def explained(family: Family, split: Split, rows: Tensor, name: str) -> Explanation:
    """The same rows, explained by one member after the other."""
    explainer, model, target = make("explainers", name), family.model, split.targets[rows]
    weights = [{key: tensor[i] for key, tensor in family.parameters.items()} for i in range(len(family))]
    own = [
        scores(model, weights[i], (member,), explainer, split, rows, target, stacked=False)
        for i, member in enumerate(family.members)
    ]
    mask = torch.arange(own[0].shape[-1]) < split.lengths[rows, None]
    return Explanation(torch.cat(own), mask, target, family.members, name, explainer.signed)


def compared(explanation: Explanation) -> int:
    """Every comparison over every pair of members; how many pairs there were."""
    pairs = [over_members(explanation, cls()).values for cls in catalogue("comparisons").values()]
    return len(pairs[0])


def measure(rows: int) -> None:
    """Print the seconds and the ratio of each explainer, and of all together."""
    data = dataset(*texts(rows))
    split = data.splits["train"]
    family = Family.init(Cnn(), replace(data.task, vocabulary=VOCABULARY), SEEDS)
    spent = []
    for name in EXPLAINERS:
        compared(
            explained(family, split, torch.arange(2), name)
        )  # what is loaded at first use is not counted
        began = time.process_time()
        explanation = explained(family, split, torch.arange(rows), name)
        between = time.process_time()
        pairs = compared(explanation)
        spent.append((between - began, time.process_time() - between))
        _say(name, *spent[-1])
    _say("all of them", *(sum(part) for part in zip(*spent, strict=True)))
    print(f"({len(catalogue('comparisons'))} comparisons × {pairs} pairs × {rows} texts, one thread)")


def _say(name: str, explaining: float, comparing: float) -> None:
    # seconds of this process: on one thread those of the clock, less what other processes took
    print(
        f"{name}: ten members explain in {explaining:.2f} s, all comparisons take {comparing:.2f} s: "
        f"ratio {comparing / explaining:.2f}",
        flush=True,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS)
    asked = options.parse_args()
    with one_thread():
        measure(asked.rows)


if __name__ == "__main__":
    main()
