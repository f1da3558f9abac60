"""The manifest of a run: the size and the SHA-256 of every finished file, and a checksum of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from holdfast.core.errors import BadInput, BadRun
from holdfast.core.files import digest_of, read_json
from holdfast.core.sealed import SEAL, read_sealed, write_sealed
from holdfast.train.job import RERUN

NAME, SCHEMA = "manifest.json", 2


@dataclass(frozen=True)
class Entry:
    """What a finished file was."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The finished files of a run's folder, by their names in it."""

    folder: Path

    def read(self) -> dict[str, Entry]:
        """Every finished file; a manifest that is missing, damaged or of another version is refused."""
        path = self.folder / NAME
        if not path.exists():
            raise BadRun(f"{self.folder} is not finished ({NAME} is missing): run its command again")
        self.check_version()
        try:
            note = read_sealed(path)
        except BadRun as error:
            raise BadRun(f"{path} is damaged: {RERUN}") from error
        return {name: Entry(**entry) for name, entry in note["files"].items()}

    def known(self) -> dict[str, Entry]:
        """Every finished file; none where the manifest is missing or damaged."""
        try:
            return self.read()
        except BadRun:
            return {}

    def enter(self, files: dict[str, str], kept: Callable[[str], bool] = lambda name: True) -> None:
        """Enter finished files, each by its SHA-256; of the others only those stay that are ``kept``."""
        new = {name: Entry((self.folder / name).stat().st_size, digest) for name, digest in files.items()}
        old = {name: entry for name, entry in self.known().items() if kept(name)}
        entries = {name: vars(entry) for name, entry in (old | new).items()}
        write_sealed(self.folder / NAME, {"schema": SCHEMA, "files": entries})

    def sound(self, name: str) -> bool:
        """Whether a file is there and is the very one that was finished."""
        return self.intact(name, self.known().get(name))

    def intact(self, name: str, entry: Entry | None) -> bool:
        """Whether a file is there and is what its entry says."""
        try:
            return entry is not None and digest_of(self.folder / name, entry.bytes) == entry.sha256
        except BadInput:
            return False

    def check_version(self) -> None:
        """Refuse a run of another version, which a damaged manifest is not."""
        try:
            note = read_json(self.folder / NAME)
        except BadRun:
            return
        whole = isinstance(note, dict) and (SEAL not in note or self._sealed())
        if whole and isinstance(note.get("schema"), int) and note["schema"] != SCHEMA:
            raise BadRun(
                f"{self.folder} was made by another version of holdfast (schema {note['schema']}, expected "
                f"{SCHEMA}): use that version, or start over with --fresh"
            )

    def _sealed(self) -> bool:
        try:
            return bool(read_sealed(self.folder / NAME))
        except BadRun:
            return False
