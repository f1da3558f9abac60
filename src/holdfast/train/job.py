"""A job: one family to train and explain, in files that any process on this machine can pick up.

Each finished member adds ``seed-N.safetensors`` (its weights, logits and path) to the folder and, last of
all, ``seed-N.json``, a sealed note with the SHA-256 of the former: with it the member is finished, without it
nothing happened. ``request.safetensors`` says what is explained; every explainer has a folder of its own with
the members' scores (:mod:`holdfast.train.score_file`), and ``answers`` has their logits: these are results,
and are read without the weights.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.errors import BadInput, BadRun
from holdfast.core.files import digest_of, read_bytes, read_tensors, sha256, write_tensors
from holdfast.core.records import Member
from holdfast.core.sealed import read_sealed, write_sealed
from holdfast.core.settings import label
from holdfast.models.base import Architecture
from holdfast.train.fit import Fit, Trained
from holdfast.train.repair import Repair, Tensors
from holdfast.train.untrained import group_of

ANSWERS, LOGITS = "answers", "logits/test"
RERUN = "run its command again to repair it"


@dataclass(frozen=True)
class Job:
    """What to train, and what to explain it with; methods in their written form, ``data`` is a file.

<<<<<<< HEAD
    ``teachers`` are the jobs of the members that the repair needs first, by name. Of a teacher, ``seed`` is
    that of the one member that all learn from, where it is not each one's own.
=======
    ``teachers`` are the jobs of the members that the repair needs first, by name. ``change`` is the
    perturbation of the inputs that are explained, where there is one.
>>>>>>> main
    """

    folder: Path
    data: Path
    model: str
    repair: str
    fit: Fit
    explainers: tuple[str, ...] = ()
    teachers: "tuple[tuple[str, Job], ...]" = ()
<<<<<<< HEAD
    seed: int | None = None
=======
    change: str = ""

    @property
    def changed_data(self) -> Path:
        """The file with the perturbed examples, beside the data.

        >>> Job(Path("cell"), Path("data-0.safetensors"), "cnn", "none", Fit(), change="typos").changed_data
        PosixPath('data-0-typos.safetensors')
        """
        return self.data.with_name(f"{self.data.stem}-{folder_of(self.change)}{self.data.suffix}")
>>>>>>> main

    @property
    def architecture(self) -> Architecture:
        """The model's settings."""
        return make("models", self.model)  # type: ignore[no-any-return]

    @property
    def repair_settings(self) -> Repair:
        """The repair."""
        return make("repairs", self.repair)  # type: ignore[no-any-return]

    @property
    def methods(self) -> tuple[str, ...]:
        """What training takes."""
        return tuple(dict.fromkeys(text for job in self.lineage for text in (job.model, job.repair)))

    @property
    def lineage(self) -> "tuple[Job, ...]":
        """This job, after its teachers, after their teachers."""
        return *(job for _, teacher in self.teachers for job in teacher.lineage), self

    def units(self, member: Member) -> "tuple[tuple[Job, Member], ...]":
        """This job and its lineage, each with the member of it that this one needs."""
        taught = (unit for _, teacher in self.teachers for unit in teacher.units(teacher.whose(member)))
        return *taught, (self, member)

    def whose(self, member: Member) -> Member:
        """Of a teacher: the member that this one learns from."""
        return member if self.seed is None else replace(member, seed=self.seed)

    def given(self, member: Member) -> Tensors:
        """Of a teacher: the weights that this member learns from."""
        return self.parameters(self.whose(member))

    @property
    def stage(self) -> int:
        """1 without teachers, else one more than that of any of them."""
        return 1 + max((teacher.stage for _, teacher in self.teachers), default=0)

    def to_json(self) -> dict[str, Any]:
        """Plain values, for a worker."""
        written = {"folder": str(self.folder), "data": str(self.data), "model": self.model}
        made = {"fit": fit_to_json(self.fit), "explainers": list(self.explainers)}
        teachers = [[name, teacher.to_json()] for name, teacher in self.teachers]
<<<<<<< HEAD
        return written | {"repair": self.repair} | made | {"teachers": teachers, "seed": self.seed}
=======
        return written | {"repair": self.repair, "change": self.change} | made | {"teachers": teachers}
