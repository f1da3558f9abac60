"""One small run of the study for all its tests: DeepICF with and without a balanced loss, and a gmf."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from holdfast.commands.reproduce import Reproduced, reproduce
from holdfast.study.findings_file import read_findings
from holdfast.study.measurement import Measurement
from tests.study.tiny import here

DATA = "planted-plays:users=60,items=70,length=all,candidates=20"


@cache
def reproduced() -> Reproduced:
    """Three seeds, one epoch, trained in this process."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with here():
        return reproduce(
            "calibration",
            data=(DATA,),
            models=("deepicf:head=two", "gmf"),
            repairs=("none", "class_balanced"),
            seeds=3,
            epochs=1,
            instances=20,
            device="cpu",
            out=folder / "run",
        )


@cache
def rows() -> tuple[Measurement, ...]:
    """Everything that was measured."""
    return read_findings(reproduced().run).rows
