"""Steps of members, together or alone; what a chunk is made of can be kept and put back."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.train.chunk import Chunk
from holdfast.train.family import template
from holdfast.train.optimise import Adam, Sgd
from holdfast.train.repair import Nothing, Repair
from tests.repair.toys import Balanced, Trades
from tests.train.cases import MEMBERS, doubles, fit_of, only

BILSTM, CNN = "bilstm:hidden=4,dim=8", "cnn:filters=4,dim=8"


def chunk_of(model, planted, members=MEMBERS, optimiser=None, repair="aswa", stacked=True):
    start = doubles(model, planted.task, members)
    start = start if stacked else {name: tensor[0] for name, tensor in start.items()}
    network = template(make("models", model), planted.task)
    tasks = (planted.task,) * (len(members) if stacked else 1)
    repair = make("repairs", repair) if isinstance(repair, str) else repair
    return Chunk(network, start, optimiser or Adam(), repair, tasks)


def batch_of(planted, rows, members=None):
    batch = planted.splits["train"].batch(torch.as_tensor(rows), 24)
    batch = replace(batch, weight=batch.weight.double())
    return batch if members is None else batch.map(lambda tensor: torch.stack([tensor] * members))


alone_or_stacked = pytest.mark.parametrize("stacked", [False, True])


@pytest.mark.parametrize("model", [BILSTM, CNN])
def test_fused_optimisers_are_given_gradients_in_order(planted, model):
    """They read memory as it lies: a transposed gradient once moved the wrong weights."""
    chunk, batch = (
        chunk_of(model, planted, repair="none", optimiser=Sgd(momentum=0.0, weight_decay=0.0)),
        None,
    )
    batch = batch_of(planted, range(8), len(MEMBERS))
    before = {name: tensor.clone() for name, tensor in chunk.values().items()}
    loss = chunk._loss(batch, {})
    slopes = dict(zip(chunk.trained, torch.autograd.grad(loss, list(chunk.trained.values())), strict=True))
    chunk.step(batch, {})
    for name, tensor in chunk.trained.items():
        assert tensor.grad.is_contiguous(), name
        torch.testing.assert_close(
            tensor.detach(), before[name] - chunk.lr * slopes[name], rtol=0, atol=1e-14
        )
    if model == BILSTM:
        assert any(not slope.is_contiguous() for slope in slopes.values()), "no gradient was out of order"


def test_the_loss_is_summed_over_members(planted):
    batch = batch_of(planted, range(6))
    alone = []
    for m, member in enumerate(MEMBERS):
        start = {name: tensor[0] for name, tensor in only(doubles(CNN, planted.task), m).items()}
        network = template(make("models", CNN), planted.task)
        one = Chunk(network, start, Adam(), Nothing(), (planted.task,))
        alone.append(one.step(batch, {}))
        assert member == MEMBERS[m]
    together = chunk_of(CNN, planted, repair="none").step(batch_of(planted, range(6), 3), {})
    torch.testing.assert_close(together, torch.stack(alone).sum(), rtol=1e-12, atol=0)


@alone_or_stacked
def test_rows_of_weight_zero_change_nothing(planted, stacked):
    members = len(MEMBERS) if stacked else None
    ends = []
    for rows, weight in (([3, 1, 4], [1, 1, 1]), ([3, 1, 4, 5, 5], [1, 1, 1, 0, 0])):
        chunk, batch = chunk_of(CNN, planted, stacked=stacked), batch_of(planted, rows, members)
        batch = replace(batch, weight=torch.tensor(weight).double().expand_as(batch.weight))
        for _ in range(3):
            chunk.step(batch, {})
        ends.append(chunk.values())
    for name, tensor in ends[0].items():
        torch.testing.assert_close(tensor, ends[1][name], rtol=0, atol=1e-12)


@alone_or_stacked
@pytest.mark.parametrize("repair", ["none", "swa", "naswa"])
@pytest.mark.parametrize("optimiser", ["adam", "adam:amsgrad=true", "sgd", "adagrad"])
def test_a_state_put_back_is_gone_on_from(planted, stacked, repair, optimiser):
    own = fit_of(optimiser).optimiser
    batch = batch_of(planted, range(4), len(MEMBERS) if stacked else None)
    first = chunk_of(CNN, planted, optimiser=own, repair=repair, stacked=stacked)
    for _ in range(2):
        first.step(batch, {})
    first.turn(1, 2)
    kept = {name: tensor.clone() for name, tensor in first.state().items()}
    first.step(batch, {})
    second = chunk_of(CNN, planted, optimiser=own, repair=repair, stacked=stacked)
    second.warm(batch, {})
    second.restore(kept)
    assert second.state().keys() == kept.keys()
    second.step(batch, {})
    for name, tensor in first.state().items():
        assert torch.equal(tensor, second.state()[name]), name


@alone_or_stacked
def test_a_step_goes_on_from_the_weights_that_the_repair_gives(planted, stacked):
    """As from those weights without a repair: loss, gradient and the optimiser's step."""
    batch = batch_of(planted, range(4), len(MEMBERS) if stacked else None)
    chunk = chunk_of(CNN, planted, repair=Trades(), stacked=stacked)
    first = {name: tensor.clone() for name, tensor in chunk.values().items()}
    network, tasks = template(make("models", CNN), planted.task), (planted.task,) * (3 if stacked else 1)
    half = {name: tensor * (0.5 if name in chunk.trained else 1) for name, tensor in first.items()}
    plain = Chunk(network, half, Adam(), Nothing(), tasks)
    assert torch.equal(chunk.step(batch, {}), plain.step(batch, {}))
    for name, tensor in chunk.values().items():
        assert torch.equal(tensor, plain.values()[name]), name
    assert all(torch.equal(tensor, first[name]) for name, tensor in chunk.memory.items())


