"""A job: one family to train and explain, as files that any process on this machine can pick up.

A folder holds ``job.json``; each finished member adds ``seed-N.safetensors`` (its weights, logits and path)
and, last of all, ``seed-N.json``, which holds the SHA-256 of the former: with it the member is finished,
without it nothing happened. Explanations are ``seed-N.explained.safetensors`` and ``.json`` likewise.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.errors import BadRun
from holdfast.core.files import read_json, read_tensors, sha256, write_json, write_tensors
from holdfast.core.records import Member
from holdfast.core.settings import label
from holdfast.models.base import Architecture
from holdfast.train.fit import Fit, Trained
from holdfast.train.repair import Repair, Tensors


@dataclass(frozen=True)
class Job:
    """What to train, and what to explain it with; methods in their written form, ``data`` is a file."""

    folder: Path
    data: Path
    model: str
    repair: str
    fit: Fit
    explainers: tuple[str, ...] = ()

    @property
    def architecture(self) -> Architecture:
        """The model's settings."""
        return make("models", self.model)  # type: ignore[no-any-return]

    @property
    def mending(self) -> Repair:
        """The repair."""
        return make("repairs", self.repair)  # type: ignore[no-any-return]

    def save(self) -> None:
        """Write ``job.json``."""
        about = {"data": str(self.data), "model": self.model, "repair": self.repair}
        write_json(
            self.folder / "job.json",
            about | {"fit": fit_to_json(self.fit), "explainers": list(self.explainers)},
        )

    @classmethod
    def load(cls, folder: Path) -> "Job":
        """Read ``job.json``."""
        about = read_json(folder / "job.json")
        fit, explainers = fit_from_json(about["fit"]), tuple(about["explainers"])
        return cls(folder, Path(about["data"]), about["model"], about["repair"], fit, explainers)

    def path(self, member: Member, kind: str = "") -> Path:
        """The tensors of one member; ``kind`` is "" or ".explained"."""
        fold = "" if member.fold is None else f"-fold-{member.fold}"
        return self.folder / f"seed-{member.seed}{fold}{kind}.safetensors"

    def keep(self, member: Member, tensors: Tensors, about: dict[str, Any], kind: str = "") -> None:
        """Write a member's tensors, then the note that makes them count."""
        path = self.path(member, kind)
        digest = write_tensors(path, tensors)
        write_json(path.with_suffix(".json"), about | {"sha256": digest})

    def keep_trained(self, trained: Trained, seen: dict[str, Tensor]) -> None:
        """Write a trained member with what it answered on some splits, by name."""
        tensors = {f"parameter/{name}": tensor for name, tensor in trained.parameters.items()}
        tensors |= seen | {"path": trained.path}
        for epoch, kept in enumerate(trained.snapshots, 1):
            tensors |= {f"epoch/{epoch}/{name}": tensor.contiguous() for name, tensor in kept.items()}
        history = [None if score != score else score for score in trained.history]
        self.keep(trained.member, tensors, {"best": trained.best, "history": history, "why": trained.why})

    def about(self, member: Member, kind: str = "") -> dict[str, Any] | None:
        """The note of a finished member, or None if it is not finished or its file is damaged."""
        note, path = self.path(member, kind).with_suffix(".json"), self.path(member, kind)
        try:
            about: dict[str, Any] = read_json(note)
            return about if sha256(path.read_bytes()) == about["sha256"] else None
        except (BadRun, OSError, KeyError, TypeError):
            return None

    def tensors(self, member: Member, kind: str = "") -> Tensors:
        """The tensors of a finished member, checked against their SHA-256."""
        path = self.path(member, kind)
        return read_tensors(path, read_json(path.with_suffix(".json"))["sha256"])

    def parameters(self, member: Member) -> Tensors:
        """The weights of a finished member."""
        return under("parameter/", self.tensors(member))

    def snapshots(self, member: Member) -> list[Tensors]:
        """The weights after each epoch, where they were kept."""
        tensors, found = self.tensors(member), list[Tensors]()
        while own := under(f"epoch/{len(found) + 1}/", tensors):
            found.append(own)
        return found


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
