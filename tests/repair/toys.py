"""Small repairs, each of which uses one hook of the contract, for the tests."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from holdfast.core.records import Edit
from holdfast.train.evaluate import logits
from holdfast.train.repair import Repair


@dataclass(frozen=True)
class Jitter(Repair):
    """Draws: the embedded input of each example is moved by a random share of itself."""

    by: float = 0.2

    def draws(self, batch):
        return {"shift": (len(batch), 1)}

    def losses(self, run, batch, noise, memory):
        embedded = run.embed(batch)
        share = 1 + self.by * noise["repair/shift"].to(embedded.dtype)
        return run.losses(batch, Edit(embedded=embedded * share[..., None], noise=noise))


@dataclass(frozen=True)
class Balanced(Repair):
    """Class counts: an example of a rare class counts for more."""

    def begin(self, parameters, task):
        counts = torch.tensor(task.counts, dtype=next(iter(parameters.values())).dtype).clamp(min=1)
        return {"share": counts.sum() / counts}

    def losses(self, run, batch, noise, memory):
        return super().losses(run, batch, noise, memory) * memory["share"][batch.targets]


@dataclass(frozen=True)
class Tethered(Repair):
    """Memory in the losses: predictions stay near those of the weights after the epoch before."""

    pull: float = 0.5

    def begin(self, parameters, task):
        return {name: tensor.clone() for name, tensor in parameters.items()}

    def losses(self, run, batch, noise, memory):
        before = type(run)(run.model, run.parameters | memory)(batch).logits
        far = (run(batch).logits - before).square().sum(-1)
        return super().losses(run, batch, noise, memory) + self.pull * far

    def turn(self, parameters, memory, epoch, epochs):
        return parameters, dict(parameters)


@dataclass(frozen=True)
class Swaps(Repair):
    """Memory and weights change places after each epoch, and two of the memory's at each step."""

    averages = True

    def begin(self, parameters, task):
        count = torch.zeros((), dtype=torch.long)
        return {name: tensor * 0.5 for name, tensor in parameters.items()} | {"a": count, "b": count + 1}

    def step(self, parameters, memory, t):
        return parameters, memory | {"a": memory["b"], "b": memory["a"]}

    def turn(self, parameters, memory, epoch, epochs):
        counts = {name: memory[name] for name in ("a", "b")}
        return {name: memory[name] for name in parameters}, parameters | counts


@dataclass(frozen=True)
class Clipped(Repair):
    """A step that moves weights: a tensor outside its ball goes back, and the memory counts how often."""

    radius: float = 0.7

    def begin(self, parameters, task):
        return {"outside": torch.zeros((), dtype=torch.long)}

    def step(self, parameters, memory, t):
        norms = {name: tensor.norm() for name, tensor in parameters.items()}
        shares = {name: (self.radius / norm.clamp(min=1e-12)).clamp(max=1.0) for name, norm in norms.items()}
        outside = sum((share < 1).long() for share in shares.values())
        inside = {name: tensor * shares[name] for name, tensor in parameters.items()}
        return inside, {"outside": memory["outside"] + outside}


@dataclass(frozen=True)
class Trades(Repair):
    """Weights and memory change places before each step."""

    def begin(self, parameters, task):
        return {name: tensor * 0.5 for name, tensor in parameters.items()}

    def step(self, parameters, memory, t):
        return memory, parameters


@dataclass(frozen=True)
class Frozen(Repair):
    """Tensors that stay: embeddings, while everything else shrinks."""

    averages = True

    def trains(self, name):
        return not name.startswith("embedding")

    def turn(self, parameters, memory, epoch, epochs):
        return {name: tensor * 0.9 for name, tensor in parameters.items()}, memory

    def outcome(self, parameters, memory, epoch, epochs):
        return {name: tensor * 0.5 for name, tensor in parameters.items()}


@dataclass(frozen=True)
class Sharpened(Repair):
    """A step after training: the temperature whose inverse fits the validation split best."""

    factors: tuple[float, ...] = (0.5, 1.0, 2.0)

    def finish(self, run, validation):
        def loss(factor):
            seen = logits(run.model, self._times(run.parameters, factor), validation)
            return float(F.cross_entropy(seen.cpu(), validation.targets))

        return self._times(run.parameters, min(self.factors, key=loss))

    def _times(self, parameters, factor):
        return parameters | {"temperature": parameters["temperature"] / factor}


@dataclass(frozen=True)
class Student(Repair):
    """A teacher: predictions stay near those of the same seed without a repair (Hinton et al. 2015)."""

    needs = "none"
    pull: float = 1.0

    def losses(self, run, batch, noise, memory):
        weights = {name: memory[f"teacher/{name}"] for name in run.parameters}
        teacher = type(run)(run.model, weights)(batch).logits.log_softmax(-1)
        own = run(batch, Edit(noise=noise)).logits.log_softmax(-1)
        far = (teacher.exp() * (teacher - own)).sum(-1)
        return super().losses(run, batch, noise, memory) + self.pull * far


TOYS = (Jitter(), Balanced(), Tethered(), Swaps(), Clipped(), Frozen(), Sharpened(), Student())
