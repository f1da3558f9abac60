"""Answering a request: the scores of members, or of untrained networks, each explainer's in its own file."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.errors import WRONG, HoldfastError
from holdfast.core.records import Member
from holdfast.data.base import Dataset, Split
from holdfast.models.base import Model
from holdfast.train.family import initial, template
from holdfast.train.job import Job, stack
from holdfast.train.repair import Tensors
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile, Scores
from holdfast.train.scores import Scored, scored
from holdfast.train.untrained import draw_of, group_of, shares

Told = Callable[[float], None]


class Part(NamedTuple):
    """Some of the requested rows, and the networks that explain them."""

    places: Int[Tensor, "n"]
    members: tuple[Member, ...]
    weights: Tensors


class Answer:
    """Every member's scores by one explainer, as they come in; or why there are none."""

    def __init__(self, explainer: str, members: int, split: Split, request: Request) -> None:
        self.explainer, self.request, self.why = explainer, request, ""
        self.scores = torch.zeros(members, len(request.rows), split.scored(request.rows).shape[-1])
        self.lost = torch.zeros(members, len(request.rows), dtype=torch.float64)
        self.conserves = False

    def ask(self, model: Model, split: Split, part: Part, stacked: bool) -> None:
        """Explain some of the rows, unless others failed."""
        if self.why:
            return
        rows, target = (own[part.places] for own in self.request)
        weights = part.weights if stacked else {name: tensor[0] for name, tensor in part.weights.items()}
        try:
            explainer = make("explainers", self.explainer)
            self._add(part, scored(model, weights, part.members, explainer, split, rows, target, stacked))
        except (HoldfastError, *WRONG) as error:
            self.why = f"{type(error).__name__}: {error}"

    def keep(self, job: Job, members: Sequence[Member]) -> None:
        """Write each member's file."""
        for m, member in enumerate(members):
            file = ScoreFile(job, member, self.explainer)
            if self.why:
                file.keep_failure(self.request, self.why)
            else:
                file.keep(Scores(self.request, self.scores[m], self.lost[m] if self.conserves else None))

    def _add(self, part: Part, own: Scored) -> None:
        self.scores[:, part.places, : own.scores.shape[-1]] = own.scores
        if own.lost is not None:
            self.conserves = True
            self.lost[:, part.places] = own.lost


def explain(
    job: Job,
    members: tuple[Member, ...],
    dataset: Dataset,
    explainers: Sequence[str],
    device: str = "cpu",
    tell: Told = lambda share: None,
) -> None:
    """Explain the job's rows with trained members, or with groups of untrained networks: one member or group
    by itself on a CPU, all stacked on a GPU. ``tell`` hears which share is done."""
    request, split = Request.read(job.request), dataset.splits["test"]
    model, stacked = template(job.architecture, dataset.task), device != "cpu"
    answers = [Answer(text, len(members), split, request) for text in explainers]
    total = len(answers) * sum(1 for _ in _shares(members, request))
    done = 0
    for number, part in enumerate(_parts(job, members, dataset, request), 1):
        there = part._replace(weights={name: tensor.to(device) for name, tensor in part.weights.items()})
        for answer in answers:
            answer.ask(model, split, there, stacked)
            done += 1
            if number * len(answers) == total:
                answer.keep(job, members)
            tell(done / total)


def _shares(members: tuple[Member, ...], request: Request) -> list[tuple[int, Tensor]]:
    """Which places each draw explains; a trained member explains all."""
    if group_of(members[0]) is None:
        return [(0, torch.arange(len(request.rows)))]
    return [(draw, places) for draw, places in enumerate(shares(request.rows)) if len(places)]


def _parts(job: Job, members: tuple[Member, ...], dataset: Dataset, request: Request) -> Iterator[Part]:
    for draw, places in _shares(members, request):
        if group_of(members[0]) is None:
            yield Part(places, members, stack([job.parameters(member) for member in members]))
        else:
            own = tuple(draw_of(group, draw) for group in members)
            yield Part(
                places, own, stack([initial(job.architecture, dataset.task, member) for member in own])
            )
