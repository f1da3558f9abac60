"""A hundred shuffles of the attention (``attention_permutation``) against one plain forward pass.

As many pairs of a user and an item as MovieLens-1M has users for DeepICF, as many texts for a CNN: 6,040 of
each, made up, untrained weights, in the batches that an audit takes. Histories are as long as those of
MovieLens-1M, whole (20 to 2,313 items, 154 on average), as the document has them; then cut to the latest 50
of 20 to 300. The states before the attention are computed once for all shuffles. Seconds of the process on a
single CPU thread, or of the clock on a GPU; the two take turns, and the least of each counts. Aim: a hundred
cost at most ten passes.
"""

import argparse
import statistics
from collections.abc import Iterator

import torch
from deepicf import CANDIDATES, CLOCKS, ITEMS, LENGTH, seconds
from texts import dataset, texts

from holdfast.core.catalogue import make
from holdfast.core.records import Batch, Member
from holdfast.data.base import Split, Task
from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.splits import HELD, HeldOut
from holdfast.measure.probes.attention_permutation import AttentionPermutation
from holdfast.models.run import Run
from holdfast.train.evaluate import POSITIONS, batches
from holdfast.train.family import initial, one_thread, template

SHUFFLES, DIM, LONGEST = 100, 100, 2313


def users(rows: int, whole: bool) -> tuple[Split, Task]:
    """Random histories, each with candidates: whole, or their latest items."""
    draw = torch.Generator().manual_seed(0)
    if whole:
        lengths = (torch.randn(rows, generator=draw) + 4.55).exp().clamp(20, LONGEST).long()
    else:
        lengths = torch.randint(20, 300, (rows,), generator=draw)
    length = LONGEST if whole else LENGTH
    ids = torch.randint(1, ITEMS + 1, (int(lengths.sum()),), generator=draw, dtype=torch.int32)
    histories = Histories(ids, torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)]))
    candidates = torch.randint(1, ITEMS + 1, (rows, CANDIDATES), generator=draw)
    task = Task(ITEMS + 1, (), length=length, users=rows)
    return HeldOut(histories, candidates, ITEMS, length, back=HELD), task


def sentences(rows: int) -> tuple[Split, Task]:
    """Random words, of SST's sizes."""
    data = dataset(*texts(rows))
    return data.splits["train"], data.task


def asked(run: Run, split: Split, device: str) -> Iterator[Batch]:
    """The batches; of users, about their first candidate."""
    for _, batch in batches(split, torch.arange(len(split)), POSITIONS[device]):
        yield run.model.focused(batch.to(device), torch.zeros(len(batch), dtype=torch.long, device=device))[0]


def compare(name: str, split: Split, task: Task, repeats: int, device: str) -> None:
    """One pass and a hundred shuffles in turn."""
    settings = f"cnn:dim={DIM}" if name == "cnn" else name
    architecture, probe = make("models", settings), AttentionPermutation(SHUFFLES)
    weights = {key: tensor.to(device) for key, tensor in initial(architecture, task, Member(0)).items()}
    run = Run(template(architecture, task), weights)
    ready = list(asked(run, split, device))

    def once() -> None:
        for batch in ready:
            run(batch)

    def shuffled() -> None:
        for batch in ready:
            probe.effect(run, batch)

    clock = CLOCKS[device]
    with torch.no_grad(), one_thread():
        turns = [(seconds(once, clock), seconds(shuffled, clock)) for _ in range(repeats + 1)][1:]
    one, many = zip(*turns, strict=True)
    ratio, middle = min(many) / min(one), statistics.median(many) / statistics.median(one)
    longest = int(split.lengths.max())
    print(
        f"{device}: {name}, {len(split)} rows of up to {longest}: a pass {min(one):.4f} s, "
        f"{SHUFFLES} shuffles {min(many):.4f} s: shuffles/pass {ratio:.2f} (medians {middle:.2f})"
    )


def main() -> None:
    """All rows by default."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--rows", type=int, default=6040)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    for whole in (True, False):
        compare("deepicf", *users(options.rows, whole), options.repeats, options.device)
    compare("cnn", *sentences(options.rows), options.repeats, options.device)


if __name__ == "__main__":
    main()
