"""Answering a request: the scores of members, or of untrained networks, each explainer's in its own file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.errors import WRONG, HoldfastError
from holdfast.core.records import Batch, Member
from holdfast.data.base import Dataset, Split
from holdfast.data.perturb.split import PerturbedSplit
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
    """Every member's scores by one explainer, as they come in; or why there are none. Only what is not there
    yet is asked."""

    def __init__(
        self, job: Job, members: Sequence[Member], explainer: str, split: Split, request: Request
    ) -> None:
        self.files = [ScoreFile(job, member, explainer) for member in members]
        self.explainer, self.split, self.request, self.why = explainer, split, request, ""
        self.held = [file.held() for file in self.files]
        there = [set() if held is None else set(held.request.entries) for held in self.held]
        self.new = torch.tensor([any(one not in own for own in there) for one in request.entries])
        self.scores = torch.zeros(len(members), len(request.rows), width_of(split, request))
        self.lost = torch.zeros(len(members), len(request.rows), dtype=torch.float64)
        self.conserves = False

    def ask(self, model: Model, part: Part, stacked: bool) -> None:
        """Explain some of the rows, unless others failed."""
        places = part.places[self.new[part.places]]
        if self.why or not len(places):
            return
        wanted = self.request.at(places)
        weights = part.weights if stacked else {name: tensor[0] for name, tensor in part.weights.items()}
        trained = group_of(part.members[0]) is None  # of untrained networks only the order counts
        asking = (
            make("explainers", self.explainer),
            self.split,
            wanted.rows,
            wanted.target,
            stacked,
            trained,
        )
        try:
            self._add(places, scored(model, weights, part.members, *asking))
        except (HoldfastError, *WRONG) as error:
            self.why = f"{type(error).__name__}: {error}"

    def keep(self) -> None:
        """Write each member's file."""
        for m, file in enumerate(self.files):
            if self.why:
                file.keep_failure(self.request, self.why)
            else:
                file.keep(self._whole(m))

    def _add(self, places: Int[Tensor, "n"], own: Scored) -> None:
        self.scores[:, places, : own.scores.shape[-1]] = own.scores
        if own.lost is not None:
            self.conserves = True
            self.lost[:, places] = own.lost

    def _whole(self, m: int) -> Scores:
        """What a file will hold: what is requested, and where a larger question was answered, that too."""
        new, held = self.new.nonzero()[:, 0], self.held[m]
        own = Scores(self.request.at(new), self.scores[m, new], self.lost[m, new] if self.conserves else None)
        if held is not None:
            own = own.beside(held) if len(new) else held
        request = Request(*self.request[:2])
        if self.request.keep:
            rows, target = torch.tensor(sorted({*own.request.entries})).unbind(1)
            request = Request(rows, target)
        whole = own.of(request, width_of(self.split, request))
        assert whole is not None
        return whole


def explained(job: Job, dataset: Dataset) -> Split:
    """The split whose rows a job explains: the test split, perturbed where it has a change."""
    return perturbed(job, dataset) if job.change else dataset.splits["test"]


def perturbed(job: Job, dataset: Dataset) -> PerturbedSplit:
    """The perturbed test split, as the job's model embeds it."""
    model = cache(lambda: template(job.architecture, dataset.task))

    def shift(batch: Batch) -> Float[Tensor, "B T D"] | None:
        return make("perturbations", job.change).shift(batch, lambda one: model().room(one))  # type: ignore[no-any-return]

    return replace(PerturbedSplit.read(job.changed_data, dataset.splits["test"]), shift=shift)


def width_of(split: Split, request: Request) -> int:
    """How many scores a row has, at most."""
    return split.scored(request.rows).shape[-1]


def explain(
    job: Job,
    members: tuple[Member, ...],
    dataset: Dataset,
    explainers: Sequence[str],
    device: str = "cpu",
    tell: Told = lambda share: None,
) -> None:
    """Explain the job's rows with trained members, or with groups of untrained networks: one member or group
    by itself on a CPU, all stacked on a GPU. ``tell`` hears which share is done. Where no untrained network
    can be drawn, the reason is kept."""
    request, split = Request.read(job.request), explained(job, dataset)
    model, stacked = template(job.architecture, dataset.task), device != "cpu"
    answers = [Answer(job, members, text, split, request) for text in explainers]
    total = len(answers) * len(_shares(members, split, request))
    undrawn = job.architecture.undrawn if group_of(members[0]) is not None else ""
    if undrawn:
        for answer in answers:
            answer.why = f"there is no untrained network, because {undrawn}"
            answer.keep()
        return
    done = 0
    for number, part in enumerate(_parts(job, members, dataset, request), 1):
        there = part._replace(weights={name: tensor.to(device) for name, tensor in part.weights.items()})
        for answer in answers:
            answer.ask(model, there, stacked)
            done += 1
            if number * len(answers) == total:
                answer.keep()
            tell(done / total)


def _shares(members: tuple[Member, ...], split: Split, request: Request) -> list[tuple[int, Tensor]]:
    """Which places each draw explains; a trained member explains all."""
    if group_of(members[0]) is None:
        return [(0, torch.arange(len(request.rows)))]
    return [(draw, places) for draw, places in enumerate(shares(split, request.rows)) if len(places)]


def _parts(job: Job, members: tuple[Member, ...], dataset: Dataset, request: Request) -> Iterator[Part]:
    for draw, places in _shares(members, dataset.splits["test"], request):
        if group_of(members[0]) is None:
            yield Part(places, members, stack([job.parameters(member) for member in members]))
        else:
            own = tuple(draw_of(group, draw) for group in members)
            yield Part(
                places, own, stack([initial(job.architecture, dataset.task, member) for member in own])
            )
