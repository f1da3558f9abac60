"""A family: one data set, one model, one repair, and what its members predict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.catalogue import is_known
from holdfast.core.errors import BadRun, TooFewMembers
from holdfast.core.records import Explanation, Member
from holdfast.data.base import Dataset
from holdfast.study.changed import Changed
from holdfast.study.growth import NOTHING, more
from holdfast.train.family import Family, LeftOut, template
from holdfast.train.job import ANSWERS, LOGITS, RERUN, Job, stack
from holdfast.train.modality import modality
from holdfast.train.repair import Tensors
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile, explainers_of
from holdfast.train.scores import Scored
from holdfast.train.seats import explained_rows
from holdfast.train.untrained import UNTRAINED


@dataclass(frozen=True)
class FamilyResult:
    """A trained and explained family.

    ``probabilities`` are of every class for every test row; ``rows`` are the test rows that were explained,
    for the class ``target``; ``failed`` names explainers that could not be run; ``untrained`` has what two
    networks as they start say of each row, by explainer; ``changed`` what members say of the same rows
    perturbed, by perturbation; ``device`` is where large comparisons are made;
    ``logits`` are what the members stored, without them they are taken to be the probabilities' logarithms.
    """

    job: Job
    dataset: Dataset
    data: str
    model: str
    repair: str
    members: tuple[Member, ...]
    left_out: tuple[LeftOut, ...]
    probabilities: Float[Tensor, "M N C"]
    rows: Int[Tensor, "K"]
    target: Int[Tensor, "K"]
    explanations: dict[str, Explanation]
    failed: dict[str, str]
    untrained: dict[str, Float[Tensor, "G K T"]] = field(default_factory=dict)
    changed: Mapping[str, Changed] = field(default_factory=dict)
    device: str = "cpu"
    logits: Float[Tensor, "M N C"] | None = None

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """The true classes of the test split."""
        return self.dataset.splits["test"].targets

    @property
    def true(self) -> Bool[Tensor, "K"]:
        """Whether the explained class is the true one."""
        return self.target == self.targets[self.rows]

    @property
    def explained(self) -> Float[Tensor, "M K"]:
        """Every member's probability of the explained answer; of models of pairs, that it is taken."""
        probabilities = self.probabilities[:, self.rows]
        if self.logits is not None and is_known("models", self.model):
            model = template(self.job.architecture, self.dataset.task)
            probabilities = model.probabilities(self.logits[:, self.rows])
        return probabilities.gather(2, self.target[None, :, None].expand(len(self.members), -1, 1))[..., 0]

    @property
    def right(self) -> Float[Tensor, "M"]:
        """Every member's share of right answers on the test split: accuracy, or recall@10 % of items."""
        return self.right_each.mean(1)

    @property
    def right_each(self) -> Float[Tensor, "M N"]:
        """1 where a member's answer is right."""
        return modality(self.dataset.task.kind).right(self.probabilities, self.targets)

    @property
    def metric(self) -> str:
        """What :attr:`right` is called."""
        return modality(self.dataset.task.kind).metric

    @property
    def chance(self) -> tuple[float, str]:
        """The chance level, and the strategy that reaches it."""
        return modality(self.dataset.task.kind).chance(self.probabilities, self.dataset)

    def at(self, rows: Int[Tensor, "R"]) -> "FamilyResult":
        """The same family on some of its explained rows."""
        place = torch.tensor([self.rows.tolist().index(row) for row in rows.tolist()])
        width = int(self.mask[place].any(0).nonzero().max()) + 1
        explanations = {
            name: replace(e, scores=scores, mask=e.mask[place, :width], target=e.target[place], lost=lost)
            for name, e in self.explanations.items()
            for scores in (e.scores[:, place, :width],)
            for lost in (None if e.lost is None else e.lost[:, place],)
        }
        untrained = {name: scores[:, place, :width] for name, scores in self.untrained.items()}
        changed = replace(self, rows=rows, target=self.target[place], untrained=untrained, changed={})
        return replace(changed, explanations=explanations)

    def only(self, members: Sequence[Member]) -> "FamilyResult":
        """The same family with some of its members; itself, not a copy, where these are all."""
        kept = tuple(member for member in self.members if member in members)
        if kept == self.members:
            return self
        index = torch.tensor([self.members.index(member) for member in kept])
        explanations = {
            name: replace(e, scores=e.scores[index], members=kept, lost=lost)
            for name, e in self.explanations.items()
            for lost in (None if e.lost is None else e.lost[index],)
        }
        logits = None if self.logits is None else self.logits[index]
        changed = {text: one.only(index) for text, one in self.changed.items()}
        own = replace(self, members=kept, probabilities=self.probabilities[index], changed=changed)
        return replace(own, explanations=explanations, logits=logits)

    @property
    def mask(self) -> Bool[Tensor, "K T"]:
        """Which positions the explained rows have."""
        if not self.explanations:
            return self.dataset.splits["test"].scored(self.rows)
        return next(iter(self.explanations.values())).mask


