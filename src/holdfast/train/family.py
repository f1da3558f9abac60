"""A family: one model, many members, stacked on a leading axis."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Self

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.draws import seed_of
from holdfast.core.errors import BadRun, BadSetting, TooFewMembers
from holdfast.core.files import read_tensors, write_tensors
from holdfast.core.records import Explanation, Member
from holdfast.core.sealed import read_sealed, write_sealed
from holdfast.core.settings import label
from holdfast.data.base import Dataset, Split, Task
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run
from holdfast.train.brought import bring
from holdfast.train.checkpoint import Checkpoint
from holdfast.train.evaluate import logits
from holdfast.train.fit import Fit, Listener, Trained
from holdfast.train.footprint import member_bytes, members_at_once
from holdfast.train.job import stack
from holdfast.train.loop import train, training
from holdfast.train.precision import allow_tf32
from holdfast.train.repair import Nothing, Repair, Tensors
from holdfast.train.scores import Explains, Scored, scored
from holdfast.train.teacher import taught, untaught

GENERATOR = threading.Lock()  # torch's own is one for all threads


@dataclass(frozen=True)
class LeftOut:
    """A member that is not in its family, and why."""

    member: Member
    why: str


@dataclass(frozen=True)
class Family:
    """Members of one architecture: trained, explained, saved and loaded as one thing."""

    architecture: Architecture
    task: Task
    members: tuple[Member, ...]
    parameters: Tensors
    left_out: tuple[LeftOut, ...] = ()

    @classmethod
    def init(cls, architecture: Architecture, task: Task, members: Sequence[Member]) -> Self:
        """Untrained members, each from its own draw."""
        parts = [initial(architecture, task, member) for member in members]
        return cls(architecture, task, tuple(members), stack(parts))

    @classmethod
    def fit(
        cls,
        architecture: Architecture,
        dataset: Dataset,
        members: Sequence[Member],
        fit: Fit | None = None,
        repair: Repair | None = None,
        device: str = "cpu",
        listen: Listener = lambda progress: None,
    ) -> Self:
        """Train in this process: one after the other on one CPU thread, or stacked on a GPU. Members that the
        repair needs are trained first.

        Studies train on the CPU in worker processes instead; the results are the same, bit for bit.
        """
        fit, repair, missing = fit or Fit(), repair or Nothing(), list[Trained]()
        repair.suits(template(architecture, dataset.task), dataset)
        teachers: dict[str, Callable[[Member], Tensors]] = {}
        for name, teacher in repair.teachers(architecture).items():
            needs, own = make("repairs", teacher.repair), tuple(dict.fromkeys(map(teacher.whose, members)))
            first = cls.fit(teacher.model, dataset, own, fit, needs, device, listen)
            gone = {out.member: (name or teacher.repair, out.why, teacher.seed) for out in first.left_out}
            missing += [untaught(m, *gone[teacher.whose(m)]) for m in members if teacher.whose(m) in gone]
            members = [member for member in members if teacher.whose(member) not in gone]
            teachers[name] = {m: first.parameters_of(teacher.whose(m)) for m in members}.__getitem__
        arguments = (tuple(members), fit, repair, device, listen, None, teachers)
        with allow_tf32(device):
            trained = [one for chunk in fit_all(architecture, dataset, *arguments) for one in chunk]
        return cls.of(architecture, dataset.task, trained + missing)

    @classmethod
    def of(cls, architecture: Architecture, task: Task, trained: Sequence[Trained]) -> Self:
        """The family of those that trained well; the others are named."""
        kept = [one for one in trained if one.why is None]
        left_out = tuple(LeftOut(one.member, one.why) for one in trained if one.why is not None)
        if not kept:
            raise TooFewMembers(
                "no member trained well: " + "; ".join(f"{x.member}: {x.why}" for x in left_out)
            )
        parameters = stack([one.parameters for one in kept])
        return cls(architecture, task, tuple(one.member for one in kept), parameters, left_out)

    @property
    def model(self) -> Model:
        """The network without weights."""
        return template(self.architecture, self.task)

    def run(self, index: int) -> Run:
        """One member, ready to be called."""
        return Run(self.model, self.parameters_of(self.members[index]))

    def parameters_of(self, member: Member) -> Tensors:
        """One member's weights."""
        index = self.members.index(member)
        return {name: tensor[index] for name, tensor in self.parameters.items()}

    def logits(self, split: Split, rows: Int[Tensor, "N"] | None = None) -> Float[Tensor, "M N C"]:
        """The logits of every member."""
        return logits(self.model, self.parameters, split, rows, stacked=True)

    def explain(
        self, explainer: Explains, split: Split, rows: Int[Tensor, "N"], target: Int[Tensor, "N"]
    ) -> Explanation:
        """Explain the same rows and targets with every member: mapped on a GPU; in turn on a CPU, where it is
        faster."""
        arguments = (explainer, split, rows, target)
        if next(iter(self.parameters.values())).is_cuda:
            result = scored(self.model, self.parameters, self.members, *arguments, stacked=True)
        else:
            parts = [
                scored(self.model, self.parameters_of(member), (member,), *arguments, stacked=False)
                for member in self.members
            ]
            gone = [part.lost for part in parts if part.lost is not None]
            result = Scored(torch.cat([part.scores for part in parts]), torch.cat(gone) if gone else None)
        about = self.members, label(explainer), explainer.signed
        return Explanation(result.scores, split.scored(rows), target, *about, result.lost)

    def select(self, members: Sequence[Member]) -> Self:
        """The family of some of the members, in this order."""
        missing = [str(member) for member in members if member not in self.members]
        if missing:
            raise BadSetting(f"no such member: {', '.join(missing)}")
        index = torch.tensor([self.members.index(member) for member in members])
        parameters = {name: tensor[index] for name, tensor in self.parameters.items()}
        return type(self)(self.architecture, self.task, tuple(members), parameters, self.left_out)

    def save(self, folder: Path) -> None:
        """Write the weights as safetensors and the members' names as JSON."""
        digest = write_tensors(folder / "family.safetensors", self.parameters)
        about = {
            "model": label(self.architecture.pinned()),
            "members": [[member.seed, member.fold] for member in self.members],
            "left_out": [[out.member.seed, out.member.fold, out.why] for out in self.left_out],
            "sha256": digest,
        }
        write_sealed(folder / "family.json", about)

    @classmethod
    def load(cls, folder: Path, architecture: Architecture, task: Task) -> Self:
        """Read back what :meth:`save` wrote; ``architecture`` must be the one that was saved."""
        about = read_sealed(folder / "family.json")
        try:
            model, digest = about["model"], about["sha256"]
            members = tuple(Member(seed, fold) for seed, fold in about["members"])
            left_out = tuple(LeftOut(Member(seed, fold), why) for seed, fold, why in about["left_out"])
        except (KeyError, TypeError, ValueError) as error:
            raise BadRun(f"{folder / 'family.json'} is not a family that Holdfast saved") from error
        if model != (wanted := label(architecture.pinned())):
            raise BadRun(f"{folder} holds another model: expected {wanted}, but got {model}")
        parameters = read_tensors(folder / "family.safetensors", digest)
        return cls(architecture, task, members, parameters, left_out)

    def __len__(self) -> int:
        return len(self.members)