>>>>>>> main

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Job":
        """Back from :meth:`to_json`."""
        paths = {name: Path(values[name]) for name in ("folder", "data")}
        made = {"fit": fit_from_json(values["fit"]), "explainers": tuple(values["explainers"])}
        teachers = tuple((name, cls.from_json(teacher)) for name, teacher in values["teachers"])
        return cls(**(values | paths | made | {"teachers": teachers}))

    @property
    def request(self) -> Path:
        """The file with the question: which rows are explained, and for which class."""
        return self.folder / "request.safetensors"

    def path(self, member: Member, kind: str = "") -> Path:
        """The tensors of one member; ``kind`` is "" for what training leaves, else a folder."""
        fold = "" if member.fold is None else f"-fold-{member.fold}"
        group = group_of(member)
        name = f"seed-{member.seed}{fold}" if group is None else f"untrained-{group}"
        return self.folder / kind / f"{name}.safetensors"

    def keep(self, member: Member, tensors: Tensors, about: dict[str, Any], kind: str = "") -> None:
        """Write a member's tensors, then the note that makes them count."""
        path = self.path(member, kind)
        digest = write_tensors(path, tensors)
        check = {"sha256": digest, "bytes": path.stat().st_size}
        write_sealed(path.with_suffix(".json"), about | check)

    def keep_trained(
        self, trained: Trained, seen: dict[str, Tensor], stacked: tuple[Member, ...] = ()
    ) -> None:
        """Write a trained member with what it answered on some splits, by name, and with whom it was
        stacked."""
        tensors = {f"parameter/{name}": tensor for name, tensor in trained.parameters.items()}
        tensors |= seen | {"path": trained.path}
        for epoch, kept in enumerate(trained.snapshots, 1):
            tensors |= {f"epoch/{epoch}/{name}": tensor.contiguous() for name, tensor in kept.items()}
        history = [None if score != score else score for score in trained.history]
        about = {"best": trained.best, "history": history, "why": trained.why}
        about |= {"stacked": [one.seed for one in stacked if one.fold is None]} if stacked else {}
        self.keep(trained.member, tensors, about | self._learned_from(trained.member))

    def keep_answers(self, member: Member) -> None:
        """Write a member's logits where they are read without the weights."""
        self.keep(member, {LOGITS: self.tensors(member)[LOGITS]}, {"of": self.weights(member)}, ANSWERS)

    def note(self, member: Member, kind: str = "") -> dict[str, Any] | None:
        """The note of a finished member, or None if there is none or it is damaged."""
        try:
            return read_sealed(self.path(member, kind).with_suffix(".json"))
        except BadRun:
            return None

    def why(self, member: Member) -> str | None:
        """Why a finished member is left out, if it is."""
        note = self.note(member)
        if note is None:
            raise BadRun(f"{self.path(member).with_suffix('.json')} is missing or damaged: {RERUN}")
        return note["why"]  # type: ignore[no-any-return]

    def about(self, member: Member, kind: str = "") -> dict[str, Any] | None:
        """The note of a member whose tensors are there and sound; answers of other weights do not count, nor
        does a student of another teacher."""
        note = self.sound(member, kind)
        follows = {"of": self.weights(member)} if kind else self._learned_from(member)
        return note if note is not None and follows.items() <= note.items() else None

    def sound(self, member: Member, kind: str = "") -> dict[str, Any] | None:
        """The note of a member, if its tensors are the very ones that it was written for."""
        note, path = self.note(member, kind), self.path(member, kind)
        try:
            whole = note is not None and digest_of(path, note["bytes"]) == note["sha256"]
        except BadInput:
            return None
        return note if whole else None

    def tensors(self, member: Member, kind: str = "") -> Tensors:
        """The tensors of a finished member, checked against their SHA-256."""
        path, note = self.path(member, kind), self.note(member, kind)
        if note is None:
            raise BadRun(f"{path.with_suffix('.json')} is missing or damaged: {RERUN}")
        try:
            return read_tensors(path, note["sha256"], note["bytes"])
        except BadRun as error:
            raise BadRun(f"{path} is missing or damaged: {RERUN}") from error

    def digests(self, member: Member, kind: str = "") -> dict[Path, str]:
        """The files of a finished member, with the SHA-256 of each."""
        path = self.path(member, kind)
        note = path.with_suffix(".json")
        return {path: read_sealed(note)["sha256"], note: sha256(read_bytes(note))}

    def _learned_from(self, member: Member) -> dict[str, str]:
        """The weights of each teacher that is finished."""
        notes = {name: teacher.note(teacher.whose(member)) for name, teacher in self.teachers}
        return {
            f"teacher/{name}" if name else "teacher": note["sha256"]
            for name, note in notes.items()
            if note is not None
        }

    def weights(self, member: Member) -> str:
        """The SHA-256 of a member's file, which answers and scores follow from."""
        return str((self.note(member) or {"sha256": ""})["sha256"])

    def parameters(self, member: Member) -> Tensors:
        """The weights of a finished member."""
        return under("parameter/", self.tensors(member))

    def snapshots(self, member: Member) -> list[Tensors]:
        """The weights after each epoch, where they were kept."""
        tensors, epochs = self.tensors(member), list[Tensors]()
        while weights := under(f"epoch/{len(epochs) + 1}/", tensors):
            epochs.append(weights)
        return epochs


def folder_of(text: str) -> str:
    """A name for the files of a method as it is written; two never share one.

    >>> folder_of("gradient"), folder_of("shapley:samples=64")
    ('gradient', 'shapley-samples=64-cbeb9dc8')
    """
    if text.isidentifier():
        return text
    kept = "".join(c if c.isalnum() or c in "._=-" else "-" for c in text)[:60]
    return f"{kept.lstrip('.')}-{sha256(text.encode())[:8]}"


def under(prefix: str, tensors: Tensors) -> Tensors:
    """The tensors whose names start with ``prefix``, without it."""
    return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}


def stack(parts: list[Tensors]) -> Tensors:
    """Members' tensors on a leading axis."""
    return {name: torch.stack([part[name] for part in parts]) for name in parts[0]}


def fit_to_json(fit: Fit) -> dict[str, Any]:
    """Plain values; the optimiser in its written form."""
    return asdict(fit) | {"optimiser": label(fit.optimiser)}


def fit_from_json(about: dict[str, Any]) -> Fit:
    """Back from :func:`fit_to_json`."""
    return Fit(**(about | {"optimiser": make("optimisers", about["optimiser"])}))
