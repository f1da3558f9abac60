"""DeepICF (item vectors and attention of 16, tower 64-32-16, four negatives) against a plain PyTorch loop.

Histories are made up, with the items of MovieLens-1M: 3,706, of which a model sees a user's latest 50. Both
sides take the same samples, every item that a user took and four that he did not, drawn anew each epoch,
1,280 pairs a step. The plain loop gathers the history of each pair, as people write it; ours reads it once
for all candidates of a row.

On the CPU: one epoch, ours with its validation, and ranking 101 candidates of each user, one thread each,
seconds of the process, so that others on the machine matter less. Then one epoch by the clock, the plain loop
on all of torch's threads against ours on its one: with one seed the other cores are idle, with more each
trains one. Ours runs in a process with the environment of a worker (one thread, freed memory is kept), as
``holdfast`` trains; the plain loop in this one, as it comes.

On a GPU (``--device cuda``): ten stacked seeds, in captured graphs, over *one* plain eager run, TF32 on for
both (aim: at most 1), at the size of MovieLens-1M.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from holdfast.core.catalogue import make
from holdfast.core.records import Batch, Member
from holdfast.data.base import Dataset, Split, Task
from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.pairs import SIZE, Pairs
from holdfast.data.interaction.splits import HELD, HeldOut, Windows
from holdfast.models.run import Run
from holdfast.train.family import fit_all, initial, one_thread, template
from holdfast.train.fit import Fit, Progress
from holdfast.train.optimise import Adagrad
from holdfast.train.pool import environment
from holdfast.train.repair import Nothing

ITEMS, LENGTH, DIM, NEGATIVES, CANDIDATES, EVALUATED, SEEDS = 3706, 50, 16, 4, 101, 64, 10
ROWS = 16  # in a step: 16 rows of 16 items, each with its negatives, are 1,280 pairs
PAIRS = ROWS * SIZE * (1 + NEGATIVES)
DEFAULTS = {"cpu": (40, 2, 3), "cuda": (6040, 1, 2)}  # users, epochs, repeats
WARM = 20  # steps before anything is timed
Clock = Callable[[], float]


class PlainDeepicf(nn.Module):
    """DeepICF+a as anybody would write it: one history for each pair."""

    def __init__(self, beta: float = 0.8) -> None:
        super().__init__()
        self.beta = beta
        self.history, self.target = nn.Embedding(ITEMS + 1, DIM), nn.Embedding(ITEMS + 1, DIM)
        self.bias = nn.Embedding(ITEMS + 1, 1)
        self.attend, self.energy = nn.Linear(DIM, DIM), nn.Linear(DIM, 1, bias=False)
        self.tower = nn.Sequential(
            *(nn.Linear(DIM, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        )
        self.last = nn.Linear(16, 1)

    def forward(self, history: Tensor, item: Tensor) -> Tensor:
        products = self.history(history) * self.target(item)[:, None]
        mask = (history > 0) & (history != item[:, None])
        weights = self.energy(self.attend(products).relu()).squeeze(-1).exp() * mask
        weights = weights / weights.sum(1, keepdim=True).clamp_min(1e-9) ** self.beta
        pooled = (weights[..., None] * products).sum(1)
        return (self.last(self.tower(pooled)) + self.bias(item)).squeeze(-1)


class MadeUp(Dataset):
    """Random histories of ``users`` users."""

    name = "plays"

    def __init__(self, users: int) -> None:
        draw = torch.Generator().manual_seed(0)
        lengths = torch.randint(20, 300, (users,), generator=draw)
        ids = torch.randint(1, ITEMS + 1, (int(lengths.sum()),), generator=draw, dtype=torch.int32)
        histories = Histories(ids, torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)]))
        few = Histories(ids, histories.offsets[: min(users, EVALUATED) + 1])
        candidates = torch.randint(1, ITEMS + 1, (len(few), CANDIDATES), generator=draw)
        self.asked = HeldOut(few, candidates, ITEMS, LENGTH, back=HELD)
        self.pairs = Pairs(histories, ITEMS, LENGTH)
        self.task = Task(ITEMS + 1, (), length=LENGTH, users=users)
        windows = Windows(histories, ITEMS, LENGTH)
        self.splits: dict[str, Split] = {"train": windows, "pairs": self.pairs} | dict.fromkeys(
            ("validation", "test"), self.asked
        )

    def save(self, path: Path) -> str:
        raise NotImplementedError("made up anew each time")

    @classmethod
    def load(cls, path: Path) -> "MadeUp":
        raise NotImplementedError("made up anew each time")


class PlainRun:
    """One ordinary training run, epoch after epoch."""

    def __init__(self, dataset: MadeUp, device: str) -> None:
        self.model = PlainDeepicf().to(device)
        self.optimiser = torch.optim.Adagrad(self.model.parameters(), lr=0.01)
        self.pairs, self.device, self.done = dataset.pairs, torch.device(device), 0
        rows = self.pairs.batch(torch.arange(len(self.pairs))).to(device)
        assert rows.following is not None
        self.history, self.taken = rows.inputs.flip(1), rows.following  # padded on the right, as people do

    def epoch(self, steps: int | None = None) -> None:
        """All pairs in random order, or the first few steps of it."""
        negatives = self.pairs.negatives(Member(0), self.done, NEGATIVES, self.device)
        assert negatives is not None
        items = torch.cat([self.taken[..., None], negatives], -1)
        label = torch.zeros(items.shape, device=self.device)
        label[..., 0] = 1.0
        row, column, place = (self.taken > 0)[..., None].expand(items.shape).nonzero(as_tuple=True)
        item, label = items[row, column, place], label[row, column, place]
        for some in torch.randperm(len(item), device=self.device).split(PAIRS)[:steps]:
            logits = self.model(self.history[row[some]], item[some])
            loss = F.binary_cross_entropy_with_logits(logits, label[some])
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
        self.done += 1


def ours(dataset: MadeUp, seeds: int, epochs: int, device: str, clock: Clock) -> list[float]:
    """Seconds of each epoch but the first, which captures graphs."""
    marks = []

    def listen(progress: Progress) -> None:
        marks.append(clock())

    fit = Fit(epochs=epochs + 1, batch=ROWS, patience=epochs + 1, optimiser=Adagrad(0.01, 0.0))
    members = tuple(Member(seed) for seed in range(seeds))
    list(fit_all(make("models", "deepicf"), dataset, members, fit, Nothing(), device, listen))
    return [after - before for before, after in pairwise(marks)]


def in_worker(options: argparse.Namespace, clock: str) -> list[float]:
    """The same in a process of its own, with the environment that ``holdfast`` gives its workers."""
    sizes = ["--users", str(options.users), "--epochs", str(options.epochs)]
    command = [sys.executable, __file__, *sizes, "--worker", clock]
    done = subprocess.run(command, env=environment(os.environ), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return [float(part) for part in done.stdout.split()]


def finished() -> float:
    """Seconds of the clock, once the GPU has done all."""
    torch.cuda.synchronize()
    return time.perf_counter()


CLOCKS: dict[str, Clock] = {"cpu": time.process_time, "wall": time.perf_counter, "cuda": finished}


def seconds(function: Callable[[], object], clock: Clock) -> float:
    """Of one call."""
    began = clock()
    function()
    return clock() - began


def train(dataset: MadeUp, options: argparse.Namespace, name: str, how: str) -> None:
    """Ours and the plain loop in turn; the least of each counts, as others use the machine too."""
    device, seeds, clock = options.device, 1 if options.device == "cpu" else SEEDS, CLOCKS[name]
    plain_run = PlainRun(dataset, device)
    plain_run.epoch(WARM)
    plain, own = [], []
    for _ in range(options.repeats):
        plain += [seconds(plain_run.epoch, clock) for _ in range(options.epochs)]
        if device == "cpu":
            own += in_worker(options, name)
        else:
            own += ours(dataset, seeds, options.epochs, device, clock)
    ratio = min(own) / min(plain)
    middle = statistics.median(own) / statistics.median(plain)
    print(
        f"{device}, {how}: an epoch of one plain run {min(plain):.3f} s, "
        f"of {seeds} of ours {min(own):.3f} s: ours/plain {ratio:.2f} (medians {middle:.2f})"
    )


def rank(dataset: MadeUp, repeats: int, device: str) -> None:
    """All candidates of each user: ours at once, the plain model with a history for each."""
    clock = CLOCKS[device]
    architecture = make("models", "deepicf")
    weights = {name: t.to(device) for name, t in initial(architecture, dataset.task, Member(0)).items()}
    run, plain = Run(template(architecture, dataset.task), weights), PlainDeepicf().to(device)
    batch: Batch = dataset.asked.batch(torch.arange(len(dataset.asked))).to(device)
    assert batch.candidates is not None
    items = batch.candidates
    spread = batch.inputs.repeat_interleave(items.shape[1], 0)

    def gathered() -> Tensor:
        parts = zip(spread.split(PAIRS), items.flatten().split(PAIRS), strict=True)
        return torch.cat([plain(*part) for part in parts])

    def at_once() -> Tensor:
        with one_thread():
            return run.rank(batch)

    with torch.no_grad():
        turns = [(seconds(at_once, clock), seconds(gathered, clock)) for _ in range(repeats + 1)][1:]
    own, other = (min(side) for side in zip(*turns, strict=True))
    said = f"plain {other:.4f} s, ours {own:.4f} s: ours/plain {own / other:.2f}"
    print(f"{device}: ranking {items.shape[1]} candidates of {len(items)} users: {said}")


def main() -> None:
    """Small by default on the CPU; ``--users 6040`` for the size of MovieLens-1M."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--users", type=int, help="default: 40, on a GPU 6,040")
    parser.add_argument("--epochs", type=int, help="in a repeat; default: 2, on a GPU 1")
    parser.add_argument("--repeats", type=int, help="default: 3, on a GPU 2")
    parser.add_argument("--worker", choices=("cpu", "wall"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    for name, value in zip(("users", "epochs", "repeats"), DEFAULTS[options.device], strict=True):
        setattr(options, name, value if getattr(options, name) is None else getattr(options, name))
    dataset, threads = MadeUp(options.users), torch.get_num_threads()
    if options.worker:
        print(*ours(dataset, 1, options.epochs, "cpu", CLOCKS[options.worker]))
        return
    if options.device == "cuda":
        torch.set_float32_matmul_precision("high")
        train(dataset, options, "cuda", "clock")
    else:
        train(dataset, options, "wall", f"clock, plain on {threads} threads")
        torch.set_num_threads(1)
        train(dataset, options, "cpu", "process, one thread")
    rank(dataset, 5 * options.repeats, options.device)


if __name__ == "__main__":
    main()
