"""Score files: what one member, or one group of untrained networks, says of the requested rows by one
explainer.

A file has a row for each entry of its request, and a sealed note that says which weights and which code it
follows from, or why the explainer failed. A larger request goes on with what is there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.catalogue import is_known, make
from holdfast.core.errors import BadRun
from holdfast.core.outside import loaded_in
from holdfast.core.records import Member
from holdfast.train.job import RERUN, Job, folder_of
from holdfast.train.request import Request
from holdfast.train.untrained import group_of

Wanted = dict[tuple[Job, Member], list[str]]  # the explainers by which members have not answered


class Scores(NamedTuple):
    """A member's scores of what was requested, and what they miss of their total, where there is one."""

    request: Request
    scores: Float[Tensor, "K P"]
    lost: Float[Tensor, "K"] | None

    @property
    def tensors(self) -> dict[str, Tensor]:
        """As a file has them."""
        lost = {} if self.lost is None else {"lost": self.lost}
        return self.request.tensors | {"scores": self.scores} | lost

    def of(self, request: Request, width: int | None = None) -> Self | None:
        """Those of some entries, at this width; None if one of them is not there."""
        width = self.scores.shape[1] if width is None else width
        place = {entry: number for number, entry in enumerate(self.request.entries)}
        if not place.keys() >= set(request.entries):
            return None
        at = torch.tensor([place[entry] for entry in request.entries], dtype=torch.long)
        scores = torch.nn.functional.pad(self.scores[at], (0, max(0, width - self.scores.shape[1])))
        return type(self)(request, scores[:, :width], None if self.lost is None else self.lost[at])

    def beside(self, others: Self) -> Self:
        """These scores, and after them others."""
        width = max(self.scores.shape[1], others.scores.shape[1])
        mine, theirs = (own.of(own.request, width) for own in (self, others))
        assert mine is not None
        assert theirs is not None
        lost = [own.lost for own in (mine, theirs) if own.lost is not None]
        rows = torch.cat([mine.request.rows, theirs.request.rows])
        request = Request(rows, torch.cat([mine.request.target, theirs.request.target]))
        return type(self)(
            request, torch.cat([mine.scores, theirs.scores]), torch.cat(lost) if len(lost) == 2 else None
        )


@dataclass(frozen=True)
class ScoreFile:
    """The scores of one member by one explainer."""

    job: Job
    member: Member
    explainer: str

    @property
    def kind(self) -> str:
        """The explainer's folder, one for each perturbation.

        >>> from dataclasses import replace
        >>> from pathlib import Path
        >>> from holdfast.train.fit import Fit
        >>> job = Job(Path("cell"), Path("data"), "cnn", "none", Fit())
        >>> ScoreFile(job, Member(0), "gradient").kind
        'gradient'
        >>> ScoreFile(job, Member(0), "shapley:samples=64").kind
        'shapley-samples=64-cbeb9dc8'
        >>> ScoreFile(replace(job, change="dropped"), Member(0), "gradient").kind
        'gradient@dropped'
        """
        own = folder_of(self.explainer)
        return f"{own}@{folder_of(self.job.change)}" if self.job.change else own

    def keep(self, scores: Scores) -> None:
        """Write the scores, and whether the explainer tells for from against: results are read without its
        code."""
        signed = bool(make("explainers", self.explainer).signed)
        self._keep(scores.tensors, scores.request, {"signed": signed, "failed": None})

    def keep_failure(self, request: Request, why: str) -> None:
        """Write that the explainer failed; scores of other rows, which are there, stay."""
        held = self.held()
        about = {} if held is None else {"signed": self.signed}
        self._keep({} if held is None else held.tensors, request, about | {"failed": why})

    def about(self, request: Request) -> dict[str, Any] | None:
        """The note, if the file is sound and answers the request with these weights and this code."""
        note = self._counting()
        if note is None or note["request"] == request.digest:
            return note
        held = self.held() if request.keep else None
        return None if held is None or held.of(request) is None else note

    def held(self) -> Scores | None:
        """What is there to go on with, of these weights and by this code."""
        return None if self._counting() is None else self._scores()

    def lacks(self, request: Request) -> tuple[int, ...]:
        """The places in the request whose scores are not there."""
        held = self.held()
        there = set() if held is None else set(held.request.entries)
        return tuple(place for place, entry in enumerate(request.entries) if entry not in there)

    def besides(self, request: Request) -> list[int]:
        """The rows that are there, if they are others than those of the request."""
        same = (self.job.note(self.member, self.kind) or {}).get("request") == request.digest
        held = None if same else self.held()
        return [] if held is None else held.request.rows.tolist()

    def read(self, request: Request, width: int | None = None) -> Scores | str:
        """The scores of what is requested, checked against their SHA-256; or why there are none."""
        note, path = self.job.note(self.member, self.kind), self.job.path(self.member, self.kind)
        if note is not None and note["failed"] is not None and note["request"] == request.digest:
            return str(note["failed"])
        held = None if note is None else self._scores()
        scores = None if held is None else held.of(request, width)
        if scores is None:
            raise BadRun(f"{path.with_suffix('.json')} is missing or damaged: {RERUN}")
        return scores

    def _scores(self) -> Scores | None:
        """What the file has; a failure may have nothing."""
        tensors = self.job.tensors(self.member, self.kind)
        if "scores" not in tensors:
            return None
        return Scores(Request(tensors["rows"], tensors["target"]), tensors["scores"], tensors.get("lost"))

    def _counting(self) -> dict[str, Any] | None:
        """The note, if the file is sound and follows from these weights and this code."""
        note = self.job.sound(self.member, self.kind)
        return note if note is not None and note["of"] == self._of() else None

    @property
    def signed(self) -> bool:
        """Whether the explainer told for from against."""
        return bool((self.job.note(self.member, self.kind) or {}).get("signed"))

    def _keep(self, tensors: dict[str, Tensor], request: Request, about: dict[str, Any]) -> None:
        about |= {"explainer": self.explainer, "of": self._of(), "request": request.digest}
        about |= {"change": self.job.change} if self.job.change else {}
        self.job.keep(self.member, tensors, about, self.kind)

    def _of(self) -> dict[str, Any]:
        """What scores follow from."""
        code = {part.name: part.sha256 for part in loaded_in(filter(None, (self.explainer, self.job.change)))}
        return {"weights": self.job.weights(self.member), "code": code}


def left(job: Job, member: Member, request: Request) -> list[str]:
    """The explainers by which a member has not answered the request."""
    files = [ScoreFile(job, member, text) for text in explainers_of(job, member)]
    return [file.explainer for file in files if file.about(request) is None]


def alike(job: Job, members: Iterable[Member], wanted: Wanted, request: Request) -> list[tuple[Member, ...]]:
    """The members in groups that lack the same scores by the explainers that are ``wanted`` of each, so that
    those of a group can be asked at once and nothing is asked twice."""
    groups: dict[Any, list[Member]] = {}
    for member in members:
        lacks = tuple((text, ScoreFile(job, member, text).lacks(request)) for text in wanted[job, member])
        groups.setdefault((group_of(member) is None, lacks), []).append(member)
    return [tuple(group) for group in groups.values()]


def explainers_of(job: Job, member: Member) -> list[str]:
    """Every explainer; of untrained networks, where there are such, those whose order could be taken for what
    was learned, and of perturbed examples those that look at them."""
    known = is_known("models", job.model)  # results are read without the code of models outside the package
    if group_of(member) is not None and (job.change or (known and job.architecture.fits)):
        return []
    plain = group_of(member) is None and not job.change
    return [text for text in job.explainers if plain or text != "random"]
