"""Checks of a repair on a real network: its draws, losses, steps and finish."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Int
from torch import Tensor
from torch.func import vmap

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.data.base import Split, Task
from holdfast.models.base import TEMPERATURE, Architecture, Model
from holdfast.models.run import Run
from holdfast.models.text.average import Average
from holdfast.testing.model import build, example
from holdfast.train.chunk import Chunk
from holdfast.train.job import stack
from holdfast.train.noise import shapes_of
from holdfast.train.optimise import Sgd
from holdfast.train.repair import Repair, Tensors
from holdfast.train.teacher import of_teacher, taught

TASK, MODEL = Task(12, ("no", "yes"), counts=(30, 10)), Average(hidden=4, dim=3, dropout=0.3)
MEMBERS, EPOCHS, STEPS = 3, 4, 3


@dataclass(frozen=True)
class Examples(Split):
    """The texts of :func:`holdfast.testing.model.example` as a split."""

    whole: Batch

    @property
    def lengths(self) -> Int[Tensor, "N"]:
        """All as long as the longest: the mask says what is there."""
        return torch.full((len(self.whole),), self.whole.mask.shape[1])

    @property
    def targets(self) -> Int[Tensor, "N"]:
        """The class of each text."""
        assert self.whole.targets is not None
        return self.whole.targets

    def batch(self, rows: Int[Tensor, "B"], length: int | None = None) -> Batch:
        """These texts; padding beyond the longest is left out."""
        return self.whole.take(rows)


def check_first(repair: Repair, architecture: Architecture = MODEL, task: Task = TASK) -> None:
    """``first`` keeps names, shapes and dtypes, is finite and repeatable, and writes onto nothing;
    of a model that the repair refuses nothing is checked."""
    try:
        teachers = {name: teacher.model for name, teacher in repair.teachers(architecture).items()}
    except BadSetting:
        return
    model = build(architecture, task, 0)
    start = model.tensors()
    given = taught(start, {name: build(own, task, 1).tensors() for name, own in teachers.items()})
    before = {name: tensor.clone() for name, tensor in given.items()}
    try:
        begun, again = (repair.first(given, model) for _ in range(2))
    except BadSetting:
        return
    assert same(given, before), "first wrote onto what it was given"
    for name, tensor in start.items():
        assert name in begun, f"first leaves out {name}"
        assert begun[name].shape == tensor.shape, f"first changes the shape of {name}"
        assert begun[name].dtype == tensor.dtype, f"first changes the dtype of {name} to {begun[name].dtype}"
        assert begun[name].isfinite().all(), f"after first, {name} is not finite"
        assert torch.equal(begun[name], again[name]), f"after first, {name} is not the same the second time"


def check_draws(repair: Repair) -> None:
    """``draws`` asks for numbers for each example: the first axis of each shape is the batch."""
    for size in (1, 2, 5):
        batch = example(TASK).take(torch.arange(size))
        for name, shape in repair.draws(batch).items():
            assert shape[:1] == (size,), f"{name} is drawn in shape {shape}, not one row per example"


def check_losses(repair: Repair) -> None:
    """One finite loss for each example, the same beside other examples and mapped over members; all draws,
    those of dropout too, are read; no input is changed."""
    models, batch = _models(), example(TASK)
    noise, starts = _noise(repair, models[0], batch), [model.tensors() for model in models]
    weights = [{name: t for name, t in start.items() if name != TEMPERATURE} for start in starts]
    memories = [
        repair.begin(one, TASK) | of_teacher(_with_teacher(repair, start))
        for one, start in zip(weights, starts, strict=True)
    ]

    def losses(parameters: Tensors, memory: Tensors, batch: Batch = batch, noise: Tensors = noise) -> Tensor:
        return repair.losses(Run(models[0], parameters), batch, noise, memory)

    mapped = vmap(losses, randomness="error")(stack(starts), stack(memories))
    for member, (start, memory) in enumerate(zip(starts, memories, strict=True)):
        copies = [
            {name: tensor.clone() for name, tensor in given.items()} for given in (start, noise, memory)
        ]
        alone = losses(start, memory)
        assert alone.shape == (len(batch),), f"losses have shape {tuple(alone.shape)}, not one per example"
        assert alone.isfinite().all(), "a loss is not finite"
        assert near(mapped[member], alone), "mapped over members, the losses differ"
        for given, copy in zip((start, noise, memory), copies, strict=True):
            assert same(given, copy), "losses changed its inputs"
    start, memory, some = starts[0], memories[0], torch.tensor([3, 1])
    few = losses(start, memory, batch.take(some), {name: drawn[some] for name, drawn in noise.items()})
    assert near(few, mapped[0][some]), "an example's loss depends on the examples beside it"
    for kind, names in _kinds(noise).items():
        other = noise | {name: 1 - noise[name] for name in names}
        assert not near(losses(start, memory, noise=other), mapped[0]), f"the draws of {kind} are not read"
    if repair.needs is not None:
        other = memory | taught({}, {"": starts[1]})
        assert not near(losses(start, other), mapped[0]), f"the teacher, {repair.needs}, is not read"


def check_balance(repair: Repair) -> None:
    """With ``balances``, every class has the same share: of the rows that are drawn or, where each is taken
    once, of the weights of the losses."""
    if not repair.balances:
        return
    weights, (model, *_), batch = repair.chances(TASK), _models(), example(TASK)
    if not weights:
        run, start = Run(model, model.tensors()), model.tensors()
        memory = repair.begin({name: t for name, t in start.items() if name != TEMPERATURE}, TASK)
        factors = repair.losses(run, batch, {}, memory) / run.losses(batch)
        assert batch.targets is not None
        weights = tuple(float(factors[batch.targets == c].mean()) for c in range(len(TASK.classes)))
    shares = [count * weight for count, weight in zip(TASK.counts, weights, strict=True)]
    assert near(torch.tensor(shares), torch.tensor(shares[:1])), f"classes have the shares {shares}"


def check_training(repair: Repair) -> None:
    """Members trained together go the way that each goes alone; what does not train stays as it is."""
    models, batch = _models(), example(TASK)
    starts = [model.tensors() for model in models]
    begins = [_with_teacher(repair, start) for start in starts]
    mapped = _trained(repair, models[0], stack(begins), batch, stacked=True)
    for member, start in enumerate(starts):
        alone = _trained(repair, models[0], begins[member], batch, stacked=False)
        assert alone.keys() == start.keys(), "after training, the names of the parameters are others"
        for name, tensor in alone.items():
            assert tensor.isfinite().all(), f"after training, {name} is not finite"
            assert near(mapped[name][member], tensor), f"trained together, {name} is another"
            stays = torch.equal(tensor, start[name])
            assert stays or repair.trains(name), f"{name} does not train, but it changed"


def check_finish(repair: Repair) -> None:
    """``finish`` keeps names, shapes and dtypes, is finite and repeatable, and writes onto nothing."""
    (model, *_), validation = _models(), Examples(example(TASK))
    start = model.tensors()
    given = {name: tensor.clone() for name, tensor in start.items()}
    finished, again = (repair.finish(Run(model, given), validation) for _ in range(2))
    assert same(given, start), "finish wrote onto what it was given"
    assert finished.keys() == start.keys(), "finish changes the names of the parameters"
    for name, tensor in finished.items():
        assert tensor.shape == start[name].shape, f"finish changes the shape of {name}"
        assert tensor.dtype == start[name].dtype, f"finish changes the dtype of {name} to {tensor.dtype}"
        assert tensor.isfinite().all(), f"after finish, {name} is not finite"
        assert torch.equal(tensor, again[name]), f"after finish, {name} is not the same the second time"


def near(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors agree to 1e-9."""
    return torch.allclose(a, b, rtol=1e-9, atol=1e-9)


