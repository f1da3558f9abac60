"""The run store: one folder, one plan, one owner at a time."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from holdfast.core.errors import BadInput, BadRun
from holdfast.core.files import JSON, digest_of, json_bytes, read_json, sha256, write
from holdfast.study.difference import RunPlan, difference
from holdfast.study.manifest import NAME as MANIFEST
from holdfast.study.manifest import Manifest
from holdfast.study.plan import Plan
from holdfast.train.job import RERUN

RESULTS = ("results.parquet", "verdict.json", "findings.json", "report.html")
OWN = (
    *RESULTS, "published.csv", "claims.json", "claims.csv", "rows.csv", "explain.html",
    "report-no-text.html", "data-*.safetensors", "families", "figures", MANIFEST,
    "cells",  # the families of runs of schema 2 and before
)  # fmt: skip
LOCK, PLAN = ".lock", "plan.json"
FAMILIES = "families/"
PARTS = ("data-", FAMILIES)  # what results are made from
LONGEST = 120


class Store:
    """Files of one run, each known by its size and its SHA-256."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.manifest = folder, Manifest(folder)

    @property
    def plan(self) -> Plan:
        """The plan this run follows."""
        return Plan.from_json(self.written)

    @property
    def written(self) -> Any:
        """The plan as it is written, whatever it is of."""
        if not ((self.folder / PLAN).exists() or PLAN in self.manifest.known()):
            raise BadRun(f"{self.folder} is not a run: it has no plan.json (holdfast audit makes one)")
        self.check(PLAN)
        return read_json(self.folder / PLAN)

    def family(self, data: str, model: str, repair: str) -> Path:
        """The folder of one family."""
        name = "+".join(_safe(part) for part in (data, model, repair))
        if len(name.encode()) > LONGEST:  # a file system takes 255 bytes
            kept = name.encode()[:LONGEST].decode(errors="ignore")
            name = f"{kept}+{sha256(name.encode())[:8]}"
        return self.folder / "families" / name

    def data(self, number: int) -> Path:
        """The encoded data set."""
        return self.folder / f"data-{number}.safetensors"

    def keep(self, name: str, data: bytes) -> None:
        """Write a result and enter it in the manifest."""
        self.enter({name: write(self.folder / name, data)})

    def enter(self, files: dict[str, str]) -> None:
        """Enter finished files, by their SHA-256, in the manifest."""
        self.manifest.enter(files)

    def begin(self, plan: RunPlan) -> None:
        """Write the plan, unless one is there and intact."""
        if self.manifest.sound(PLAN):
            return
        if self.follows(plan):
            self.keep(PLAN, json_bytes(plan.to_json()))
        else:  # there is none, or another was being written
            self.turn_to(plan)

    def follows(self, plan: RunPlan) -> bool:
        """Whether this very plan, seeds, explainers and instances too, is the one that is written."""
        entry = self.manifest.known().get(PLAN)
        return entry is not None and entry.sha256 == sha256(json_bytes(plan.to_json()))

    def turn_to(self, plan: RunPlan) -> None:
        """From now on the run answers this plan: results of another do not count."""
        if not self.follows(plan):
            digest = write(self.folder / PLAN, json_bytes(plan.to_json()))
            self.manifest.enter({PLAN: digest}, kept=lambda name: name.startswith(PARTS))

    def forget_damaged(self) -> None:
        """Forget files that are damaged or gone: what is asked for is made again, the rest when it is."""
        sound = {name for name, entry in self.manifest.known().items() if self.manifest.intact(name, entry)}
        self.manifest.enter({}, kept=lambda name: name in sound)

    @property
    def trained(self) -> bool:
        """Whether a member is finished."""
        return any(name.startswith(FAMILIES) for name in self.manifest.known())

    def sound(self, name: str) -> bool:
        """Whether a file is there and is the very one that was finished."""
        return self.manifest.sound(name)

    def check(self, *names: str) -> None:
        """Raise unless these files are there and are the very ones that were finished."""
        entries = self.manifest.read()
        for name in names:
            path = self.folder / name
            if not path.exists():
                raise BadRun(f"{self.folder} is not finished ({name} is missing): run its command again")
            if not self.manifest.intact(name, entries.get(name)):
                raise BadRun(f"{path} is damaged: {RERUN}")

    def finished(self, *more: str) -> bool:
        """Whether the results are there, and ``more``, and everything that this run holds is as it was
        written: what is damaged or gone is made again."""
        entries = self.manifest.known()
        return {*RESULTS, *more} <= set(entries) and all(
            self.manifest.intact(name, entry) for name, entry in entries.items()
        )