def family_of(family: FamilyResult) -> Family:
    """The trained members of a family, stacked, on its device."""
    stacked = stack([family.job.parameters(member) for member in family.members])
    parameters = {name: tensor.to(family.device) for name, tensor in stacked.items()}
    return Family(family.job.architecture, family.dataset.task, family.members, parameters)


def ask(
    job: Job,
    members: tuple[Member, ...],
    instances: int | None,
    truth: Int[Tensor, "N"] | None = None,
    changes: Sequence[str] = (),
) -> tuple[Member, ...]:
    """Fix what is explained: which test rows, and for which class (the consensus of the members, or the
    ``truth`` where it is given). Where the run holds more than is asked, that is kept.

    Returns the members that trained well; the question is written beside them.
    """
    kept = enough(job, members)
    mean = _logits([job.tensors(member) for member in kept]).softmax(-1).mean(0)
    rows = explained_rows(len(mean), instances)
    target = mean[rows].argmax(-1) if truth is None else truth[rows].clone()
    request = Request(rows, target)
    request._replace(keep=more(job, members, request, changes) != NOTHING).write(job.request)
    return kept


def enough(job: Job, members: tuple[Member, ...]) -> tuple[Member, ...]:
    """The members that trained well; fewer than two are refused, unless only one was brought along."""
    notes = {member: _note(job, member) for member in members}
    kept = tuple(member for member in members if notes[member]["why"] is None)
    if len(kept) < min(2, len(job.architecture.files) or 2):
        whys = "; ".join(f"{m}: {notes[m]['why']}" for m in members if m not in kept)
        raise TooFewMembers(
            f"{len(kept)} of {len(members)} members trained well, but two are needed ({whys})"
        )
    return kept


def trained(run: Path, job: Job, members: tuple[Member, ...]) -> tuple[Member, ...]:
    """The members of a run that trained well, by their notes; a run that lacks one is refused."""
    whys = {}
    for member in members:
        note = job.note(member)
        if note is None:
            name = job.path(member).with_suffix(".json").relative_to(run)
            raise BadRun(f"{run}: {name} is missing or damaged: {RERUN}")
        whys[member] = note["why"]
    kept = tuple(member for member in members if whys[member] is None)
    if len(kept) < min(2, len(members)):
        raise BadRun(f"{run}: {len(kept)} of {len(members)} members trained well, but two are needed")
    return kept


def load(
    job: Job, members: tuple[Member, ...], kept: tuple[Member, ...], dataset: Dataset, device: str = "cpu"
) -> FamilyResult:
    """Read the results of a finished job."""
    request = Request.read(job.request)
    explanations, failed = dict[str, Explanation](), dict[str, str]()
    mask = dataset.splits["test"].scored(request.rows)
    width = mask.shape[-1]
    for text in job.explainers:
        scores, why = scores_of(job, kept, text, request, width)
        if scores is None:
            failed[text] = why
            continue
        about = (text, ScoreFile(job, kept[0], text).signed, scores.lost)
        explanations[text] = Explanation(scores.scores, mask, request.target, kept, *about)
    untrained = {
        text: scores.scores
        for text in explainers_of(job, UNTRAINED[0])
        if text in explanations and (scores := scores_of(job, UNTRAINED, text, request, width)[0]) is not None
    }
    logits = _logits([job.tensors(member, ANSWERS) for member in kept])
    return FamilyResult(
        job=job,
        dataset=dataset,
        data=dataset.name,
        model=job.model,
        repair=job.repair,
        members=kept,
        left_out=tuple(LeftOut(m, _note(job, m)["why"]) for m in members if m not in kept),
        probabilities=logits.softmax(-1),
        rows=request.rows,
        target=request.target,
        explanations=explanations,
        failed=failed,
        untrained=untrained,
        device=device,
        logits=logits,
    )


def scores_of(
    job: Job, members: tuple[Member, ...], text: str, request: Request, width: int
) -> tuple[Scored | None, str]:
    """Every member's scores by one explainer; None and the reason where one has none."""
    parts = [ScoreFile(job, member, text).read(request, width) for member in members]
    whys = [part for part in parts if isinstance(part, str)]
    found = [part for part in parts if not isinstance(part, str)]
    if whys:
        return None, whys[-1]
    scores = torch.stack([part.scores for part in found])
    if not bool(scores.isfinite().all()):
        return None, "its scores are not all finite numbers"
    lost = [part.lost for part in found if part.lost is not None]
    return Scored(scores, torch.stack(lost) if lost else None), ""


def _note(job: Job, member: Member) -> dict[str, Any]:
    return job.note(member) or {"why": "its note is missing or damaged"}


def _logits(answers: list[Tensors]) -> Float[Tensor, "M N C"]:
    return torch.stack([answer[LOGITS] for answer in answers]).double()
