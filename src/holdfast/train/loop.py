"""The training loop: the same for one member by itself and for many stacked."""

from collections.abc import Generator, Iterator
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.models.base import Model
from holdfast.models.run import Run
from holdfast.train.checkpoint import Checkpoint
from holdfast.train.chunk import Chunk
from holdfast.train.evaluate import finite, logits
from holdfast.train.fit import Fit, Listener, Progress, Trained
from holdfast.train.fitting import fit_at_once
from holdfast.train.folds import own_rows, own_tasks
from holdfast.train.graphs import Graphs
from holdfast.train.modality import modality
from holdfast.train.noise import Noise
from holdfast.train.objective import margin
from holdfast.train.precision import exact_float32
from holdfast.train.repair import Repair, Tensors, first_weights
from holdfast.train.rows import TrainingRows
from holdfast.train.sampling import row_chances
from holdfast.train.schedule import Step, buckets, sampled, schedule

PROBED = 256


def train(
    model: Model,
    initial: Tensors,
    dataset: Dataset,
    members: tuple[Member, ...],
    fit: Fit,
    repair: Repair,
    listen: Listener = lambda progress: None,
    checkpoint: Checkpoint | None = None,
) -> tuple[Trained, ...]:
    """Train members that start from the stacked parameters ``initial``, with those of their teachers as
    ``teacher/…`` where the repair needs some; one member runs unstacked.

    With a ``checkpoint`` that holds these members, training goes on from where it was.
    """
    steps = training(model, initial, dataset, members, fit, repair, listen, checkpoint)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def training(
    model: Model,
    initial: Tensors,
    dataset: Dataset,
    members: tuple[Member, ...],
    fit: Fit,
    repair: Repair,
    listen: Listener = lambda progress: None,
    checkpoint: Checkpoint | None = None,
) -> Generator[tuple[()], None, tuple[Trained, ...]]:
    """What :func:`train` does, step by step: it pauses after each, so that families can take turns. Models
    that a learner of their own fits take no steps."""
    if model.fits:
        return fit_at_once(model, initial, dataset, members, repair, listen)
    loop = Loop(model, initial | first_weights(repair, model, initial), dataset, members, fit, repair)
    saved = checkpoint.load() if checkpoint is not None else None
    done = loop.restore(*saved) if saved is not None else 0
    for epoch in range(done + 1, fit.epochs + 1):
        yield from loop.steps(epoch)
        loop.end(epoch)
        ended = epoch == fit.epochs or not loop.going.any()
        listen(Progress(members, epoch, fit.epochs, bool(ended)))
        if ended:
            break
        if checkpoint is not None and checkpoint.due:
            checkpoint.save(loop.state(), loop.about(epoch))
    return loop.results()


