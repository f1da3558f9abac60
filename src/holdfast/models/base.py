"""The contract of a model: one network, written for one member.

``embed → encode → decide`` are separate because a hundred attention shuffles or ten adversarial steps need
one encoding. There are no hooks: everything an explainer may want is in the :class:`Trace`, everything it may
change is in the :class:`Edit`.
"""

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import partial
from typing import ClassVar, Self

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.core.catalogue import catalogue
from holdfast.core.errors import BadSetting
from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.core.rules import Domain
from holdfast.core.settings import name_of
from holdfast.data.base import Kind, Split, Task
from holdfast.models.bounded import Bounded
from holdfast.models.doors import among, instead
from holdfast.models.from_files import FromFiles
from holdfast.models.odds import Worth, log_odds

TEMPERATURE = "temperature"  # the one tensor of every member that is no parameter


class Model(nn.Module, ABC):
    """A network whose forward pass tells what it saw. Everything is safe under ``vmap``.

    ``negatives`` is how many items that a user never touched its losses want for each position. ``trains_on``
    is the split that its losses are of: ``pairs`` where they are of a user and single items. ``distributes``
    says that its attention maps are distributions. ``domain`` says whether its states are behind ReLUs
    (``positive``) or signed, as under tanh. ``temperature`` is a scalar that divides the logits, 1 in every
    new member; no training changes it, a repair's ``finish`` may. ``pools`` says that its one attention map
    pools the states, which :meth:`attended` can do in other ways. ``stacks`` False says that members cannot
    be stacked under ``vmap`` or captured in a graph: they run one at a time, on a GPU too. Of its maps the
    first ``unedited`` can be read, but no edit reaches them: they are made where it encodes. ``smooth`` False
    says that no gradient tells anything; ``fits`` and ``exact`` that there are methods ``fitted``, for its
    parameters, and ``shared_out``, which knows Shapley values without coalitions.
    """

    trains_on: ClassVar[str] = "train"
    distributes: bool = True
    negatives: int = 0
    domain: Domain = "positive"
    pools: bool = False
    stacks: bool = True
    unedited: int = 0
    smooth: bool = True
    fits: bool = False
    exact: bool = False
    temperature: Float[Tensor, ""]

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer(TEMPERATURE, torch.ones(()))  # no parameter: it is never trained or counted

    @property
    def attention_names(self) -> tuple[str, ...]:
        """The parameters that turn states into attention maps; none without attention."""
        return ()

    def tensors(self) -> dict[str, Tensor]:
        """What a member of a family has: the parameters, then the temperature, without their graph."""
        weights = {name: tensor.detach() for name, tensor in self.named_parameters()}
        return weights | {TEMPERATURE: self.temperature}

    def emptied(self) -> Self:
        """Its structure alone, without numbers; for weights that name no temperature, it is 1."""
        self.to("meta")
        self.temperature = torch.ones(())
        return self

    @abstractmethod
    def embed(self, batch: Batch) -> Tensor:
        """The embedded input; masked positions are exactly 0."""

    def embedded(self, batch: Batch, edit: Edit = PLAIN) -> Tensor:
        """What a pass starts from: ``edit.embedded`` where it is given, else the embedded input, moved by
        ``batch.shift``."""
        if edit.embedded is not None:
            return edit.embedded
        vectors = self.embed(batch)
        return vectors if batch.shift is None else vectors + batch.shift * batch.mask[..., None]

    def room(self, batch: Batch) -> Bool[Tensor, "B T D"]:
        """Which numbers of the embedded input are of something that exists: all of a position's, or none."""
        place = next(self.parameters()).device  # a structure without numbers has sizes all the same
        width = self.embed(batch.to(place)).shape[-1]
        return batch.mask[..., None].expand(*batch.mask.shape, width)

    @abstractmethod
    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Tensor:
        """Everything before the first attention that may be edited."""

    @abstractmethod
    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """Attention and head, at temperature 1; ``trace.embedded`` is ``edit.embedded`` or the states when
        none was given."""

    def conclude(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """The same at the model's own temperature."""
        trace = self.decide(states, batch, edit)
        return replace(trace, logits=self.tempered(trace.logits))

    def attended(self, states: Tensor, batch: Batch, maps: Float[Tensor, "S B T"]) -> Float[Tensor, "S B C"]:
        """The logits with other attention maps over the same states, of a model that ``pools``."""
        doors = (partial(instead, one) for one in maps)
        return torch.stack([self.conclude(states, batch, Edit(attention=door)).logits for door in doors])

    def tempered(self, logits: Tensor) -> Tensor:
        """Logits (or what they are linear in) divided by the temperature; under rules as well."""
        return logits / self.temperature

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """The shapes of the uniform draws that training wants for this batch (none by default)."""
        return {}

    def losses(
        self, batch: Batch, edit: Edit = PLAIN, weights: Float[Tensor, "C"] | None = None
    ) -> Float[Tensor, "B"]:
        """The loss of each example, times the weight of its class where ``weights`` has one for each;
        two-class logits are (0, z), so this is binary cross-entropy there."""
        assert batch.targets is not None
        return F.cross_entropy(self(batch, edit).logits, batch.targets, weights, reduction="none")

    def counted(self, task: Task, split: Split) -> Task:
        """The task with how many examples of each class it trains on, where the model decides that."""
        return task

    def rank(self, batch: Batch) -> Float[Tensor, "B C"]:
        """What an answer is chosen by: the logits; of a recommender, a score for each candidate."""
        return self(batch).logits  # type: ignore[no-any-return]

    def focused(self, batch: Batch, target: Int[Tensor, "B"]) -> tuple[Batch, Int[Tensor, "B"]]:
        """What is explained, and which class of it, where ``target`` is a place in what :meth:`rank` gives:
        by default the same. A model of single pairs is asked about the candidate at that place."""
        return batch, target

    def calibrated(
        self, logits: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]
    ) -> tuple[Float[Tensor, "*M K A"], Int[Tensor, "K"]]:
        """What can be calibrated: answers whose softmax is a probability, and which of them are right. Of a
        ranking that is the true item among its candidates. An example may have several rows in a row, as
        many as any other."""
        return logits, targets

    def probabilities(self, logits: Float[Tensor, "*M N C"]) -> Float[Tensor, "*M N C"]:
        """How probable a model holds each answer: one of them is right, unless it says otherwise here."""
        return logits.softmax(-1)

    def right(self, target: Int[Tensor, "B"], truth: Int[Tensor, "B"]) -> Int[Tensor, "B"]:
        """The true class of what :meth:`focused` asks about, given the true place."""
        return truth

    def evidence(self, logits: Float[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        """What speaks for each class by itself: the logits; two-class models give (−z, z). Under
        ``edit.rules`` logits are the evidence already."""
        return logits

    def explained(self, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
        """What explainers explain: the log-odds of the target; of a recommender, the item's score."""
        return log_odds(logits, target)

    def subsets(self, batch: Batch, kept: Bool[Tensor, "S T"], stays: bool = False) -> Float[Tensor, "S C"]:
        """The logits of one example with only some of its positions, for as many subsets as are given.

        What is not kept is a hole; with ``stays`` it only stands in no attention map and is where it was
        otherwise. Positions of the model's own are always kept.
        """
        many = batch.map(lambda tensor: tensor.expand(len(kept), *tensor.shape[1:]))
        if not stays:
            return self(replace(many, mask=many.mask & kept)).logits  # type: ignore[no-any-return]
        return self(many, Edit(attention=partial(among, kept))).logits  # type: ignore[no-any-return]

    def worth(
        self, batch: Batch, target: Int[Tensor, "1"], kept: Bool[Tensor, "S T"], of: Worth, stays: bool
    ) -> Float[Tensor, "S"]:
        """What is explained of one example with only some of its positions, or the target's probability."""
        logits, targets = self.subsets(batch, kept, stays), target.expand(len(kept))
        return self.explained(logits, targets) if of == "score" else logits.softmax(-1)[:, target[0]]

    def forward(self, batch: Batch, edit: Edit = PLAIN) -> Trace:
        """A whole pass."""
        embedded = self.embedded(batch, edit)
        trace = self.conclude(self.encode(embedded, batch, edit), batch, edit)
        return replace(trace, embedded=embedded)


class Architecture(FromFiles, Bounded, ABC):
    """Settings from which a model is built: a frozen dataclass, one file each.

    ``reads`` says what its models may be given: words of a text, strips of an image, items of a history;
    ``attends`` whether they have attention that can be edited, ``ordered`` whether the order of what they
    read counts; ``explains`` is False where they look at no part of it, so that there is nothing to explain;
    ``spells`` says that they know words by their letters, so that none is unknown; ``pretrained`` that their
    words may start from pre-trained vectors; ``fits`` that they are fitted by a learner of their own and take
    no gradient steps, so that nothing is there before training; ``smooth`` is False where their models have
    no gradients."""

    reads: ClassVar[tuple[Kind, ...]] = ("text",)
    attends: ClassVar[bool] = True
    spells: ClassVar[bool] = False
    pretrained: ClassVar[bool] = True
    explains: ClassVar[bool] = True
    fits: ClassVar[bool] = False
    smooth: ClassVar[bool] = True
    ordered: ClassVar[bool] = True

    @property
    def explainers(self) -> tuple[str, ...]:
        """What they are explained by unless somebody says otherwise; nothing: as others are."""
        return ()

    @property
    def optimiser(self) -> str | None:
        """What they are trained by unless somebody says otherwise, as it is written; None: as others are."""
        return None

    def notes(self, task: Task) -> tuple[str, ...]:
        """What a reader of results must know of how its models are run."""
        return ()

    def pinned(self) -> Self:
        """The same, as a plan names it: where files belong to it, by their SHA-256 and in no folder."""
        return self

    def check(self, task: Task) -> None:
        """Refuse a task of another kind of input, and say which models fit it."""
        self.check_kind(task.kind)

    def check_kind(self, came: Kind) -> None:
        """The same, known before the data are read."""
        if came not in self.reads:
            fit = ", ".join(name for name, cls in catalogue("models").items() if came in cls.reads)  # type: ignore[attr-defined]
            mine, read = name_of(type(self)), " or ".join(self.reads)
            raise BadSetting(f"{mine}: expected {read} data, but got {came} data: choose one of {fit}")

    @abstractmethod
    def build(self, task: Task) -> Model:
        """A freshly initialised model; draws from torch's global generator, which the caller seeds."""
