"""The model that a module of somebody's own becomes: its embedded words go in, its logits come out."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit, Trace
from holdfast.core.rules import Domain
from holdfast.models.adapters.calling import logits_of
from holdfast.models.adapters.facts import Facts, Tried
from holdfast.models.adapters.layers import as_map, attention_of, embedded_as, layer
from holdfast.models.base import TEMPERATURE, Model

DROPOUT = "dropout"
DRAWS = 2**31


class AdaptedText(Model):
    """Ids and mask in, logits over the classes out; the one logit z of two classes is returned as (0, z).

    The module runs whole in :meth:`decide`, its embedding answering with what it is given. Padding at the end
    is given to a module whose logits it does not change; any other is run on texts of one length at a time.
    A deleted word is hidden by the mask where that works, else the id ``missing`` stands there. A text of no
    words is that id alone. In training its dropout is drawn; otherwise it is in eval mode, always.
    """

    stacks = False
    domain: Domain = "signed"

    def __init__(
        self, tried: Tried, facts: Facts, read: str, missing: int, ids: Int[Tensor, "V"] | None
    ) -> None:
        super().__init__()
        self.module, self.call, self.embedding, self.facts = tried.module, tried.call, tried.embedding, facts
        self.attention, self.pad, self.classes = tried.attention, tried.pad, tried.classes
        self.named, self.read, self.missing, self.ids = tried.name, read, missing, ids
        self.unedited = 1 if tried.attention else 0
        self.drops = [part for part in self.module.modules() if _drops(part)]

    def tensors(self) -> dict[str, Tensor]:
        """Its buffers are a member's too."""
        buffers = {name: tensor for name, tensor in self.named_buffers() if name != TEMPERATURE}
        weights = {name: tensor.detach() for name, tensor in self.named_parameters()}
        return weights | buffers | {TEMPERATURE: self.temperature}

    def embed(self, batch: Batch) -> Float[Tensor, "B T D"]:
        """What its embedding gives for the words that there are."""
        return self._vectors(self._ids(batch, batch.mask)) * batch.mask[..., None]

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Tensor:
        """Nothing comes before: the states are the embedded words."""
        return embedded

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """The whole module."""
        if edit.rules is not None:
            raise BadSetting(
                f"relevance rules need layers that Holdfast knows, which those of {self.named} are not: "
                "choose gradient_input, integrated_gradients, leave_one_out or shapley"
            )
        logits, maps = self._run(states, batch, edit.noise)
        read = None if not maps or self.facts.pooled else self._read(batch.mask).to(logits)
        return Trace(logits, maps, states if edit.embedded is None else edit.embedded, states, read)

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """A number that its dropout is drawn from."""
        return {DROPOUT: (batch.mask.shape[-2],)} if self.drops else {}

    def evidence(self, logits: Float[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        """Where it has one logit for two classes, each has what speaks against the other."""
        if logits.shape[-1] > 2 or bool((logits[..., 0] != 0).any()):
            return logits
        return torch.stack([-logits[..., 1], logits[..., 1]], -1)

    def _run(
        self, states: Tensor, batch: Batch, noise: dict[str, Tensor]
    ) -> tuple[Float[Tensor, "B C"], tuple[Tensor, ...]]:
        """All rows at once, or those of one length at a time."""
        exists, width = batch.mask.clone(), batch.mask.shape[1]
        exists[:, 0] |= ~exists.any(1)
        ends = ((torch.arange(width, device=exists.device) + 1) * exists).amax(1)
        ids = self._ids(batch, batch.mask)
        vectors = torch.where(batch.mask[..., None], states, self._vectors(ids))
        lengths = [width] if self.facts.pads else sorted(set(ends.tolist()))
        logits: list[Tensor] = []
        maps: list[Tensor] = []
        places: list[Tensor] = []
        for length in lengths:
            rows = (
                torch.arange(len(ids), device=ids.device)
                if self.facts.pads
                else (ends == length).nonzero()[:, 0]
            )
            there = exists if self.facts.holes else torch.arange(width, device=ids.device) < ends[:, None]
            one, seen = self._pass(ids[rows, :length], there[rows, :length], vectors[rows, :length], noise)
            logits.append(one)
            maps += [_wider(own, width - length) for own in seen]
            places.append(rows)
        back = torch.cat(places).argsort()
        joined = (torch.cat(maps)[back],) if maps else ()
        return torch.cat(logits)[back], tuple(self._shares(own, batch.mask) for own in joined)

    def _pass(
        self, ids: Tensor, there: Tensor, vectors: Tensor, noise: dict[str, Tensor]
    ) -> tuple[Tensor, list[Tensor]]:
        """The module's logits and, where its attention is named, its map."""
        drawn = self._dropping(noise[DROPOUT]) if DROPOUT in noise and self.drops else nullcontext()
        with (
            embedded_as(self.module, self.embedding, vectors),
            attention_of(self.module, self.attention) as seen,
            drawn,
        ):
            answer = self.call(self.module, ids, there)
        logits = logits_of(answer, len(ids), self.classes, self.named)
        return logits, [as_map(seen[-1], self.facts.pooled)] if seen else []

    def _ids(self, batch: Batch, mask: Bool[Tensor, "B T"]) -> Int[Tensor, "B T"]:
        """Its own ids; where no word is, those of padding at the end and of missing words elsewhere."""
        own = batch.inputs if self.ids is None else self.ids.to(batch.inputs.device)[batch.inputs]
        own = torch.where(own < 0, self.pad, own)
        later = mask.flip(1).cumsum(1).flip(1) > 0  # a word follows
        later[:, 0] |= ~later.any(1)
        return torch.where(mask, own, torch.where(later, self.missing, self.pad))

    def _vectors(self, ids: Int[Tensor, "B T"]) -> Float[Tensor, "B T D"]:
        return layer(self.module, self.embedding, "embedding")(ids)  # type: ignore[no-any-return]

    def _shares(self, weights: Tensor, mask: Bool[Tensor, "B T"]) -> Tensor:
        """Attention among the words that there are."""
        keys = mask if self.facts.pooled else mask[:, None, None] & mask[:, None, :, None]
        kept = weights * keys
        total = kept.sum(-1, keepdim=True)
        return kept / torch.where(total > 0, total, 1.0)

    def _read(self, mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T"]:
        """How its output is taken to read the rows of a map."""
        if self.read == "mean":
            return mask / mask.sum(1, keepdim=True).clamp_min(1)
        order = mask.cumsum(1) if self.read == "first" else mask.flip(1).cumsum(1).flip(1)
        return ((order == 1) & mask).float()

    @contextmanager
    def _dropping(self, drawn: Tensor) -> Iterator[None]:
        """With dropout, drawn from this number; the global generator stays as it was."""
        devices = [drawn.device] if drawn.is_cuda else []
        with torch.random.fork_rng(devices=devices):
            torch.manual_seed(int(float(drawn.flatten()[0]) * DRAWS))
            for part in self.drops:
                part.train()
            try:
                yield
            finally:
                for part in self.drops:
                    part.eval()


def _drops(part: nn.Module) -> bool:
    """Whether a layer drops something in training."""
    if isinstance(part, nn.modules.dropout._DropoutNd):
        return part.p > 0
    return not any(part.children()) and float(getattr(part, "dropout", 0.0) or 0.0) > 0


def _wider(weights: Tensor, more: int) -> Tensor:
    return F.pad(weights, (0, more) if weights.dim() == 2 else (0, more, 0, more))