class Weighs(Repair):
    """The loss counts as often as steps were begun, and the memory holds two of their numbers."""

    def begin(self, parameters, task):
        number = torch.zeros((), dtype=torch.long)
        return {"now": number, "before": number}

    def step(self, parameters, memory, t):
        return parameters, {"now": t, "before": memory["now"]}

    def losses(self, run, batch, noise, memory):
        return super().losses(run, batch, noise, memory) * memory["now"]


@alone_or_stacked
def test_losses_see_the_memory_of_their_own_step(planted, stacked):
    batch = batch_of(planted, range(4), len(MEMBERS) if stacked else None)
    still = Sgd(lr=1e-300)
    plain, weighed = (chunk_of(CNN, planted, MEMBERS, still, own, stacked) for own in ("none", Weighs()))
    for t in (1, 2, 3):
        torch.testing.assert_close(weighed.step(batch, {}), plain.step(batch, {}) * t)
        assert weighed.memory["now"].eq(t).all()
        assert weighed.memory["before"].eq(t - 1).all(), "a number that was kept went on counting"


@alone_or_stacked
@pytest.mark.parametrize("repair", [Nothing(), Balanced()])
def test_what_a_repair_leaves_is_not_written(planted, stacked, repair):
    task = replace(planted.task, counts=(3, 1))
    chunk = chunk_of(CNN, replace(planted, task=task), repair=repair, stacked=stacked)
    tensors = [*chunk.trained.values(), *chunk.memory.values()]
    before = [tensor._version for tensor in tensors]
    chunk.turn(1, 2)
    assert [tensor._version for tensor in tensors] == before


class Adds(Repair):
    def step(self, parameters, memory, t):
        return parameters, {"t": t}


class Loses(Repair):
    def turn(self, parameters, memory, epoch, epochs):
        return {name: tensor for name, tensor in parameters.items() if name != "head.bias"}, memory


@alone_or_stacked
def test_other_names_are_refused(planted, stacked):
    batch = batch_of(planted, range(4), len(MEMBERS) if stacked else None)
    adds, loses = (chunk_of(CNN, planted, repair=own, stacked=stacked) for own in (Adds(), Loses()))
    sentence = "{}: expected {} to give back the names that it is given, but {!r} was added or left out"
    with pytest.raises(BadSetting, match=f"^{sentence.format('adds', 'step', 't')}$"):
        adds.step(batch, {})
    with pytest.raises(BadSetting, match=f"^{sentence.format('loses', 'turn', 'head.bias')}$"):
        loses.turn(1, 2)


@pytest.mark.parametrize("optimiser", ["adam", "sgd", "adagrad"])
def test_warming_up_leaves_no_trace(planted, optimiser):
    own, batch = fit_of(optimiser).optimiser, batch_of(planted, range(4), len(MEMBERS))
    cold, warm = (chunk_of(CNN, planted, optimiser=own) for _ in range(2))
    warm.warm(batch, {})
    for _ in range(3):
        cold.step(batch, {})
        warm.step(batch, {})
    for name, tensor in cold.state().items():
        assert torch.equal(tensor, warm.state()[name]), name


def test_the_rate_says_when_it_changes(planted):
    chunk = chunk_of(CNN, planted, repair="swa:start=0.5,factor=0.1")
    assert [chunk.rate(epoch, 4) for epoch in (1, 2, 3, 4)] == [False, False, True, False]
    assert {group["lr"] for group in chunk.optimizer.param_groups} == {chunk.lr * 0.1}


class Plain(Sgd):
    """An optimiser for tensors that are nowhere."""

    def over(self, groups):
        return torch.optim.SGD(groups, lr=self.lr)


@pytest.mark.parametrize("members", [1, 3])
def test_memory_lies_where_training_runs_wherever_it_was_made(planted, members):
    """``Balanced`` makes a memory of its own, on the CPU; weights on ``meta`` stand in for a GPU."""
    start = {name: tensor.to("meta") for name, tensor in doubles(CNN, planted.task).items()}
    start = start if members > 1 else {name: tensor[0] for name, tensor in start.items()}
    task = replace(planted.task, counts=(3, 1))
    network = template(make("models", CNN), task)
    chunk = Chunk(network, start, Plain(), Balanced(), (task,) * members)
    assert {name: tensor.device.type for name, tensor in chunk.memory.items()} == {"share": "meta"}