def same(a: Tensors, b: Tensors) -> bool:
    """Whether the names are the same, and every number."""
    return a.keys() == b.keys() and all(torch.equal(tensor, b[name]) for name, tensor in a.items())


def _kinds(noise: Tensors) -> dict[str, list[str]]:
    """The names of the draws: the model's together, each of the repair's by itself."""
    of_repair = [name for name in noise if name.startswith("repair/")]
    dropout = [name for name in noise if name not in of_repair]
    return {"dropout": dropout} | {name.removeprefix("repair/"): [name] for name in of_repair}


def _models() -> list[Model]:
    return [build(MODEL, TASK, seed) for seed in range(MEMBERS)]


def _with_teacher(repair: Repair, start: Tensors) -> Tensors:
    """Some weights to start from, and where the repair needs a teacher, its weights: others, but near."""
    if repair.needs is None:
        return start
    return taught(start, {"": {name: tensor * 0.5 for name, tensor in start.items()}})


def _noise(repair: Repair, model: Model, batch: Batch) -> Tensors:
    generator = torch.Generator().manual_seed(0)
    of_model, of_repair = shapes_of(model, repair, batch)
    return {name: torch.rand(shape, generator=generator) for name, shape in (of_model | of_repair).items()}


def _trained(repair: Repair, model: Model, start: Tensors, batch: Batch, stacked: bool) -> Tensors:
    noise, batch = (
        _noise(repair, model, batch),
        replace(batch, weight=torch.ones(len(batch), dtype=torch.float64)),
    )
    if stacked:
        batch = batch.map(lambda tensor: torch.stack([tensor] * MEMBERS))
        noise = stack([noise] * MEMBERS)
    chunk = Chunk(model, start, Sgd(), repair, (TASK,) * (MEMBERS if stacked else 1))
    for epoch in range(1, EPOCHS + 1):
        chunk.rate(epoch, EPOCHS)
        for _ in range(STEPS):
            chunk.step(batch, noise)
        chunk.turn(epoch, EPOCHS)
    return {name: tensor.clone() for name, tensor in chunk.outcome(EPOCHS, EPOCHS).items()}