class Loop:
    """The state of a training, step after step."""

    def __init__(
        self,
        model: Model,
        initial: Tensors,
        dataset: Dataset,
        members: tuple[Member, ...],
        fit: Fit,
        repair: Repair,
    ) -> None:
        self.members, self.fit, self.model, self.repair = members, fit, model, repair
        self.stops = repair.stops and not fit.last
        self.stacked = len(members) > 1
        start = initial if self.stacked else {name: tensor[0] for name, tensor in initial.items()}
        self.validation = dataset.splits["validation"]
        split = dataset.splits[model.trains_on]
        self.watched = modality(dataset.task.kind).watched
        self.rows = own_rows(split, members)
        tasks = own_tasks(model.counted(dataset.task, split), split, members, self.rows)
        self.chunk = Chunk(model, start, fit.optimiser, repair, tasks, fit.decay_embeddings)
        self.device = self.chunk.t.device
        lengths = split.lengths if self.rows is None else split.lengths[self.rows[0]]
        chances = row_chances(repair, tasks, split.targets, self.rows)
        self.parts = sampled(buckets(lengths, fit.batch, split.padded, split.widest), chances)
        like = next(iter(start.values()))
        negatives = repair.negatives(model.negatives)
        self.data = TrainingRows(split, self.parts, self.rows, fit.batch, members, negatives, like)
        self.noise = Noise(model, repair, members, self.device)
        self.graphs = Graphs(self.chunk, self.data) if self.device.type == "cuda" and model.stacks else None
        n = len(members)
        self.best: Tensors = {name: initial[name].clone() for name in self.chunk.parameters}
        self.best_score = torch.full((n,), -torch.inf, dtype=torch.double)
        self.best_epoch = torch.zeros(n, dtype=torch.long)
        self.last = torch.zeros(n, dtype=torch.long)
        self.going = torch.ones(n, dtype=torch.bool)
        self.why: list[str | None] = [None] * n
        self.history: list[Tensor] = []
        self.path: list[Tensor] = []
        self.kept: list[Tensors] = []

    def steps(self, epoch: int) -> Iterator[tuple[()]]:
        """The steps of an epoch, with a pause after each."""
        fit = self.fit
        if self.chunk.rate(epoch, fit.epochs) and self.graphs is not None:
            self.graphs.forget()
        self.data.refill(epoch)
        plan = schedule(self.parts, fit.batch, self.members, epoch, self.rows, self.device)
        for number, step in enumerate(plan):
            self._step(step, self._noise(step, epoch, number))
            yield ()

    def end(self, epoch: int) -> None:
        """What follows the last step of an epoch."""
        fit = self.fit
        # before the repair's turn: an average may leave out what diverged, and hide it
        sound = finite(self.chunk.values(), self.stacked)
        self.chunk.turn(epoch, fit.epochs)
        outcome = self.chunk.outcome(epoch, fit.epochs)
        seen = logits(self.model, outcome, self.validation, stacked=self.stacked)
        if not self.stacked:
            outcome, seen = {name: tensor[None] for name, tensor in outcome.items()}, seen[None]
        self._judge(outcome, seen, sound, epoch)
        if fit.snapshots:
            few = torch.tensor([m for m, member in enumerate(self.members) if member.seed < fit.snapshots])
            self.kept.append({name: t.detach()[few.to(t.device).long()].cpu() for name, t in outcome.items()})

    def _step(self, step: Step, noise: Tensors) -> None:
        index, weight = self._unstacked(step.index, step.weight)
        if self.graphs is not None:
            self.graphs.step(step.bucket, index, weight, noise)
            return
        real = weight > 0
        if not self.stacked and not bool(real.all()):
            # nothing is captured here: rows that only fill the batch are left out
            index, weight = index[real], weight[real]
            noise = {name: drawn[: len(index)] for name, drawn in noise.items()}
        self.chunk.step(self.data.gathered(step.bucket, index, weight), noise)

    def _unstacked(self, index: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        return (index, weight) if self.stacked else (index[0], weight[0])

    def _noise(self, step: Step, epoch: int, number: int) -> Tensors:
        whole = self.noise.draw(self.data.example(step.bucket, step.index.shape[1]), epoch, number)
        return whole if self.stacked else {name: part[0] for name, part in whole.items()}

    @torch.no_grad()
    def _judge(
        self, outcome: Tensors, seen: Float[Tensor, "M N C"], sound: Bool[Tensor, "M"], epoch: int
    ) -> None:
        """Keep the best weights of the members still going; ``seen`` are their validation logits."""
        score = self.watched(seen, self.validation.targets.to(seen.device)).cpu()
        sound = (sound & finite(outcome, stacked=True) & seen.isfinite().flatten(1).all(1)).cpu()
        self.last = torch.where(self.going, torch.tensor(epoch), self.last)
        for m in (self.going & ~sound).nonzero()[:, 0].tolist():
            self.why[m] = f"diverged in epoch {epoch}: its outputs are no longer finite numbers"
        self.going &= sound
        better = self.going & ((score > self.best_score) if self.stops else torch.tensor(True))
        choose = better.to(self.device)
        for name, tensor in outcome.items():
            shape = (-1, *[1] * (tensor.dim() - 1))
            self.best[name] = torch.where(choose.view(shape), tensor, self.best[name])
        self.best_score = torch.where(better, score, self.best_score)
        self.best_epoch = torch.where(better, torch.tensor(epoch), self.best_epoch)
        self.history.append(torch.where(sound, score, torch.nan))
        self.path.append(margin(seen[:, :PROBED]).cpu())
        if self.stops:
            self.going &= epoch - self.best_epoch < self.fit.patience

    def state(self) -> Tensors:
        """Everything that the next epoch goes on from."""
        tensors = {f"chunk/{name}": tensor for name, tensor in self.chunk.state().items()}
        tensors |= {f"best/{name}": tensor for name, tensor in self.best.items()}
        tensors |= {name: getattr(self, name) for name in ("best_score", "best_epoch", "last", "going")}
        tensors |= {f"kept/{n}/{name}": t for n, one in enumerate(self.kept) for name, t in one.items()}
        return tensors | {"history": torch.stack(self.history), "path": torch.stack(self.path)}

    def about(self, epoch: int) -> dict[str, Any]:
        """What of the state is no tensor."""
        members = [[m.seed, m.fold] for m in self.members]
        return {"epoch": epoch, "why": self.why, "members": members, "tensors": list(self.best)}

    def restore(self, state: Tensors, about: dict[str, Any]) -> int:
        """Go back to a state of these very members and tensors; returns how many epochs it had done."""
        if any(about.get(key) != self.about(0)[key] for key in ("members", "tensors")):
            return 0
        some = torch.zeros(len(self.members), self.fit.batch, dtype=torch.long, device=self.device)
        first = Step(0, some, torch.ones_like(some, dtype=torch.float))
        chosen = self._unstacked(first.index, first.weight)
        self.chunk.warm(self.data.gathered(0, *chosen), self._noise(first, 0, 0))
        self.chunk.restore({k.removeprefix("chunk/"): v for k, v in state.items() if k.startswith("chunk/")})
        self.best = {name: state[f"best/{name}"].to(self.device) for name in self.best}
        for name in ("best_score", "best_epoch", "last", "going"):
            setattr(self, name, state[name])
        self.history, self.path = list(state["history"]), list(state["path"])
        self.why, done = list(about["why"]), int(about["epoch"])
        if self.fit.snapshots:
            self.kept = [{name: state[f"kept/{n}/{name}"] for name in self.best} for n in range(done)]
        return done

    def results(self) -> tuple[Trained, ...]:
        """The members as they end: their best weights, as the repair finishes them."""
        return tuple(self._result(m, member) for m, member in enumerate(self.members))

    def _result(self, m: int, member: Member) -> Trained:
        # beside members that go on longer, a stopped one says nothing of what came after its own end
        end = int(self.last[m])
        parameters = self._finished(m)
        history = tuple(float(scores[m]) for scores in self.history[:end])
        path = torch.stack([margins[m] for margins in self.path[:end]])
        few = [one for one in self.members if one.seed < self.fit.snapshots]
        kept = [one for one in self.kept[:end] if member in few]
        snapshots = tuple({name: tensor[few.index(member)] for name, tensor in one.items()} for one in kept)
        return Trained(member, parameters, int(self.best_epoch[m]), history, path, self.why[m], snapshots)

    def _finished(self, m: int) -> Tensors:
        parameters = {name: tensor[m].detach().clone() for name, tensor in self.best.items()}
        if self.why[m] is not None:
            return parameters
        with exact_float32():  # as predictions are made
            finished = self.repair.finish(Run(self.model, parameters), self.validation)
        if not bool(finite(finished, stacked=False)):
            self.why[m] = "after training, its weights are no longer finite numbers"
        return {name: finished[name].detach() for name in parameters}
