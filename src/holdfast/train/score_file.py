"""Score files: what one member, or one group of untrained networks, says of the requested rows by one
explainer.

A file has a row for each entry of its request, and a sealed note that says which weights and which code it
follows from, or why the explainer failed.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from jaxtyping import Float
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.errors import BadRun
from holdfast.core.files import sha256
from holdfast.core.outside import loaded_in
from holdfast.core.records import Member
from holdfast.train.job import RERUN, Job
from holdfast.train.request import Request
from holdfast.train.untrained import group_of


class Scores(NamedTuple):
    """A member's scores of what was requested, and what they miss of their total, where there is one."""

    request: Request
    scores: Float[Tensor, "K P"]
    lost: Float[Tensor, "K"] | None


@dataclass(frozen=True)
class ScoreFile:
    """The scores of one member by one explainer."""

    job: Job
    member: Member
    explainer: str

    @property
    def kind(self) -> str:
        """The explainer's folder.

        >>> from pathlib import Path
        >>> from holdfast.train.fit import Fit
        >>> job = Job(Path("cell"), Path("data"), "cnn", "none", Fit())
        >>> ScoreFile(job, Member(0), "gradient").kind
        'gradient'
        >>> ScoreFile(job, Member(0), "shapley:samples=64").kind
        'shapley-samples=64-cbeb9dc8'
        """
        if self.explainer.isidentifier():
            return self.explainer
        kept = "".join(c if c.isalnum() or c in "._=-" else "-" for c in self.explainer)[:60]
        return f"{kept.lstrip('.')}-{sha256(self.explainer.encode())[:8]}"  # two must never share a folder

    def keep(self, scores: Scores) -> None:
        """Write the scores, and whether the explainer tells for from against: results are read without its
        code."""
        tensors = scores.request._asdict() | {"scores": scores.scores}
        lost = {} if scores.lost is None else {"lost": scores.lost}
        signed = bool(make("explainers", self.explainer).signed)
        self._keep(tensors | lost, scores.request, {"signed": signed, "failed": None})

    def keep_failure(self, request: Request, why: str) -> None:
        """Write that the explainer failed."""
        self._keep({}, request, {"failed": why})

    def about(self, request: Request) -> dict[str, Any] | None:
        """The note, if the file is sound and answers the request with these weights and this code."""
        note = self.job.sound(self.member, self.kind)
        if note is None or note["of"] != self._of() or note["request"] != request.digest:
            return None
        return note

    def read(self, request: Request) -> Scores | str:
        """The scores of what is requested, checked against their SHA-256; or why there are none."""
        note, path = self.job.note(self.member, self.kind), self.job.path(self.member, self.kind)
        if note is None or note["request"] != request.digest:
            raise BadRun(f"{path.with_suffix('.json')} is missing or damaged: {RERUN}")
        tensors = self.job.tensors(self.member, self.kind)
        if note["failed"] is not None:
            return str(note["failed"])
        return Scores(request, tensors["scores"], tensors.get("lost"))

    @property
    def signed(self) -> bool:
        """Whether the explainer told for from against."""
        return bool((self.job.note(self.member, self.kind) or {}).get("signed"))

    def _keep(self, tensors: dict[str, Tensor], request: Request, about: dict[str, Any]) -> None:
        about |= {"explainer": self.explainer, "of": self._of(), "request": request.digest}
        self.job.keep(self.member, tensors, about, self.kind)

    def _of(self) -> dict[str, Any]:
        """What scores follow from."""
        code = {part.name: part.sha256 for part in loaded_in([self.explainer])}
        return {"weights": self.job.weights(self.member), "code": code}


def left(job: Job, member: Member, request: Request) -> list[str]:
    """The explainers by which a member has not answered the request."""
    files = [ScoreFile(job, member, text) for text in explainers_of(job, member)]
    return [file.explainer for file in files if file.about(request) is None]


def explainers_of(job: Job, member: Member) -> list[str]:
    """Every explainer; of untrained networks those whose order could be taken for what was learned."""
    return [text for text in job.explainers if group_of(member) is None or text != "random"]
