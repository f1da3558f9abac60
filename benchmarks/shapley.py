"""Shapley values of SASRec's next item against shap's and captum's, at equal error, one thread.

All explain the same histories of n items by the same model: which items are kept is what varies. The model is
trained for a moment on histories whose items follow each other, so that its attention is not uniform. The
error of each is the root mean square distance from a long run of ours (2¹⁷ coalitions); it falls as
1/√evaluations, so seconds times squared error is what a given error costs. A ratio is the least of shap's and
captum's costs over ours; above 1 ours is cheaper. shap and captum call the whole model in batches of the size
that is fastest for them. They take turns; seconds are of the one thread.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import replace

import captum.attr
import numpy as np
import shap
import torch
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.data.base import Task
from holdfast.explain.coalitions import coalitions
from holdfast.explain.shapley import Shapley
from holdfast.models.base import Model
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.run import Run

ITEMS, LENGTH, LONG = 400, 50, 2**17
SIZES = (64, 128, 256, 1024)
Values = Callable[[Batch, int], Tensor]


def histories(rows: int, length: int, seed: int) -> Tensor:
    """Items that follow one of the last three, a few steps further in a ring, or come from nowhere."""
    dice = np.random.default_rng(seed)
    items = dice.integers(0, ITEMS, (rows, length))
    for t in range(3, length):
        back = items[np.arange(rows), t - dice.integers(1, 4, rows)]
        follows = (7 * back + dice.integers(1, 4, rows)) % ITEMS
        items[:, t] = np.where(dice.random(rows) < 0.7, follows, items[:, t])
    return torch.from_numpy(items + 1)


def trained(blocks: int, steps: int) -> Model:
    """SASRec after some steps of Adam."""
    torch.manual_seed(0)
    model = Sasrec(blocks=blocks, loss="softmax").build(Task(ITEMS + 1, (), length=LENGTH))
    adam = torch.optim.Adam(model.parameters(), 2e-3)
    for step in range(steps):
        items = histories(64, LENGTH + 1, step)
        mask = torch.ones(64, LENGTH, dtype=torch.bool)
        loss = model.losses(Batch(items[:, :-1], mask, following=items[:, 1:])).mean()
        adam.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        adam.step()
    return model.requires_grad_(False)


def worth_of(model: Model, one: Batch, size: int) -> Callable[[Tensor], Tensor]:
    """The target's score for rows of kept items, by whole passes of at most ``size`` rows."""

    def worth(kept: Tensor) -> Tensor:
        found = []
        for some in torch.split(kept.bool(), size):
            many = one.take(torch.zeros(len(some), dtype=torch.long))
            found.append(model(replace(many, mask=some)).logits[:, 0])
        return torch.cat(found)

    return worth


def fastest(model: Model, one: Batch) -> int:
    """The size of batches with which the whole model is fastest."""
    kept = coalitions(LENGTH, 1024).members
    times = {}
    for size in SIZES:
        worth = worth_of(model, one, size)
        times[size] = min(_seconds(lambda: worth(kept))[0] for _ in range(3))  # noqa: B023
    return min(times, key=times.__getitem__)


def peers(model: Model, samples: int, size: int) -> dict[str, Values]:
    """Each with about as many evaluations."""

    def numbers(one: Batch) -> Callable[[np.ndarray], np.ndarray]:
        worth = worth_of(model, one, size)
        return lambda rows: worth(torch.from_numpy(np.asarray(rows) > 0.5)).double().numpy()

    nothing, everything = np.zeros((1, LENGTH)), np.ones((1, LENGTH))

    def kernel(one: Batch, seed: int) -> Tensor:
        np.random.seed(seed)
        explainer = shap.KernelExplainer(numbers(one), nothing)
        found = explainer.shap_values(everything, nsamples=samples, l1_reg=False, silent=True)
        return torch.from_numpy(found[0])

    def permutation(one: Batch, seed: int) -> Tensor:
        explainer = shap.PermutationExplainer(numbers(one), nothing, seed=seed)
        rounds = max(samples // (2 * LENGTH + 1), 1)
        found = explainer(everything, max_evals=rounds * (2 * LENGTH + 1), silent=True)
        return torch.from_numpy(found.values[0])

    def captum_kernel(one: Batch, seed: int) -> Tensor:
        torch.manual_seed(seed)
        np.random.seed(seed)
        explainer = captum.attr.KernelShap(worth_of(model, one, size))
        return explainer.attribute(torch.ones(1, LENGTH), n_samples=samples, perturbations_per_eval=size)[
            0
        ].double()

    def captum_sampling(one: Batch, seed: int) -> Tensor:
        torch.manual_seed(seed)
        explainer = captum.attr.ShapleyValueSampling(worth_of(model, one, size))
        return explainer.attribute(
            torch.ones(1, LENGTH), n_samples=max(samples // LENGTH, 1), perturbations_per_eval=size
        )[0].double()

    return {
        "shap kernel": kernel,
        "shap permutation": permutation,
        "captum kernel": captum_kernel,
        "captum sampling": captum_sampling,
    }


def ours(model: Model, samples: int) -> Values:
    """Our values; coalitions are drawn once for all examples, which is no part of a call."""
    run = Run(model, dict(model.named_parameters()))

    def values(one: Batch, seed: int) -> Tensor:
        return Shapley(samples, draw=seed).scores(run, one, torch.tensor([0]))[0].double()

    return values


def _seconds(work: Callable[[], Tensor]) -> tuple[float, Tensor]:
    start = time.process_time()  # there is one thread: what else the machine does must not count
    found = work()
    return time.process_time() - start, found


def measured(
    methods: dict[str, Values], examples: list[Batch], truth: list[Tensor], repeats: int
) -> dict[str, tuple[float, float]]:
    """The median of seconds an example, and the root mean square error, of methods that take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    squares: dict[str, list[float]] = {name: [] for name in methods}
    for seed in range(repeats):
        for values in methods.values():
            values(examples[0], seed)
        for one, right in zip(examples, truth, strict=True):
            for name, values in methods.items():
                spent, found = _seconds(lambda: values(one, seed))  # noqa: B023
                seconds[name].append(spent)
                squares[name].append(float((found - right).square().mean()))
    return {name: (float(np.median(seconds[name])), float(np.mean(squares[name])) ** 0.5) for name in methods}


def main() -> None:
    """Print a line for each method and the ratio for each number of blocks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--samples", type=int, default=1024)
    parser.add_argument("--rows", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--long", type=int, default=LONG)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for blocks in asked.blocks:
        model = trained(blocks, asked.steps)
        items = histories(asked.rows, LENGTH + 1, 10_000)
        examples = [
            Batch(row[None, :-1], torch.ones(1, LENGTH, dtype=torch.bool), candidates=row[None, -1:])
            for row in items
        ]
        truth = [ours(model, asked.long)(one, asked.repeats) for one in examples]
        size = fastest(model, examples[0])
        methods = {"ours": ours(model, asked.samples), **peers(model, asked.samples, size)}
        costs = {}
        for name, (seconds, error) in measured(methods, examples, truth, asked.repeats).items():
            costs[name] = seconds * error**2
            print(f"blocks {blocks}: {name}: {seconds * 1e3:.1f} ms an example, error {error:.4f}")
        mine = costs.pop("ours")
        for name, theirs in costs.items():
            print(f"blocks {blocks}: {name}/ours at equal error {theirs / mine:.2f}")
        best = min(costs, key=costs.__getitem__)
        print(f"blocks {blocks}: the cheaper of shap and captum ({best})/ours {costs[best] / mine:.2f}")


if __name__ == "__main__":
    main()
