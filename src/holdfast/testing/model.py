"""The contract of a model, as checks that any architecture can run."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor
from torch.func import grad, stack_module_state, vmap

from holdfast.core.records import PLAIN, Batch, Edit
from holdfast.data.base import Task
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run
from holdfast.testing.attention import check_attention, check_edit
from holdfast.testing.class_weights import check_class_weights
from holdfast.testing.histories import PADDING, pad_left
from holdfast.testing.modality import modality
from holdfast.testing.named_tensors import check_attended, check_attention_names, check_temperature
from holdfast.testing.near import assert_near
from holdfast.testing.shift import check_shift

ROWS = 20  # batches of examples that a learner is given


def check_model(architecture: Architecture, task: Task) -> None:
    """Run every check; an ``AssertionError`` says which promise is broken.

    >>> from holdfast.models.text.average import Average
    >>> check_model(Average(hidden=4, dim=3), Task(9, ("no", "yes")))
    """
    model = build(architecture, task)
    batch = example_for(model, task)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    checks: tuple[Callable[[Model, Batch], None], ...] = (
        check_padding,
        check_composition,
        check_holes,
        check_attention,
        check_edit,
        check_parts,
        *((check_gradient,) if model.smooth else ()),
        check_noise,
        check_temperature,
        check_attention_names,
        check_attended,
        check_class_weights,
    )
    check_shapes(model, batch, task)
    for check in checks:
        check(model, batch)
    modality(task.kind).check_model(model, batch, task)
    check_shift(model, batch)
    assert model.training, "a call changed the training flag"
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, before[name]), f"a call changed the parameter {name}"
    check_seeds(architecture, task)
    if model.stacks:
        check_mapping(architecture, task)


def build(architecture: Architecture, task: Task, seed: int = 0) -> Model:
    """One member, in double precision; of models that a learner of their own fits, fitted to random rows."""
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        model = architecture.build(task).double()
    if architecture.fits:
        rows = [example(task, seed=draw) for draw in range(ROWS * seed, ROWS * (seed + 1))]
        parts = [(one.inputs, one.mask, one.targets) for one in rows]
        inputs, mask, targets = (torch.cat(part) for part in zip(*parts, strict=True))
        targets[: len(task.classes)] = torch.arange(len(task.classes))
        fitted = Run(model, model.tensors()).fitted(Batch(inputs, mask, targets), seed)
        for name, parameter in model.named_parameters():
            parameter.data.copy_(fitted[name])
    return model


def example(task: Task, length: int = 6, seed: int = 0) -> Batch:
    """Five examples: full, shorter, with a hole, of one position, and empty."""
    return modality(task.kind).example(task, length, seed)


def example_for(model: Model, task: Task) -> Batch:
    """The same as this model is asked."""
    return modality(task.kind).focused(model, example(task))


def pad(batch: Batch, extra: int) -> Batch:
    """The same examples with ``extra`` masked positions; at the end, but for histories, which end in the last
    column, at the beginning."""
    if batch.following is not None:
        return pad_left(batch, extra)

    def wider(tensor: Tensor) -> Tensor:
        value = 0 if tensor.dtype == torch.bool else 1
        return torch.cat([tensor, tensor.new_full((len(tensor), extra, *tensor.shape[2:]), value)], 1)

    longer = batch.map(lambda tensor: wider(tensor) if tensor.dim() > 1 else tensor)
    return replace(longer, options=batch.options)


def _like(mask: Tensor, other: Tensor) -> Tensor:
    """The mask with as many axes as the other."""
    return mask.view(*mask.shape, *[1] * (other.dim() - mask.dim()))


def check_shapes(model: Model, batch: Batch, task: Task) -> None:
    """One row of logits and one loss per example, all finite; each class has its own evidence."""
    trace, rows = model(batch), len(batch)
    classes = modality(task.kind).classes(model, batch, task)
    assert trace.logits.shape == (rows, classes), f"logits have shape {tuple(trace.logits.shape)}"
    assert model.losses(batch).shape == (rows,), "losses are not one per example"
    for tensor in (trace.logits, trace.embedded, trace.states, *trace.attention, model.losses(batch)):
        assert tensor.isfinite().all(), "an empty example gives numbers that are not finite"
    evidence, z = model.evidence(trace.logits), trace.logits[:, 1:] - trace.logits[:, :1]
    if classes == 2 and bool((trace.logits[:, 0] == 0).all()):
        assert torch.equal(evidence, torch.cat([-z, z], 1)), "logits are (0, z), but evidence is not (−z, z)"
    else:
        assert torch.equal(evidence, trace.logits), "evidence is not the logits, and they are not (0, z)"


def check_seeds(architecture: Architecture, task: Task) -> None:
    """The same seed gives the same member and the same pass, another seed another one."""
    first, again, other = (build(architecture, task, seed) for seed in (3, 3, 4))
    batch = example_for(first, task)
    assert torch.equal(first(batch).logits, again(batch).logits), "the same seed gave another model"
    assert torch.equal(first(batch).logits, first(batch).logits), "two passes differ"
    assert not torch.equal(first(batch).logits, other(batch).logits), "another seed gave the same model"


def check_padding(model: Model, batch: Batch) -> None:
    """More padding changes nothing, to 1e-9 in double precision."""
    narrow, wide = model(batch), model(pad(batch, PADDING))
    assert_near(wide.logits, narrow.logits, "padding changes the logits")
    for few, many in zip(narrow.attention, wide.attention, strict=True):
        # positions that the model adds come last; in histories the padding comes first
        length = 0 if batch.following is not None else batch.mask.shape[1]
        where = [*range(length), *range(length + PADDING, many.shape[-1])]
        inner = many[:, where] if few.dim() == 2 else many[..., where, :][..., where]
        assert_near(inner, few, "padding changes the attention")
        assert_near(many.sum(), few.sum(), "padding is attended, or attends")


def check_composition(model: Model, batch: Batch) -> None:
    """Order and neighbours in the batch change nothing, to 1e-9 in double precision."""
    logits, order = model(batch).logits, torch.arange(len(batch) - 1, -1, -1)
    assert_near(model(batch.take(order)).logits, logits[order], "the order of examples changes the logits")
    for row in range(len(batch)):
        alone = model(batch.take(torch.tensor([row]))).logits
        assert_near(alone, logits[row : row + 1], "neighbours in the batch change the logits")


def check_holes(model: Model, batch: Batch) -> None:
    """Inputs and embeddings at masked positions have no effect."""
    plain = model(batch)
    exists = _like(batch.mask, plain.embedded)
    assert not (plain.embedded * ~exists).any(), "the embedding of a masked position is not 0"
    words = torch.where(_like(batch.mask, batch.inputs), batch.inputs, 1 + (batch.inputs % 2))
    assert torch.equal(model(replace(batch, inputs=words)).logits, plain.logits), "a masked word is seen"
    vectors = torch.where(exists, plain.embedded, 7.0)
    seen = model(batch, Edit(embedded=vectors)).logits
    assert_near(seen, plain.logits, "a vector at a masked position is seen")


def check_parts(model: Model, batch: Batch) -> None:
    """``embed``, ``encode`` and ``decide`` make up the whole pass, and a given embedding is used."""
    whole, embedded = model(batch), model.embed(batch)
    parts = model.decide(model.encode(embedded, batch, PLAIN), batch, PLAIN)
    assert torch.equal(parts.logits, whole.logits), "embed, encode and decide are not the whole pass"
    assert torch.equal(parts.embedded, parts.states), "decide alone must give its states as embedded"
    given = model(batch, Edit(embedded=2.0 * embedded))
    assert torch.equal(given.embedded, 2.0 * embedded), "the trace does not have the given embedding"
    used = not torch.equal(given.logits, whole.logits)
    assert used or not embedded.numel(), "the given embedding is not used"


def check_gradient(model: Model, batch: Batch) -> None:
    """The gradient with respect to the embedding is right, and finite even for an empty example."""
    embedded = model.embed(batch).detach().requires_grad_()

    def losses(at: Tensor) -> Tensor:
        return model.losses(batch, Edit(embedded=at))

    if embedded.numel():  # a model may look at nothing
        assert torch.autograd.gradcheck(losses, (embedded,), fast_mode=True), "the gradient is wrong"
    by_parameter = torch.autograd.grad(model.losses(batch).sum(), list(model.parameters()), allow_unused=True)
    for (name, _), slope in zip(model.named_parameters(), by_parameter, strict=True):
        assert slope is not None, f"the parameter {name} is never used"
        assert slope.isfinite().all(), f"the gradient of {name} is not finite"


def check_noise(model: Model, batch: Batch) -> None:
    """Dropout reads the draws that the model asked for, by name, and nothing else is random."""
    shapes, plain = model.noise(batch), model.losses(batch)
    assert torch.equal(model.losses(batch, Edit(noise={"nobody": torch.zeros(1)})), plain)
    for name, shape in shapes.items():
        draws = torch.rand(shape, generator=torch.Generator().manual_seed(0))
        edit = Edit(noise={name: draws})
        assert torch.equal(model(batch, edit).logits, model(batch, edit).logits), (
            f"'{name}' is not repeatable"
        )
        once, again = model.losses(batch, edit), model.losses(batch, edit)
        assert torch.equal(once, again), f"losses with the draws '{name}' are not repeatable"
        assert not torch.equal(once, plain), f"the draws '{name}' are not used"


def check_mapping(architecture: Architecture, task: Task) -> None:
    """Members stacked under ``vmap``, each with its own draws, give what each gives alone: losses, attention
    and gradients."""
    models = [build(architecture, task, seed) for seed in range(3)]
    batch = example_for(models[0], task)
    stacked = {name: tensor.detach() for name, tensor in stack_module_state(models)[0].items()}
    batches = batch.map(lambda tensor: torch.stack([tensor] * len(models)))

    rng = torch.Generator().manual_seed(0)
    shapes = models[0].noise(batch)
    noise = {name: torch.rand((len(models), *shape), generator=rng) for name, shape in shapes.items()}

    def total(parameters: dict[str, Tensor], batch: Batch, noise: dict[str, Tensor]) -> Tensor:
        return Run(models[0], parameters).losses(batch, Edit(noise=noise)).sum()

    shared = vmap(lambda p: Run(models[0], p)(batch), randomness="error")(stacked)
    slopes = vmap(grad(total), randomness="error")(stacked, batches, noise)
    for member, model in enumerate(models):
        trace = model(batch)
        assert_near(shared.logits[member], trace.logits, "mapped logits differ")
        for mapped, alone in zip(shared.attention, trace.attention, strict=True):
            assert_near(mapped[member], alone, "mapped attention differs")
        parameters = dict(model.named_parameters())
        edit = Edit(noise={name: draws[member] for name, draws in noise.items()})
        alone = torch.autograd.grad(model.losses(batch, edit).sum(), list(parameters.values()))
        for name, slope in zip(parameters, alone, strict=True):
            assert_near(slopes[name][member], slope, f"the mapped gradient of {name} differs")
