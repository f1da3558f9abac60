"""What is kept of a recipe's seeds: files that count only with the sealed note that is written last."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from holdfast.core.errors import BadInput, BadRun
from holdfast.core.files import digest_of, read_bytes, read_tensors, sha256, write_tensors
from holdfast.core.sealed import read_sealed, write_sealed
from holdfast.train.job import RERUN

FOLDER = "families/recipe"
REQUEST = "request"


@dataclass(frozen=True)
class Kept:
    """The folder of a recipe's seeds: ``request`` with what is explained, ``seed-N`` with what each said."""

    folder: Path

    @staticmethod
    def seed(number: int) -> str:
        """What the files of a seed are called."""
        return f"seed-{number}"

    def seeds(self) -> list[int]:
        """The seeds that are finished."""
        numbers = (int(path.stem.partition("-")[2]) for path in self.folder.glob("seed-*.json"))
        return sorted(seed for seed in numbers if self.counts(self.seed(seed)))

    def keep(self, name: str, tensors: dict[str, Tensor], about: dict[str, Any]) -> None:
        """Write tensors, then the note that makes them count."""
        path = self._path(name)
        check = {"sha256": write_tensors(path, tensors), "bytes": path.stat().st_size}
        write_sealed(path.with_suffix(".json"), about | check)

    def note(self, name: str) -> dict[str, Any] | None:
        """The note of what is finished and sound; None where it is not."""
        try:
            note = read_sealed(self._path(name).with_suffix(".json"))
            whole = digest_of(self._path(name), note["bytes"]) == note["sha256"]
            return note if whole and all(self._sound(*one) for one in note.get("files", {}).items()) else None
        except BadInput:
            return None

    @property
    def of(self) -> str | None:
        """The SHA-256 of what is explained, which answers follow from; None where nothing is yet."""
        note = self.note(REQUEST)
        return None if note is None else str(note["sha256"])

    def counts(self, name: str) -> bool:
        """Whether something is finished: an answer to what is explained now, or why there is none."""
        note, of = self.note(name), self.of
        return note is not None and of is not None and (note["why"] is not None or note["of"] == of)

    def tensors(self, name: str) -> dict[str, Tensor]:
        """The tensors of what is finished, checked against their SHA-256."""
        note = self.note(name)
        if note is None:
            raise BadRun(f"{self._path(name)} is missing or damaged: {RERUN}")
        return read_tensors(self._path(name), note["sha256"], note["bytes"])

    def digests(self, name: str) -> dict[Path, str]:
        """The files of what is finished, with the SHA-256 of each."""
        path = self._path(name)
        note = read_sealed(path.with_suffix(".json"))
        saved = {self.folder / file: digest for file, digest in note.get("files", {}).items()}
        return {
            path: note["sha256"],
            path.with_suffix(".json"): sha256(read_bytes(path.with_suffix(".json"))),
            **saved,
        }

    def forget(self, name: str) -> None:
        """Take back what was written of something."""
        for path in (self._path(name).with_suffix(".json"), self._path(name)):
            path.unlink(missing_ok=True)

    def model(self, seed: int) -> Path:
        """The folder of a saved model."""
        return self.folder / f"model-{seed}"

    def begin_model(self, seed: int) -> Path:
        """An empty folder to save a model in; nothing in it counts before :meth:`end_model`."""
        aside = self.folder / f".model-{seed}.part"
        for path in (aside, self.model(seed)):
            shutil.rmtree(path, ignore_errors=True)
        aside.mkdir(parents=True)
        return aside

    def end_model(self, seed: int) -> dict[str, str]:
        """Give the saved model its place, and return the SHA-256 of each of its files."""
        aside, home = self.folder / f".model-{seed}.part", self.model(seed)
        files = sorted(path for path in aside.rglob("*") if path.is_file())
        for path in files:
            with path.open("rb") as file:
                os.fsync(file.fileno())
        digests = {f"{home.name}/{path.relative_to(aside)}": sha256(read_bytes(path)) for path in files}
        os.replace(aside, home)
        return digests

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.safetensors"

    def _sound(self, file: str, digest: str) -> bool:
        path = self.folder / file
        return digest_of(path, path.stat().st_size if path.is_file() else 0) == digest


def kept_in(run: Path) -> Kept:
    """What a run has kept."""
    return Kept(run / FOLDER)
