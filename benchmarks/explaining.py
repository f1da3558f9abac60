"""Integrated gradients and leave-one-out against captum's, on the same model and the same texts, one thread.

captum is given the same model, target, zero baseline, nodes (32, Gauss–Legendre) and holes; the scores must
agree before anything is timed. *Tuned* is captum with the fastest of several batch sizes. They take turns; a
ratio is the median of captum's seconds over the median of ours; above 1 ours is faster.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import captum.attr
import torch
from texts import dataset, texts
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Batch, Edit, Member
from holdfast.data.base import Split
from holdfast.explain.base import Explainer
from holdfast.explain.integrated_gradients import IntegratedGradients
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.models.base import Model, log_odds
from holdfast.train.family import Family, one_thread
from holdfast.train.scores import scores

ROWS, LENGTH, STEPS, MEMBERS = 64, 20, 32, 10
Work = Callable[[], Tensor]


@dataclass(frozen=True)
class Fixed(IntegratedGradients):
    """With these steps alone, as captum."""

    def finer(self) -> None:
        """Nothing finer."""


# each with how much captum may work on at once: rows, or positions of the whole batch
METHODS: dict[str, tuple[Explainer, tuple[int, ...]]] = {
    "integrated_gradients": (Fixed(STEPS), (128, 256, 512, 1024)),
    "leave_one_out": (LeaveOneOut(), (2, 4, 8, 20)),
}


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


def one(kind: str, name: str, family: Family, batch: Batch, target: Tensor, repeats: int) -> int:
    """One member against captum, as it comes and tuned; how much at once was fastest for captum."""
    explainer, sizes = METHODS[name]
    theirs = getattr(peer(family, 0, batch, target), name)
    ours = partial(explainer.scores, family.run(0), batch, target)
    works = [ours, theirs, *(partial(theirs, size) for size in sizes)]
    for work in works[1:]:
        agree(ours(), work())
    own, default, *tuned = take_turns(works, repeats)
    best = min(tuned)
    size = sizes[tuned.index(best)]
    print(
        f"{kind} {name}: ours {own * 1e3:.0f} ms, captum {default * 1e3:.0f} ms, tuned ({size} at once) "
        f"{best * 1e3:.0f} ms: captum/ours {default / own:.2f}, tuned {best / own:.2f}",
        flush=True,
    )
    return size


def ten(kind: str, name: str, size: int, family: Family, split: Split, repeats: int) -> None:
    """Ten members, one after the other (the CPU plan) and mapped, against captum, tuned, once for each."""
    rows, target, explainer = torch.arange(len(split)), split.targets, METHODS[name][0]
    peers = [getattr(peer(family, index, split.batch(rows), target), name) for index in range(len(family))]
    singles = [family.select([member]) for member in family.members]

    def in_turn() -> Tensor:
        parts = [(one.model, {k: v[0] for k, v in one.parameters.items()}, one.members) for one in singles]
        return torch.cat([scores(*part, explainer, split, rows, target, stacked=False) for part in parts])

    def mapped() -> Tensor:
        return family.explain(explainer, split, rows, target).scores

    def theirs() -> Tensor:
        return torch.stack([each(size) for each in peers])

    agree(in_turn(), theirs())
    agree(mapped(), theirs())
    plan, whole, other = take_turns([in_turn, mapped, theirs], repeats)
    print(
        f"{kind} {name}, {len(family)} members: in turn {plan * 1e3:.0f} ms, mapped {whole * 1e3:.0f} ms, "
        f"captum tuned {other * 1e3:.0f} ms: captum/ours {other / plan:.2f}, mapped {other / whole:.2f}",
        flush=True,
    )


def agree(ours: Tensor, theirs: Tensor) -> None:
    """The same scores, to 1e-4 of the largest."""
    torch.testing.assert_close(ours, theirs.to(ours), rtol=0.0, atol=1e-4 * float(ours.abs().max()))


def take_turns(works: list[Work], repeats: int) -> list[float]:
    """The median seconds of each; they run one after the other in every round, so that noise hits them alike.

    Seconds of this process: on one thread those of the clock, less what other processes took.
    """
    spent: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for own, work in zip(spent, works, strict=True):
            began = time.process_time()
            work()
            own.append(time.process_time() - began)
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
            for name in METHODS:
                size = one(kind, name, family, batch, target, asked.repeats)
                ten(kind, name, size, family, split, max(asked.repeats // 2, 1))


if __name__ == "__main__":
    main()
