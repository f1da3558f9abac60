"""What relevance costs, in plain forward passes: one member, a batch of 256 sequences, every strip cell.

The aims are at most 5 for deep Taylor and 8 for LRP-αβ; captum's LRP on a feed-forward net of dense layers
stands beside them. Plain and explained passes take turns, and a ratio is the median over the turns, so that a
busy machine slows both alike. With ``--device cuda`` (or ``--seeds``): ten seeds' relevance, mapped, over one
seed's that nobody maps; the aim of at most 2 is for a GPU.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.func import vmap

from holdfast.core.catalogue import catalogue, make
from holdfast.core.records import Batch, Member
from holdfast.core.rules import Part, affine, matmul, rectified
from holdfast.data.base import Task
from holdfast.explain.base import Explainer
from holdfast.explain.rules.taylor import Taylor
from holdfast.models.run import Run
from holdfast.train.family import Family, one_thread
from holdfast.train.precision import exact_float32

STRIP, SEQUENCES, MEMBERS, MAPPED = (12, 28, 7), 256, 10, 2.0
AIMS = {"deep_taylor": 5.0, "lrp": 8.0}
Work = Callable[[], object]


@dataclass(frozen=True)
class Asked:
    """What to explain, on which device."""

    batch: Batch
    target: Tensor
    device: str
    repeats: int

    def family(self, name: str, members: int) -> Family:
        """Untrained seeds of one cell, there."""
        task = Task(0, tuple("0123456789"), strip=STRIP)
        family = Family.init(make("models", name), task, [Member(seed) for seed in range(members)])
        there = {key: tensor.to(self.device) for key, tensor in family.parameters.items()}
        return Family(family.architecture, task, family.members, there)

    def seconds(self, work: Work) -> float:
        """Of this process on a CPU, where others may be busy; of the clock on a GPU."""
        clock = time.process_time if self.device == "cpu" else time.perf_counter
        self._wait()
        began = clock()
        work()
        self._wait()
        return clock() - began

    def ratios(self, plain: Work, works: list[Work]) -> tuple[float, list[float]]:
        """The plain work's seconds, and how many times as long each other takes: medians over turns."""
        for work in (plain, *works):
            work()
        turns = [[self.seconds(work) for work in (plain, *works)] for _ in range(self.repeats)]
        times = [[turn[place + 1] / turn[0] for turn in turns] for place in range(len(works))]
        return statistics.median(turn[0] for turn in turns), [statistics.median(each) for each in times]

    def _wait(self) -> None:
        if self.device != "cpu":
            torch.cuda.synchronize()


def ask(device: str, repeats: int) -> Asked:
    """Sequences of pixels, most of them background as in an image."""
    generator = torch.Generator().manual_seed(0)
    drawn = torch.rand(SEQUENCES, *STRIP, generator=generator)
    pixels = torch.where(drawn < 0.8, -1.0, 10.0 * drawn - 9.0)
    batch = Batch(pixels, torch.ones(SEQUENCES, STRIP[0], dtype=torch.bool))
    return Asked(batch.to(device), torch.arange(SEQUENCES, device=device) % 10, device, repeats)


def one_member(asked: Asked, name: str) -> bool:
    """Each method over a plain pass; whether both aims are met."""
    run = asked.family(name, 1).run(0)
    explainers = {written: make("explainers", written) for written in AIMS}

    def work(written: str) -> Work:
        return lambda: explainers[written].relevance(run, asked.batch, asked.target)

    with torch.no_grad():
        plain, found = asked.ratios(lambda: run(asked.batch), [work(written) for written in AIMS])
    said = ", ".join(f"{written} {ratio:.2f}" for written, ratio in zip(AIMS, found, strict=True))
    met = all(ratio <= aim for ratio, aim in zip(found, AIMS.values(), strict=True))
    print(f"{name}: plain pass {plain * 1e3:.1f} ms; {said}{'' if met else ' (above the aim)'}", flush=True)
    return met


