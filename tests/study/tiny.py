"""Tiny studies: made once, looked at by many tests, and copied by those that change them."""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import torch

from holdfast.commands.audit import carry_out
from holdfast.core.records import Explanation, Member
from holdfast.data.source import Source, load
from holdfast.study.plan import Plan
from holdfast.study.result import FamilyResult
from holdfast.train import worker
from holdfast.train.fit import Fit
from holdfast.train.job import Job

DATA = "planted:train=120,validation=30,test=30"
MODEL = "cnn:filters=4,dim=8"
WORDS = [DATA, "--model", MODEL, "--seeds", "3", "--epochs", "2", "--instances", "20"]


def plan(**changes: Any) -> Plan:
    """The plan that ``holdfast audit WORDS`` makes."""
    about: dict[str, Any] = {"models": (MODEL,), "seeds": 3, "fit": Fit(epochs=2), "instances": 20}
    return Plan(**({"data": (Source(DATA),)} | about | changes))


class Here:
    """A pool of workers without processes: the tasks are done on the spot."""

    def __init__(self, workers: int) -> None:
        worker._read.cache_clear()  # a real worker lives in one folder

    def run(self, tasks: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        for number, task in enumerate(tasks):
            worker.work(task, lambda answer: None)
            yield task | {"id": number}, {"done": True}

    def close(self) -> None:
        pass


@contextmanager
def here() -> Iterator[None]:
    """Train and explain in this process."""
    with mock.patch("holdfast.study.engine.Pool", Here):
        yield


def finished(repair: str = "none") -> Path:
    """The folder of a finished tiny audit. Look, do not touch."""
    return _finished(repair)


@cache
def _finished(repair: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="holdfast-tiny-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with here():
        carry_out(plan(repairs=(repair,)), folder / "run")
    return folder / "run"


def copied(to: Path, repair: str = "none") -> Path:
    """A copy of the finished audit to change at will."""
    shutil.copytree(finished(repair), to, symlinks=True)
    return to


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, without locks and pages of explained examples."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (".lock", "explain.html")
    }


def flip(path: Path, place: int = -9) -> None:
    """Flip one bit of a file."""
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(bytes(data))


def weights(run: Path, seed: int, kind: str = "") -> Path:
    """The file of one member of the only family; ``kind`` is an explainer, for its scores."""
    (family,) = (run / "families").iterdir()
    return family / kind / f"seed-{seed}.safetensors"


@cache
def dataset() -> Any:
    """The tiny data."""
    return load(Source(DATA))


def family(
    members: int = 4,
    noise: float = 0.5,
    repair: str = "none",
    seed: int = 0,
    names: tuple[str, ...] = ("attention", "gradient"),
) -> FamilyResult:
    """A family that never trained: one signal, and each member's noise on it."""
    data, draw = dataset(), torch.Generator().manual_seed(seed)
    test = data.splits["test"]
    rows = torch.tensor([0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16])
    lengths = test.lengths[rows]
    mask = torch.arange(int(lengths.max())) < lengths[:, None]
    common = torch.Generator().manual_seed(99)
    signal = torch.rand(mask.shape, generator=common)
    people = tuple(Member(number) for number in range(members))
    explanations = {}
    for name in names:
        own = signal + noise * torch.rand((members, *mask.shape), generator=draw)
        explanations[name] = Explanation(
            own * mask, mask, torch.ones(12, dtype=torch.long), people, name, False
        )
    sure = torch.rand(1, len(test), generator=common, dtype=torch.float64)
    drawn = torch.rand(members, len(test), generator=draw, dtype=torch.float64)
    yes = (sure + noise * (drawn - 0.5)).clamp(0.01, 0.99)
    return FamilyResult(
        job=Job(Path("nowhere"), Path("nowhere"), "cnn", repair, Fit(), names),
        dataset=data,
        data="planted",
        model="cnn",
        repair=repair,
        members=people,
        left_out=(),
        probabilities=torch.stack([1 - yes, yes], -1),
        rows=rows,
        target=torch.ones(12, dtype=torch.long),
        explanations=explanations,
        failed={},
    )


def shortened(one: FamilyResult, lengths: list[int]) -> FamilyResult:
    """The same family, as if its texts had so many words."""
    width = next(iter(one.explanations.values())).mask.shape[1]
    mask = torch.arange(width) < torch.tensor(lengths)[:, None]
    cut = {name: replace(e, scores=e.scores * mask, mask=mask) for name, e in one.explanations.items()}
    return replace(one, explanations=cut)
