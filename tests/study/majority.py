"""A tiny audit of the majority task, whose strips end elsewhere than its blocks; made once for all tests."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

import torch

from holdfast.commands.audit import carry_out
from holdfast.data.image.dataset import ImageDataset
from holdfast.data.source import Source, load
from holdfast.study.explain import load_family
from holdfast.study.plan import Plan
from tests.study.strips import FIT
from tests.study.tiny import here

DATA = "digits-maj:limit=60,steps=4"


@cache
def dataset() -> ImageDataset:
    """Its images."""
    found = load(Source(DATA))
    assert isinstance(found, ImageDataset)
    return found


@cache
def majority() -> Path:
    """The folder of the finished audit. Look, do not touch."""
    folder = Path(tempfile.mkdtemp(prefix="holdfast-majority-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    plan = Plan(
        data=(Source(DATA),),
        models=("shallow", "rlstm"),
        seeds=3,
        explainers=("lrp", "attention", "sensitivity", "random"),
        comparisons=("jensen_shannon",),
        fit=FIT,
        instances=12,
    )
    with here():
        carry_out(plan, folder / "run")
    return folder / "run"


@cache
def right_row() -> int:
    """The first test image whose class its seeds favour together."""
    loaded = load_family(majority(), None, None)
    split = dataset().splits["test"]
    favoured = loaded.probabilities(split.batch(torch.arange(len(split)))).mean(0).argmax(-1)
    return int((favoured == split.targets).float().argmax())
