"""One small run of the study for all its tests: two seeds, one epoch, two strengths of one rival."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from holdfast.commands.reproduce import Reproduced, reproduce
from holdfast.study.findings_file import read_findings
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult
from holdfast.study.run import run_study
from holdfast.study.store import Store, locked_run
from tests.study.tiny import here

DATA = "planted:train=240,validation=20,test=24"
REPAIRS = ("none", "attention_rp:strength=0.5", "attention_rp", "seat")


@cache
def reproduced() -> Reproduced:
    """Trained in this process."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with here():
        return reproduce(
            "seat",
            data=(DATA,),
            models=("cnn:filters=4,dim=8",),
            repairs=REPAIRS,
            seeds=2,
            epochs=1,
            batch=4,
            optimiser="adam:lr=0.01",
            instances=8,
            device="cpu",
            out=folder / "run",
        )


@cache
def rows() -> tuple[Measurement, ...]:
    """Everything that was measured."""
    return read_findings(reproduced().run).rows


@cache
def families() -> tuple[FamilyResult, ...]:
    """Every family that was trained."""
    run = reproduced().run
    with here(), locked_run(run, Store(run).plan, False) as store:
        return tuple(run_study(store.plan, store))
