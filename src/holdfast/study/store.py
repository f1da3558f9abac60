"""The run store: one folder, one plan, one owner at a time."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from holdfast.core.errors import BadInput, BadRun
from holdfast.core.files import read_json, sha256, write, write_json
from holdfast.study.plan import SCHEMA, Plan, difference

RESULTS = ("results.parquet", "verdict.json", "findings.json", "report.html")
OWN = (
    *RESULTS, "published.csv", "claims.json", "explain.html", "report-no-text.html", "data-*.safetensors",
    "cells", "figures", "manifest.json",
)  # fmt: skip
LOCK, PLAN = ".lock", "plan.json"
LONGEST = 120


class Store:
    """Files of one run. ``manifest.json`` holds the SHA-256 of every finished file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def plan(self) -> Plan:
        """The plan this run follows."""
        path = self.folder / PLAN
        if not path.is_file():
            raise BadRun(f"{self.folder} is not a run: it has no plan.json (holdfast audit makes one)")
        return Plan.from_json(read_json(path))

    def cell(self, data: str, model: str, repair: str) -> Path:
        """The folder of one family."""
        name = "+".join(_safe(part) for part in (data, model, repair))
        if len(name.encode()) > LONGEST:  # a file system takes 255 bytes
            kept = name.encode()[:LONGEST].decode(errors="ignore")
            name = f"{kept}+{sha256(name.encode())[:8]}"
        return self.folder / "cells" / name

    def data(self, number: int) -> Path:
        """The encoded data set."""
        return self.folder / f"data-{number}.safetensors"

    def keep(self, name: str, data: bytes) -> None:
        """Write a result and enter it in the manifest."""
        self.enter({name: write(self.folder / name, data)})

    def enter(self, files: dict[str, str]) -> None:
        """Enter finished files, by their SHA-256, in the manifest."""
        write_json(self._manifest, {"schema": SCHEMA, "files": self._known() | files})

    def sound(self, name: str) -> bool:
        """Whether a file is there and is the very one that was finished."""
        known, path = self._known().get(name), self.folder / name
        return known is not None and path.is_file() and sha256(path.read_bytes()) == known

    def check(self, *names: str) -> None:
        """Raise unless these files are there and are the very ones that were finished."""
        for name in names:
            if not (self.folder / name).is_file():
                raise BadRun(f"{self.folder} is not finished, it has no {name}: run its command again")
            if not self.sound(name):
                raise BadRun(f"{self.folder / name} is damaged: run its command again, which mends it")

    def _known(self) -> dict[str, str]:
        try:
            found = read_json(self._manifest)["files"]
        except (BadRun, KeyError, TypeError):
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def _manifest(self) -> Path:
        return self.folder / "manifest.json"

    @property
    def finished(self) -> bool:
        """Whether the results are there, all of them, as they were written."""
        return all(self.sound(name) for name in RESULTS)


@contextmanager
def opened(folder: Path, plan: Plan, fresh: bool) -> Iterator[Store]:
    """Own a run's folder for this plan: created, or resumed when it holds the very same plan."""
    traces = [path for path in (folder / PLAN, folder / LOCK, folder) if not path.exists()]
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
        _settle(folder, plan, fresh)
        yield Store(folder)
    except BadInput:
        _take_back(folder, traces)
        raise
    finally:
        lock.release()


def _check_kind(folder: Path) -> None:
    if not (folder / PLAN).exists() and any(not _passing(path) for path in folder.iterdir()):
        raise BadRun(f"{folder} is not empty and not a run: use another --out")


def _settle(folder: Path, plan: Plan, fresh: bool) -> None:
    there = folder / PLAN
    if fresh:
        _clear(folder)
    elif there.exists():
        differs = difference(Plan.from_json(read_json(there)), plan)
        if differs:
            raise BadRun(
                f"{folder} holds another plan ({differs}): use another --out, or --fresh to start over"
            )
    for path in folder.rglob(".*.part"):  # of a process that was killed while it wrote
        path.unlink(missing_ok=True)
    if not there.exists():
        write_json(there, plan.to_json())


def _clear(folder: Path) -> None:
    """Remove what a run wrote, and nothing else; its plan last, so that killed in between it is still one."""
    for pattern in (*OWN, PLAN):
        for path in folder.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _take_back(folder: Path, traces: list[Path]) -> None:
    """Bad data show only when they are read: a run in which nothing was begun leaves no trace."""
    if folder / PLAN in traces and {path.name for path in folder.iterdir()} <= {LOCK, PLAN}:
        for path in traces:
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
