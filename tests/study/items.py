"""A tiny finished audit of a recommender, made once. Look, do not touch."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from holdfast.commands.audit import carry_out
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.source import Source
from holdfast.data.store import load_dataset
from holdfast.study.plan import Plan
from holdfast.study.run import run_study
from holdfast.study.store import locked_run
from holdfast.train.fit import Fit
from tests.study.tiny import here

DATA = "planted-plays:users=80,length=12"
MODEL = "sasrec:dim=8,blocks=1"
EXPLAINERS = ("leave_one_out", "rollout", "random")


@cache
def finished() -> Path:
    """The folder of the run."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    plan = Plan(
        (Source(DATA),), (MODEL,), seeds=3, explainers=EXPLAINERS, fit=Fit(epochs=2, batch=32), instances=20
    )
    with here():
        carry_out(plan, folder / "run")
    return folder / "run"


@cache
def without_history() -> Path:
    """The folder of a run on the same data, of models that know users by vectors of their own."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    fit = Fit(epochs=2, batch=32)
    plan = Plan((Source(DATA),), ("gmf:dim=4",), seeds=3, explainers=("random",), fit=fit, instances=20)
    with here(), locked_run(folder / "run", plan, fresh=False) as store:
        run_study(plan, store)
    return folder / "run"


@cache
def dataset() -> InteractionDataset:
    """Its data."""
    found = load_dataset(finished() / "data-0.safetensors")
    assert isinstance(found, InteractionDataset)
    return found
