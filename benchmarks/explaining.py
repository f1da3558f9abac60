"""Integrated gradients and leave-one-out against captum's, on the same model and the same texts, one thread.

captum is given the same model, target, zero baseline, nodes (32, Gauss–Legendre) and holes; the scores must agree
before anything is timed. *tuned* is captum with the fastest of several batch sizes. The two take turns, and the
ratio is the median of captum's seconds over the median of ours; more is better.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import captum.attr
import torch
from texts import VOCABULARY, dataset, texts
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Batch, Edit, Member
from holdfast.data.base import Split
from holdfast.explain.base import log_odds
from holdfast.explain.integrated_gradients import IntegratedGradients
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.models.base import Model
from holdfast.train.family import Family, one_thread

ROWS, LENGTH, STEPS, MEMBERS = 64, 20, 32, 10
BATCHES = (64, 128, 256, 512, 1024)
HOLES = (2, 4, 8, 20)
Work = Callable[[], Tensor]


@dataclass(frozen=True)
class Peer:
    """captum around one member: a module with its weights, and the batch to explain."""

    model: Model
    batch: Batch
    target: Tensor

    def integrated_gradients(self, size: int | None = None) -> Tensor:
        """``size`` rows at once; None, captum's default: all steps at once."""

        def forward(embedded: Tensor, words: Tensor, mask: Tensor, target: Tensor) -> Tensor:
            return log_odds(self.model(Batch(words, mask), Edit(embedded=embedded)).logits, target)

        about = (self.batch.inputs, self.batch.mask, self.target)
        found = captum.attr.IntegratedGradients(forward).attribute(
            self.model.embed(self.batch).detach(),
            additional_forward_args=about,
            n_steps=STEPS,
            method="gausslegendre",
            internal_batch_size=size,
        )
        return found.sum(-1)

    def leave_one_out(self, holes: int = 1) -> Tensor:
        """``holes`` positions at once; the input that captum ablates is which positions are kept."""

        def forward(kept: Tensor, words: Tensor, mask: Tensor, target: Tensor) -> Tensor:
            return log_odds(self.model(Batch(words, mask & kept.bool())).logits, target)

        about = (self.batch.inputs, self.batch.mask, self.target)
        return captum.attr.FeatureAblation(forward).attribute(
            self.batch.mask.float(), additional_forward_args=about, perturbations_per_eval=holes
        )


def peer(family: Family, index: int, batch: Batch, target: Tensor) -> Peer:
    """One member as an ordinary module."""
    model = family.architecture.build(family.task)
    model.load_state_dict({name: tensor[index] for name, tensor in family.parameters.items()})
    return Peer(model.requires_grad_(False), batch, target)


def one(kind: str, family: Family, batch: Batch, target: Tensor, repeats: int) -> None:
    """One member against captum, as it comes and tuned."""
    run, theirs = family.run(0), peer(family, 0, batch, target)
    ours: dict[str, tuple[Work, Callable[..., Tensor], tuple[int | None, ...]]] = {
        "integrated_gradients": (
            partial(IntegratedGradients(STEPS).scores, run, batch, target),
            theirs.integrated_gradients,
            (None, *BATCHES),
        ),
        "leave_one_out": (partial(LeaveOneOut().scores, run, batch, target), theirs.leave_one_out, (1, *HOLES)),
    }
    for name, (work, other, sizes) in ours.items():
        works = [work, *(partial(other, size) for size in sizes)]
        for run_it in works[1:]:
            torch.testing.assert_close(run_it(), work(), rtol=1e-4, atol=1e-4 * float(work().abs().max()))
        first, default, *tuned = take_turns(works, repeats)
        best = min(tuned)
        print(
            f"{kind} {name}: ours {first * 1e3:.1f} ms, captum {default * 1e3:.1f} ms: {default / first:.2f} times "
            f"faster; tuned ({sizes[1 + tuned.index(best)]} at once) {best * 1e3:.1f} ms: {best / first:.2f} times"
        )


def ten(kind: str, family: Family, split: Split, batch: Batch, target: Tensor, repeats: int) -> None:
    """Ten members mapped against captum, tuned, once for each."""
    peers = [peer(family, index, batch, target) for index in range(len(family))]
    for name, explainer, sizes in (
        ("integrated_gradients", IntegratedGradients(STEPS), BATCHES),
        ("leave_one_out", LeaveOneOut(), HOLES),
    ):

        def ours(explainer=explainer) -> Tensor:
            return family.explain(explainer, split, torch.arange(len(split)), target).scores

        def theirs(size: int, name: str = name) -> Tensor:
            return torch.stack([getattr(each, name)(size) for each in peers])

        works = [ours, *(partial(theirs, size) for size in sizes)]
        torch.testing.assert_close(works[1](), ours(), rtol=1e-4, atol=1e-4 * float(ours().abs().max()))
        first, *others = take_turns(works, repeats)
        print(
            f"{kind} {name}, {len(family)} members: mapped {first * 1e3:.0f} ms, "
            f"captum tuned, one by one {min(others) * 1e3:.0f} ms: {min(others) / first:.2f} times faster"
        )


def take_turns(works: list[Work], repeats: int) -> list[float]:
    """The median seconds of each; they run one after the other in every round, so that noise hits them alike."""
    spent: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for own, work in zip(spent, works, strict=True):
            began = time.perf_counter()
            work()
            own.append(time.perf_counter() - began)
    return [statistics.median(own) for own in spent]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--models", default="cnn,bilstm")
    options.add_argument("--rows", type=int, default=ROWS)
    options.add_argument("--repeats", type=int, default=7)
    asked = options.parse_args()
    data = dataset(*texts(asked.rows, longest=LENGTH, mean=LENGTH))
    split = data.splits["train"]
    batch, target = split.batch(torch.arange(len(split))), split.targets
    with one_thread():
        for kind in asked.models.split(","):
            members = [Member(seed) for seed in range(MEMBERS)]
            family = Family.init(make("models", kind), data.task, members)
            one(kind, family, batch, target, asked.repeats)
            ten(kind, family, split, batch, target, max(asked.repeats // 2, 1))


if __name__ == "__main__":
    main()