def ten_members(asked: Asked, name: str) -> bool:
    """Ten seeds mapped, over one by the plain path; whether the aim is met by both methods."""
    found = {written: _mapped(asked, name, make("explainers", written)) for written in AIMS}
    met = all(ratio <= MAPPED for _, ratio in found.values())
    said = "; ".join(
        f"{w} {one * 1e3:.1f} ms, ten seeds {ratio:.2f} times" for w, (one, ratio) in found.items()
    )
    print(f"{name}: one seed's {said}{'' if met else ' (above the aim)'}", flush=True)
    return met


def _mapped(asked: Asked, name: str, explainer: Explainer) -> tuple[float, float]:
    """One seed's seconds, and how many times as long ten take."""
    family = asked.family(name, MEMBERS)
    model, alone = family.model, family.run(0)

    def scores(run: Run) -> Tensor:
        return explainer.scores(run, asked.batch, asked.target)

    def mapped() -> Tensor:
        return vmap(lambda own: scores(Run(model, own)))(family.parameters)

    one, (ratio,) = asked.ratios(lambda: scores(alone), [mapped])
    return one, ratio


def feed_forward(asked: Asked) -> None:
    """captum's LRP and ours (z⁺ everywhere) on dense layers, each over its own plain pass."""
    from captum.attr import LRP  # not at once: a GPU machine may have no captum
    from captum.attr._utils.lrp_rules import Alpha1_Beta0_Rule

    sizes = (STRIP[0] * STRIP[1] * STRIP[2], 256, 256, 128, 10)
    layers = [nn.Linear(a, b, bias=False) for a, b in pairwise(sizes)]
    net = nn.Sequential(*[part for layer in layers for part in (layer, nn.ReLU())][:-1]).to(asked.device)
    for layer in layers:
        layer.rule = Alpha1_Beta0_Rule()
    x = asked.batch.inputs.flatten(1).abs().requires_grad_()
    weights = [layer.weight.detach().mT for layer in layers]

    def ours() -> Tensor:
        rules, leaf = Taylor(), x.detach().requires_grad_()
        hidden = leaf
        for place, weight in enumerate(weights):
            layer = rectified if place + 1 < len(weights) else affine
            hidden = layer(rules, [Part(matmul, hidden, weight, "positive")])
        chosen = hidden.gather(1, asked.target[:, None]).sum()
        return leaf.detach() * torch.autograd.grad(chosen, leaf)[0]

    def theirs() -> Tensor:
        found: Tensor = LRP(net).attribute(x, target=asked.target)
        return found.detach()

    with torch.no_grad():
        above = net(x).gather(1, asked.target[:, None])[:, 0] > 0  # captum turns the sign of the others
    torch.testing.assert_close(ours()[above], theirs()[above], rtol=1e-3, atol=1e-5)

    def plain() -> None:
        with torch.no_grad():
            net(x)

    seconds, (own, peer) = asked.ratios(plain, [ours, theirs])
    print(
        f"dense layers: plain pass {seconds * 1e3:.1f} ms; ours {own:.2f}, captum's LRP {peer:.2f}",
        flush=True,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    options.add_argument("--repeats", type=int, default=7)
    options.add_argument("--cells", nargs="*", help="names; all if left out")
    options.add_argument("--seeds", action="store_true", help="ten seeds on a CPU as well")
    given = options.parse_args()
    asked = ask(given.device, given.repeats)
    names = given.cells or [name for name, cls in catalogue("models").items() if "image" in cls.reads]
    with one_thread(), exact_float32():
        met = [one_member(asked, name) for name in names]
        several = given.seeds or given.device == "cuda"
        mapped = [ten_members(asked, name) for name in names] if several else []
        if given.device == "cpu":
            feed_forward(asked)
    print(f"{sum(met)} of {len(met)} cells meet both aims")
    if mapped:
        print(f"{sum(mapped)} of {len(mapped)} cells explain ten seeds in {MAPPED:g} times one seed's time")


if __name__ == "__main__":
    main()
