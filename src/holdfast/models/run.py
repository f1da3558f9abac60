"""One member: a network with that member's parameters."""

from typing import Any

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.func import functional_call

from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.models.base import Model
from holdfast.models.odds import Worth


class _Call(nn.Module):
    """Lets ``functional_call`` reach every method of a model, not only ``forward``."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model

    def forward(self, method: str, *arguments: Any) -> Any:
        return getattr(self.model, method)(*arguments)


class Run:
    """One member: a model with that member's parameters. What explainers and repairs are given."""

    def __init__(self, model: Model, parameters: dict[str, Tensor]) -> None:
        self._call, self.parameters = _Call(model), parameters
        self._named = {f"model.{name}": tensor for name, tensor in parameters.items()}

    @property
    def model(self) -> Model:
        """The network itself, without this member's parameters."""
        return self._call.model

    def __call__(self, batch: Batch, edit: Edit = PLAIN) -> Trace:
        """A whole pass."""
        return self._do("forward", batch, edit)  # type: ignore[no-any-return]

    def embed(self, batch: Batch) -> Tensor:
        """The embedded input, moved where the batch says so."""
        return self._do("embedded", batch)  # type: ignore[no-any-return]

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit = PLAIN) -> Tensor:
        """The states before the first attention."""
        return self._do("encode", embedded, batch, edit)  # type: ignore[no-any-return]

    def decide(self, states: Tensor, batch: Batch, edit: Edit = PLAIN) -> Trace:
        """Attention and head."""
        return self._do("conclude", states, batch, edit)  # type: ignore[no-any-return]

    def attended(self, states: Tensor, batch: Batch, maps: Float[Tensor, "S B T"]) -> Float[Tensor, "S B C"]:
        """The logits with other attention maps over the same states."""
        return self._do("attended", states, batch, maps)  # type: ignore[no-any-return]

    def losses(
        self, batch: Batch, edit: Edit = PLAIN, weights: Float[Tensor, "C"] | None = None
    ) -> Float[Tensor, "B"]:
        """The loss of each example."""
        given = () if weights is None else (weights,)  # models outside the package may take none
        return self._do("losses", batch, edit, *given)  # type: ignore[no-any-return]

    def rank(self, batch: Batch) -> Float[Tensor, "B C"]:
        """What an answer is chosen by."""
        return self._do("rank", batch)  # type: ignore[no-any-return]

    def subsets(self, batch: Batch, kept: Bool[Tensor, "S T"], stays: bool = False) -> Float[Tensor, "S C"]:
        """The logits of one example with only some of its positions."""
        return self._do("subsets", batch, kept, stays)  # type: ignore[no-any-return]

    def worth(
        self, batch: Batch, target: Int[Tensor, "1"], kept: Bool[Tensor, "S T"], of: Worth, stays: bool
    ) -> Float[Tensor, "S"]:
        """What is explained of one example with only some of its positions, or the target's probability."""
        return self._do("worth", batch, target, kept, of, stays)  # type: ignore[no-any-return]

    def shared_out(self, batch: Batch, target: Int[Tensor, "B"]) -> Float[Tensor, "B T"]:
        """The Shapley values that the model's structure gives."""
        return self._do("shared_out", batch, target)  # type: ignore[no-any-return]

    def fitted(self, batch: Batch, seed: int) -> dict[str, Tensor]:
        """The parameters that a learner of its own fits."""
        return self._do("fitted", batch, seed)  # type: ignore[no-any-return]

    def evidence(self, logits: Float[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        """What speaks for each class by itself."""
        return self._do("evidence", logits)  # type: ignore[no-any-return]

    def explained(self, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
        """What explainers explain."""
        return self._do("explained", logits, target)  # type: ignore[no-any-return]

    def _do(self, method: str, *arguments: Any) -> Any:
        return functional_call(self._call, self._named, (method, *arguments))
