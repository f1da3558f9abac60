"""Perturbation stability of ten seeds over ten draws against plain evaluations of the ten seeds.

Made-up texts of SST's sizes, untrained weights, one CPU thread. *Perturbed*: how far attention and
prediction move under ten draws of noise on the word vectors, as the study of stable attention measures it:
one clean pass, ten moved ones, and what both are compared by. *Plain*: every member passes over every text
once. Aim: at most twelve plain evaluations. Both take turns; seconds of the process, the least of each.
"""

import argparse
import time
from collections.abc import Callable

import torch
from texts import dataset, texts

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.measure.embedding_noise import EmbeddingNoise, noised_family
from holdfast.train.family import Family, one_thread

MEMBERS, DRAWS, DIM = 10, 10, 100


def seconds(work: Callable[[], object]) -> float:
    """How long it takes, in time of the process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(data: Dataset, model: str, rows: int, repeats: int) -> None:
    """Print the ratio of one model."""
    family = Family.init(make("models", model), data.task, [Member(n) for n in range(MEMBERS)])
    split, some, noise = data.splits["train"], torch.arange(rows), EmbeddingNoise(draws=DRAWS)
    works: tuple[Callable[[], object], ...] = (
        lambda: family.logits(split, some),
        lambda: noised_family(family, split, some, noise),
    )
    turns = [[seconds(work) for work in works] for _ in range(repeats + 1)][1:]
    plain, perturbed = (min(each) for each in zip(*turns, strict=True))
    print(
        f"{model}: {rows} texts, {MEMBERS} members, a plain evaluation {plain:.2f} s, {DRAWS} draws "
        f"{perturbed:.2f} s: perturbed/plain {perturbed / plain:.2f}"
    )


def main() -> None:
    """Two hundred texts by default, as an audit explains."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--models", nargs="+", default=["cnn", "rnn", "bilstm"])
    options = parser.parse_args()
    data = dataset(*texts(max(options.rows, 300)))
    with one_thread():
        for model in options.models:
            compare(data, f"{model}:dim={DIM}", options.rows, options.repeats)


if __name__ == "__main__":
    main()
