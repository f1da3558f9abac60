"""The engine: does the heavy work of a study on this machine, and only what is not done yet."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from holdfast.core.errors import BadSetting, Failed
from holdfast.core.places import places
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.train.device import NO_GPU, at_hand
from holdfast.train.evaluate import seen_together
from holdfast.train.explaining import explain
from holdfast.train.family import fit_all, template
from holdfast.train.fit import Progress
from holdfast.train.here import Here, code_of
from holdfast.train.job import ANSWERS, Job, stack
from holdfast.train.pool import Event, Pool, Task, cores
from holdfast.train.precision import allow_tf32
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile, Wanted, alike, explainers_of, left
from holdfast.train.teacher import left_out
from holdfast.train.turns import take_turns
from holdfast.train.untrained import group_of

AT_ONCE = 4  # families that train side by side on a GPU
Unit = tuple[Job, Member]
Listener = Callable[[str, float, float], None]


@dataclass
class Engine:
    """Trains and explains. ``listen(stage, done, total)`` hears how far it is; ``finished`` hears of every
    file that is now complete, with its SHA-256.

    Without the GPU that is the ``device``, what is trained is explained on the CPU; nothing is trained there.
    """

    device: str = "cpu"
    workers: int = field(default_factory=cores)
    listen: Listener = lambda stage, done, total: None
    finished: Callable[[dict[Path, str]], None] = lambda files: None
    _pool: Pool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def on_cpu(self) -> bool:
        """Whether it works on the CPU."""
        return at_hand(self.device) == "cpu"

    def close(self) -> None:
        """End the worker processes, if there are any."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def fit(self, units: list[Unit], datasets: dict[Path, Dataset]) -> None:
        """Train every member that is not finished; first those that others learn from."""
        stages, before = in_order(units), 0
        total = sum(map(len, stages))
        for stage in stages:
            todo = self._open(stage)
            before += len(stage)
            if todo and self.device != "cpu" and self.on_cpu:
                raise BadSetting(NO_GPU)
            if self.on_cpu:
                self._hand_out("training", "fit", todo, before - len(todo), total)
            else:
                self._side_by_side(todo, datasets, before - len(todo), total)

    def explain(self, units: list[Unit], datasets: dict[Path, Dataset]) -> None:
        """Explain with every member by the explainers by which it has not; groups of untrained networks are
        members too."""
        requests = {job.folder: Request.read(job.request) for job, _ in units}
        wanted = {unit: left(*unit, requests[unit[0].folder]) for unit in units}
        todo = [unit for unit, texts in wanted.items() if texts or not _answered(*unit)]
        for unit in units:
            if unit not in todo:
                self._tell(*unit, explained=True)
        if self.on_cpu:
            self._hand_out("explaining", "explain", todo, len(units) - len(todo), len(units), wanted)
            return
        for number, (job, members) in enumerate(families := _by_job(todo)):
            self.listen("explaining", len(units) * number / len(families), len(units))
            self._explain_stacked(job, members, datasets[job.data], wanted)
        self.listen("explaining", len(units), len(units))

    def _open(self, units: list[Unit]) -> list[Unit]:
        done = [(job, member) for job, member in units if job.about(member) is not None]
        for job, member in done:
            self._tell(job, member)
        return [unit for unit in units if unit not in done]

    def _tell(self, job: Job, member: Member, explained: bool = False) -> None:
        """Enter a member's finished files."""
        kinds = [""]
        if explained:
            kinds = [ScoreFile(job, member, text).kind for text in explainers_of(job, member)]
            kinds += [] if group_of(member) is not None or job.change else [ANSWERS]
        self.finished({path: digest for kind in kinds for path, digest in job.digests(member, kind).items()})

    def _hand_out(
        self, stage: str, do: str, todo: list[Unit], done: int, total: int, wanted: Wanted | None = None
    ) -> None:
        """Give the units to the worker processes and follow them; ``done`` are finished already. Members
        explain by the explainers that are ``wanted`` of them."""
        if not todo:
            return
        explained = wanted is not None
        jobs = [replace(unit[0], explainers=tuple((wanted or {}).get(unit, ()))) for unit in todo]
        tasks: list[Task] = [
            {"do": do, "job": job.to_json(), "seed": member.seed, "fold": member.fold, "unit": unit}
            | {"code": code_of(_to_explain(job) if explained else job.methods), "places": places()}
            for unit, (job, (_, member)) in enumerate(zip(jobs, todo, strict=True))
        ]
        parts: dict[int, float] = {}
        self.listen(stage, done, total)
        for task, answer in self._answers(tasks, total):
            if "error" in answer:
                raise Failed(f"seed {task['seed']}: {answer['error']}")
            if "done" in answer:
                self._tell(*todo[task["unit"]], explained)
            ended = "done" in answer or answer["ended"]
            parts[task["unit"]] = 1.0 if ended else answer["epoch"] / answer["epochs"]
            self.listen(stage, done + sum(parts.values()), total)

    def _answers(self, tasks: list[Task], total: int) -> Iterator[Event]:
        """From the workers; then from this process, of what they cannot load."""
        away = [task for task in tasks if task["code"] is not None]
        if away and self._pool is None:
            self._pool = Pool(max(1, min(self.workers, total)))
        if away and self._pool is not None:
            yield from self._pool.run(away)
        yield from Here().run([task for task in tasks if task["code"] is None])

    def _side_by_side(self, todo: list[Unit], datasets: dict[Path, Dataset], done: int, total: int) -> None:
        """Train some families at once."""
        parts: dict[tuple[Path, tuple[Member, ...]], float] = {}

        def one(job: Job, members: tuple[Member, ...]) -> Iterator[None]:
            def listen(progress: Progress) -> None:
                part = 1.0 if progress.ended else progress.epoch / progress.epochs
                parts[job.folder, progress.members] = part * len(progress.members)
                self.listen("training", done + sum(parts.values()), total)

            return self._fit_stacked(job, members, datasets[job.data], listen)

        with allow_tf32(self.device):
            families = _by_job(todo)
            # models of pairs fill a GPU by themselves, and most of its memory
            whole = any(
                template(job.architecture, datasets[job.data].task).trains_on == "pairs"
                for job, _ in families
            )
            take_turns([one(*family) for family in families], 1 if whole else AT_ONCE, self.device)

    def _fit_stacked(
        self, job: Job, members: tuple[Member, ...], dataset: Dataset, listen: Callable[[Progress], None]
    ) -> Iterator[None]:
        model, members = template(job.architecture, dataset.task), self._leave_out(job, members)
        teachers = {name: teacher.given for name, teacher in job.teachers}
        arguments = (job.architecture, dataset, members, job.fit, job.repair_settings, self.device, listen)
        for chunk in fit_all(*arguments, job.folder, teachers):
            if chunk:
                parameters = stack([trained.parameters for trained in chunk])
                together = tuple(one.member for one in chunk)
                answers = seen_together(model, parameters, dataset, together)
                for trained, seen in zip(chunk, answers, strict=True):
                    job.keep_trained(trained, seen, together)
                    self._tell(job, trained.member)
            yield

    def _leave_out(self, job: Job, members: tuple[Member, ...]) -> tuple[Member, ...]:
        """The members whose teachers trained well; the others are finished, with the reason."""
        missing = {member: out for member in members if (out := left_out(job, member)) is not None}
        for member, out in missing.items():
            job.keep_trained(out, {})
            self._tell(job, member)
        return tuple(member for member in members if member not in missing)

    def _explain_stacked(
        self, job: Job, members: tuple[Member, ...], dataset: Dataset, wanted: Wanted
    ) -> None:
        """All of a family's members at once that lack the same; so too groups of untrained networks."""
        for some in alike(job, members, wanted, Request.read(job.request)):
            if wanted[job, some[0]]:
                explain(job, some, dataset, wanted[job, some[0]], self.device)
            for member in some:
                if not _answered(job, member):
                    job.keep_answers(member)
                self._tell(job, member, explained=True)


def _answered(job: Job, member: Member) -> bool:
    return bool(job.change) or group_of(member) is not None or job.about(member, ANSWERS) is not None


def _to_explain(job: Job) -> list[str]:
    """The methods that explaining takes."""
    return list(filter(None, (job.model, *job.explainers, job.change)))


def in_order(units: Sequence[Unit]) -> list[list[Unit]]:
    """The units in stages, with those that they learn from, which come in a stage before."""
    every: dict[tuple[Path, Member], Unit] = {}
    for job, member in units:
        for step, own in job.units(member):
            every.setdefault((step.folder, own), (step, own))
    stages = sorted({job.stage for job, _ in every.values()})
    return [[unit for unit in every.values() if unit[0].stage == stage] for stage in stages]


def _by_job(units: list[Unit]) -> list[tuple[Job, tuple[Member, ...]]]:
    jobs = {(job.folder, job.change): job for job, _ in units}
    return [
        (job, tuple(member for other, member in units if (other.folder, other.change) == key))
        for key, job in jobs.items()
    ]
