"""What explaining costs in an audit: ten seeds and the untrained networks beside them, in fixed batches, over
ten seeds in plain batches.

*Plain* is how one would do it without either: rows of about the same length in batches as large as is fast,
leave-one-out of the positions that exist, integrated gradients again for all examples that need it at once.
One trained seed is timed, which stands for ten, and one after the other every untrained network. Both take
turns, in seconds of this process on one thread; a time is the least of several.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Batch, Member
from holdfast.data.base import Dataset, Split
from holdfast.data.source import Source, load
from holdfast.explain.base import Explainer
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run
from holdfast.study.plan import defaults_for
from holdfast.train.evaluate import batches
from holdfast.train.family import Family, initial, one_thread, template
from holdfast.train.fit import Fit
from holdfast.train.repair import Tensors
from holdfast.train.scores import scored
from holdfast.train.seats import chosen
from holdfast.train.untrained import EACH, UNTRAINED, draw_of, shares

SEEDS, INSTANCES, POSITIONS = 10, 200, 1024
RUNS = {"planted": "cnn", "planted-plays": "sasrec", "digits": "convrlstm"}
Work = Callable[[], object]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", default=",".join(RUNS))
    options.add_argument("--instances", type=int, default=INSTANCES)
    options.add_argument("--epochs", type=int, default=2)
    options.add_argument("--repeats", type=int, default=3)
    asked = options.parse_args()
    with one_thread():
        for name in asked.runs.split(","):
            report(name, RUNS[name], asked.instances, asked.epochs, asked.repeats)


def report(name: str, kind: str, instances: int, epochs: int, repeats: int) -> None:
    """Print a line for every explainer of an audit, and one for all."""
    data, architecture = load(Source(name)), make("models", kind)
    family = Family.fit(architecture, data, [Member(0)], Fit(epochs=epochs))
    model, weights = template(architecture, data.task), family.parameters_of(Member(0))
    split = data.splits["test"]
    rows = chosen(len(split))[:instances].sort().values
    target = family.logits(split, rows)[0].argmax(-1)
    making = partial(networks, architecture, data)
    total = torch.tensor([0.0, 0.0, *take_turns([making], repeats).tolist()])
    for text in defaults_for(Source(name), (kind,)).explainers:
        explainer = make("explainers", text)
        ours = (model, weights, (Member(0),), explainer, split, rows, target, False)
        spent = take_turns(
            [
                partial(plain, model, weights, explainer, split, rows, target),
                partial(scored, *ours),
                partial(untrained, model, making(), text, split, rows, target),
            ],
            repeats,
        )
        say(f"{name} {kind} {text}", spent)
        total += spent
    say(f"{name} {kind}", total)


def say(about: str, spent: Tensor) -> None:
    """What ten seeds cost in fixed batches, and with the untrained networks."""
    before, fixed, more = (spent * torch.tensor([SEEDS, SEEDS, 1])).tolist()
    print(
        f"{about}: plain {before:.2f} s, fixed batches {fixed / before:.2f}, untrained networks "
        f"{more / before:.2f}: ratio {(fixed + more) / before:.2f}",
        flush=True,
    )


def take_turns(works: list[Work], repeats: int) -> Tensor:
    """The least seconds of each; they run one after the other in every round, so that noise hits all."""
    spent = torch.full((repeats, len(works)), torch.inf)
    for own in spent:
        for number, work in enumerate(works):
            began = time.process_time()
            work()
            own[number] = time.process_time() - began
    return spent.amin(0)


def networks(architecture: Architecture, data: Dataset) -> list[tuple[int, Member, Tensors]]:
    """Every untrained network, and which of its group it is."""
    drawn = [(draw, draw_of(group, draw)) for group in UNTRAINED for draw in range(EACH)]
    return [(draw, member, initial(architecture, data.task, member)) for draw, member in drawn]


def untrained(
    model: Model,
    drawn: list[tuple[int, Member, Tensors]],
    text: str,
    split: Split,
    rows: Tensor,
    target: Tensor,
) -> None:
    """Every untrained network explains its share."""
    if text == "random":
        return
    places, explainer = shares(split, rows), make("explainers", text)
    for draw, member, weights in drawn:
        at = places[draw]
        if len(at):
            some = (explainer, split, rows[at], target[at])
            scored(model, weights, (member,), *some, stacked=False, trained=False)


def plain(
    model: Model, weights: Tensors, explainer: Explainer, split: Split, rows: Tensor, target: Tensor
) -> None:
    """One seed explains, as it would without a thought of growing."""
    run = Run(model, weights)
    explainer.suits(run, split.batch(rows[:1]), target[:1])
    for places, batch in batches(split, rows, POSITIONS):
        each, noise = target[places], None
        if explainer.draws:
            noise = torch.rand(*batch.inputs.shape, explainer.draws)
        if isinstance(explainer, LeaveOneOut):
            leave_one_out(explainer, run, batch, each)
            continue
        scores = explainer.scores(run, batch, each, noise)
        finer: Explainer | None = explainer
        while explainer.conserves and finer is not None:
            with torch.no_grad():
                whole = explainer.total(run, batch, each)
            lost = (whole - scores.flatten(1).sum(-1)).abs() > explainer.within * whole.abs()
            finer, again = finer.finer(), lost.nonzero()[:, 0]
            if finer is None or not len(again):
                break
            batch, each = batch.take(again), each[again]
            scores = finer.scores(run, batch, each, noise)


def leave_one_out(explainer: LeaveOneOut, run: Run, batch: Batch, target: Tensor) -> None:
    """Without the positions that are padding, whatever shapes this makes."""
    whole = run.explained(run(batch).logits, target)
    row, hole = batch.mask.nonzero(as_tuple=True)
    position = torch.arange(batch.mask.shape[-1])
    for at, without in zip(row.split(explainer.chunk), hole.split(explainer.chunk), strict=True):
        many = batch.take(at)
        many = replace(many, mask=many.mask & (position != without[:, None]))
        _ = whole[at] - run.explained(run(many).logits, target[at])


if __name__ == "__main__":
    main()