def initial(architecture: Architecture, task: Task, member: Member) -> Tensors:
    """A member's first weights; torch's global generator is left as it was."""
    with GENERATOR, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed_of(member, "init"))
        return architecture.build(task).tensors()


def template(architecture: Architecture, task: Task) -> Model:
    """The network's structure, without numbers."""
    with GENERATOR, torch.random.fork_rng(devices=[]):
        return architecture.build(task).emptied()


def fit_all(
    architecture: Architecture,
    dataset: Dataset,
    members: tuple[Member, ...],
    fit: Fit,
    repair: Repair,
    device: str,
    listen: Listener,
    folder: Path | None = None,
    teachers: Mapping[str, Callable[[Member], Tensors]] = MappingProxyType({}),
) -> Iterator[tuple[Trained, ...]]:
    """Train members in this process, in chunks that fit the device, and yield each chunk when it is done.

    On a GPU it also yields an empty tuple after each step, so that families can take turns, and a ``folder``
    keeps where a chunk was, until it has been taken. ``teachers`` give the weights that a member learns from.
    """

    def begins(member: Member) -> Tensors:
        weights = {name: teacher(member) for name, teacher in teachers.items()}
        return taught(initial(architecture, dataset.task, member), weights)

    if architecture.files:
        return (yield from bring(architecture, dataset.task, members, repair, device))
    model, size = template(architecture, dataset.task), 1
    if device != "cpu" and members and model.stacks:
        size = members_at_once(member_bytes(model, begins(members[0]), repair, dataset, members[0]), device)
    for start in range(0, len(members), size):
        chunk = members[start : start + size]
        first = stack([begins(member) for member in chunk])
        if device == "cpu":
            with one_thread():
                trained = train(model, first, dataset, chunk, fit, repair, listen)
            yield trained
            continue
        first = {name: tensor.to(device) for name, tensor in first.items()}
        kept = None if folder is None else Checkpoint(folder / f"chunk-{chunk[0].seed}.safetensors")
        yield (yield from training(model, first, dataset, chunk, fit, repair, listen, kept))
        if kept is not None:
            kept.drop()


@contextmanager
def one_thread() -> Iterator[None]:
    """One torch thread: a member's numbers must not depend on how many cores there are.

    Numbers too small for float32's full precision count as 0: the optimiser's memory of a rare word decays to
    such numbers, and a processor adds them ten times slower than others.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(before)