@contextmanager
def locked_run(folder: Path, plan: RunPlan, fresh: bool) -> Iterator[Store]:
    """Own a run's folder for this plan: created, or resumed when it holds this plan, of whatever size."""
    traces = [folder / name for name in (PLAN, MANIFEST, LOCK, "") if not (folder / name).exists()]
    _writable(folder)
    _check_kind(folder)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise BadRun(
            f"{folder} is in use by another holdfast process: wait for it, or use another --out"
        ) from None
    try:
        _prepare(folder, plan, fresh)
        yield Store(folder)
    except BadInput:
        _take_back(folder, traces)
        raise
    finally:
        lock.release()


def _check_kind(folder: Path) -> None:
    known = (folder / PLAN).exists() or PLAN in Manifest(folder).known()
    if not known and any(not _passing(path) for path in folder.iterdir()):
        raise BadRun(f"{folder} is not empty and not a run: use another --out")


def _prepare(folder: Path, plan: RunPlan, fresh: bool) -> None:
    if fresh:
        _clear(folder)
    else:
        _check_plan(folder, plan)
    for path in list(folder.rglob(".*.part")):  # of a process that was killed while it wrote
        _remove(path)
    Store(folder).begin(plan)


def _check_plan(folder: Path, plan: RunPlan) -> None:
    """Refuse a run of another plan. Which plan it was is known twice, by the file and by the manifest, so
    that one of them may be damaged."""
    manifest, path, written = Manifest(folder), folder / PLAN, json_bytes(plan.to_json())
    manifest.check_version()
    entry = manifest.known().get(PLAN)
    if entry is not None and sha256(written) in (entry.sha256, _digest(path)):
        return
    if entry is not None and not manifest.intact(PLAN, entry) and not _is_of_run(path, plan):
        raise BadRun(
            f"{path} is damaged, and another command made it: run that command to repair it, use "
            "another --out, or start over with --fresh"
        )
    if entry is None and not path.exists():
        return
    differs = difference(_plan_of(path, plan), plan)
    if differs:
        raise BadRun(f"{folder} holds another plan ({differs}): use another --out, or --fresh to start over")


def _is_of_run(path: Path, plan: RunPlan) -> bool:
    """Whether a plan that is not the manifest's is of this run all the same: a process that grew it to
    another size was killed between the two."""
    try:
        return difference(_plan_of(path, plan), plan) is None
    except BadRun:
        return False


def _digest(path: Path) -> str:
    try:
        return digest_of(path, JSON)
    except BadInput:
        return ""


def _plan_of(path: Path, like: RunPlan) -> RunPlan:
    """The plan that is written, which must be of the same kind."""
    try:
        return like.from_json(read_json(path))
    except BadInput as error:
        raise BadRun(f"{error}: use another --out, or --fresh to start over") from error


def _clear(folder: Path) -> None:
    """Remove what a run wrote, and nothing else; its plan last, so that killed in between it is still one."""
    for pattern in (*OWN, PLAN):
        for path in folder.glob(pattern):
            _remove(path)


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _take_back(folder: Path, traces: list[Path]) -> None:
    """Bad data show only when they are read, and what does not suit them later still: a run that has no more
    than its data leaves no trace."""
    data = list(folder.glob("data-*.safetensors"))
    kept = {path.name for path in folder.iterdir()} - {path.name for path in data}
    if folder / PLAN in traces and kept <= {LOCK, PLAN, MANIFEST}:
        for path in (*data, *traces):
            path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)


def _passing(path: Path) -> bool:
    return path.name == LOCK or path.name.endswith(".part")


def _writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise BadInput(f"--out {folder} is a file, not a folder: name a folder") from None
    except OSError as error:
        raise BadInput(f"cannot make --out {folder}: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadInput(f"cannot write to --out {folder}: permission denied")


def _safe(text: str) -> str:
    return "".join(c if c.isalnum() or c in "._=-" else "-" for c in text)
