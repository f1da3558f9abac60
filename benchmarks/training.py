"""Ten seeds at once against one ordinary run after the other.

On the CPU: the wall time of ten plain runs (one is timed before ours and one after, and each stands for five)
over that of ten seeds in worker processes, starting them included; more is better. On a GPU: the time of ten
stacked seeds over that of *one* plain run; less is better, and TF32 is on for both. Then, with
``--side-by-side 1,2,4``, that of three families (repairs) of ten seeds, so many at once, over one after the
other.
"""

import argparse
import tempfile
import time
from pathlib import Path

import torch
from plain import plain_run
from texts import DIM, ROWS, dataset, texts

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.study import engine
from holdfast.train.family import fit_all
from holdfast.train.fit import Fit, Progress
from holdfast.train.job import Job
from holdfast.train.repair import Nothing

SEEDS = tuple(Member(seed) for seed in range(10))


def cpu(kind: str, rows: int, epochs: int, folder: Path) -> None:
    """Ten plain runs over ten seeds in worker processes."""
    words, labels = texts(rows)

    def plain(packed: bool) -> float:
        began = time.perf_counter()
        plain_run(kind, words, labels, 14_000, DIM, epochs, "cpu", packed)
        return time.perf_counter() - began

    peers = {"": True, " (not packed: padding leaks)": False} if kind == "bilstm" else {"": True}
    plain_run(kind, words[:64], labels[:64], 14_000, DIM, 1, "cpu")  # what torch imports on its first step
    before = {how: plain(packed) for how, packed in peers.items()}
    path = folder / "data.safetensors"
    dataset(words, labels).save(path)
    job = Job(folder / kind, path, f"{kind}:dim={DIM}", "none", Fit(epochs=epochs, patience=epochs))
    began = time.perf_counter()
    with engine.Engine("cpu") as work:
        work.fit([(job, member) for member in SEEDS], {})
    ours = time.perf_counter() - began
    for how, packed in peers.items():
        seconds = 5 * (before[how] + plain(packed))
        print(
            f"cpu {kind}: ten plain runs{how} {seconds:.1f} s, ten seeds {ours:.1f} s: "
            f"{seconds / ours:.2f} times faster"
        )


def gpu(kind: str, rows: int, epochs: int, folder: Path) -> None:
    """Ten stacked seeds over one plain run; the first epoch of each warms up, captures, and is told apart."""
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.allow_tf32 = True
    words, labels = texts(rows, longest=20, mean=20)
    plain = _seconds(lambda n: plain_run(kind, words, labels, 14_000, DIM, n, "cuda", packed=False), epochs)
    first, rest = _stacked(kind, dataset(words, labels), epochs)
    print(
        f"gpu {kind} (TF32 on): one plain epoch {plain:.3f} s, ten stacked {rest:.3f} s "
        f"(capture {first:.1f} s once): ten seeds cost {rest / plain:.2f} of one plain run"
    )


def side_by_side(kinds: str, rows: int, epochs: int, numbers: list[int], folder: Path) -> None:
    """Three families of each model, some at once, over one after the other."""
    whole = dataset(*texts(rows, longest=20, mean=20))
    path, seconds = folder / "data.safetensors", {}
    for number in numbers:
        engine.AT_ONCE = number
        fit = Fit(epochs=epochs, patience=epochs)
        jobs = [
            Job(folder / f"{number}-{kind}-{at}", path, f"{kind}:dim={DIM}", repair, fit)
            for kind in kinds.split(",")
            for at, repair in enumerate(("none", "aswa", "naswa:per=tensor"))
        ]
        began = time.perf_counter()
        engine.Engine("cuda").fit([(job, member) for job in jobs for member in SEEDS], {path: whole})
        seconds[number] = time.perf_counter() - began
        ratio = seconds[number] / seconds[numbers[0]]
        print(
            f"gpu {kinds}, three families each, {number} at once: {seconds[number]:.1f} s, {ratio:.2f}",
            flush=True,
        )


def _stacked(kind: str, dataset: Dataset, epochs: int) -> tuple[float, float]:
    marks = [time.perf_counter()]

    def listen(progress: Progress) -> None:
        torch.cuda.synchronize()
        marks.append(time.perf_counter())

    architecture = make("models", f"{kind}:dim={DIM}")
    fit = Fit(epochs=epochs + 1, patience=epochs + 1)
    for _ in fit_all(architecture, dataset, SEEDS, fit, Nothing(), "cuda", listen):
        pass
    return marks[1] - marks[0], (marks[-1] - marks[1]) / epochs


def _seconds(run, epochs: int) -> float:
    run(1)
    torch.cuda.synchronize()
    began = time.perf_counter()
    run(epochs)
    torch.cuda.synchronize()
    return (time.perf_counter() - began) / epochs


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--models", default="cnn,bilstm")
    options.add_argument("--rows", type=int, default=ROWS)
    options.add_argument("--epochs", type=int, default=2)
    options.add_argument("--side-by-side", default="", help="how many families at once, the first being 1")
    asked = options.parse_args()
    if asked.side_by_side:
        numbers = [int(number) for number in asked.side_by_side.split(",")]
        with tempfile.TemporaryDirectory() as folder:
            side_by_side(asked.models, asked.rows, asked.epochs, numbers, Path(folder))
        return
    for kind in asked.models.split(","):
        with tempfile.TemporaryDirectory() as folder:
            {"cpu": cpu, "cuda": gpu}[asked.device](kind, asked.rows, asked.epochs, Path(folder))


if __name__ == "__main__":
    main()
