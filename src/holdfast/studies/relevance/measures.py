"""From a family explained on strips to the rows of the relevance study."""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.core.records import Explanation, Member
from holdfast.core.settings import split_label
from holdfast.data.image.dataset import ImageDataset, to_strips
from holdfast.measure.grouped import GROUP, GROUPS, in_groups, mean_over_both
from holdfast.measure.hold import hold
from holdfast.measure.localisation import (
    Located,
    cosine,
    each_member,
    moved_by,
    over_time,
    share,
)
from holdfast.measure.probes.deletion import Deletion, aopc
from holdfast.measure.probes.faithfulness import curves, random_curves
from holdfast.measure.reduce import Interval, mean_over_members
from holdfast.measure.scale import scale_of
from holdfast.measure.structure import structure
from holdfast.models.base import TEMPERATURE
from holdfast.studies.relevance.names import CENTRED, FOLD, FOLDS, counted, data_of
from holdfast.study.evidence import impostors_of
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult, family_of

LOOKED = 200  # examples whose pixels are ranked
PROBED = 32  # examples that are deleted bit by bit
COPIES = 2  # random orders
RANDOM = "random order"


class RelevanceMeasurer:
    """Builds the rows of one family; the document explains the true class, so only such examples count."""

    def __init__(self, family: FamilyResult, dataset: ImageDataset) -> None:
        self.family, self.dataset = family, dataset
        self.right = family.target == family.targets[family.rows]
        self.rows = family.rows[self.right]
        self.target = family.target[self.right]
        split = dataset.splits["test"]
        self.truth = None if split.majority is None else split.majority[self.rows].float()
        # groups of images are the same for every family: all explain the same images
        self.group = permutation(len(self.rows), None, "image groups") % min(GROUPS, max(len(self.rows), 1))
        names = [_name(member) for member in family.members]
        kept = counted(names)
        self.counted = [place for place, name in enumerate(names) if name in kept]

    @property
    def ink(self) -> Float[Tensor, "K T"]:
        """How much is drawn on each strip."""
        return self.dataset.splits["test"].ink(self.rows)

    def row(self, quantity: str, value: Interval | float, **about: object) -> Measurement:
        """One row, with the interval that the value carries."""
        family, ends = self.family, {}
        if isinstance(value, Interval):
            ends = {"low": value.low, "high": value.high, "n": value.n}
        number = value if isinstance(value, float) else value.value
        return Measurement(family.data, family.model, family.repair, quantity, number, **(ends | about))  # type: ignore[arg-type]

    def quality(self) -> Iterator[Measurement]:
        """How many weights a member has, and how good it is on what it never saw: a fold on that fold
        (``accuracy_held``), the others on the published test part (``accuracy_published``)."""
        first = self.family.job.parameters(self.family.members[0])
        weights = sum(tensor.numel() for name, tensor in first.items() if name != TEMPERATURE)
        yield self.row("weights", float(weights), n=1)
        accuracies: dict[str, list[float]] = {}
        for member in self.family.members:
            quantity = "accuracy_published" if member.fold is None else "accuracy_held"
            right = self._unseen(member).double()
            if len(right):
                accuracies.setdefault(quantity, []).append(float(right.mean()))
                yield self.row(quantity, float(right.mean()), n=1, **_of(member))
        for quantity, values in accuracies.items():
            yield self.row(quantity, mean_over_members(torch.tensor(values, dtype=torch.float64)))

    def _unseen(self, member: Member) -> Bool[Tensor, "N"]:
        """Whether each example that a member never saw is right: of the published test part, some are in the
        test split and the others, where there are folds, among those held back."""
        seen, train = self.family.job.tensors(member), self.dataset.splits["train"]
        held, logits = train.held(member), seen.get("logits/held")
        right = torch.zeros(0, dtype=torch.bool)
        if held is not None and logits is not None:
            right = logits.argmax(-1) == train.targets[held]
        if member.fold is None:
            right = torch.cat([right, seen["logits/test"].argmax(-1) == self.family.targets])
        return right

    def places(self, explanation: Explanation) -> Iterator[Measurement]:
        """Is relevance on the blocks that decide, at the steps with ink, along the strokes?"""
        scores, name = explanation.scores[:, self.right], explanation.method
        # the document drops negative relevance, pixel by pixel, for LRP alone (§4.3.2)
        kept = scores.clamp(min=0.0) if split_label(name)[0] == "lrp" else scores
        if self.truth is not None:
            blocks = self.dataset.block_sums(kept)
            cosines = cosine(blocks, self.truth)
            yield from self._members("cosine", cosines, name)
            yield from self._groups("cosine", cosines, name)
            yield from self._members("share", share(blocks, self.truth), name)
            unknown = (~cosines.known[self.counted]).double().mean().item()
            yield self.row("unknown", unknown, explainer=name, n=len(self.rows))
        yield from self._members("structure", self._structure(scores), name)
        steps = self.dataset.time(kept)
        yield from self._members("time", moved_by(steps, self.ink), name)
        yield from self._steps("time", over_time(steps[self.counted]), name)

    def _structure(self, scores: Float[Tensor, "M K P"]) -> Located:
        some = slice(0, LOOKED)
        ink = self._blocks(self.dataset.images("test", self.rows[some]))
        maps = self._blocks(self.dataset.image(scores[:, some]))
        truth = None if self.truth is None else self.truth[some]
        return structure(maps, ink, truth, ink.roll(1, 0) if len(ink) > 1 else None)

    def _blocks(self, pictures: Float[Tensor, "*A H W"]) -> Float[Tensor, "*A B p"]:
        """The pixels of each of the images that stand side by side."""
        return to_strips(pictures, self.dataset.blocks).flatten(-2)

    def drawn(self) -> Iterator[Measurement]:
        """How the ink lies over the steps."""
        yield from self._steps("ink", over_time(self.ink)[None], "")

    def folds(self, explanation: Explanation) -> Iterator[Measurement]:
        """How much of a heat map survives other training data: the hold over folds, not over seeds."""
        members = tuple(member for member in self.family.members if member.fold is not None)
        if len(members) >= FOLDS:
            explained = self.family.only(members).explanations[explanation.method]
            impostors = impostors_of(self.family, explanation.method)
            held = hold(scale_of(explained.to(self.family.device), impostors, self.family.rows).cpu())
            if held is not None:
                yield self.row("hold", held.interval, explainer=explanation.method, by="folds")

    def deleted(self) -> Iterator[Measurement]:
        """What the prediction does when patches are painted over, most relevant first."""
        family, probe = self.family, Deletion()
        members = tuple(family.members[place] for place in self.counted)
        trained = family_of(family.only(members))
        rows, target = self.rows[:PROBED], self.target[:PROBED]
        arguments = (trained, probe, self.dataset.splits["test"], rows, target)
        chance = random_curves(*arguments, copies=COPIES)
        yield from self._curve(chance, RANDOM)
        for name, explanation in family.explanations.items():
            if name == "random":
                continue
            curve = curves(*arguments, explanation.scores[self.counted][:, self.right][:, :PROBED])
            gain = (aopc(curve) - aopc(chance)).double().mean(1)
            yield self.row("deletion", mean_over_members(gain), explainer=name)
            yield from self._curve(curve, name)

    def _curve(self, probabilities: Float[Tensor, "M N S"], name: str) -> Iterator[Measurement]:
        for step, values in enumerate(probabilities.double().mean(1).T):
            about = {"explainer": name, "by": "step", "bin": str(step), "at": float(step)}
            yield self.row("deletion", mean_over_members(values), **about)

    def _members(self, quantity: str, located: Located, name: str) -> Iterator[Measurement]:
        """The mean over members that have any relevance, and each of them."""
        means, known = each_member(located)
        kept = [place for place in self.counted if known[place]]
        if kept:
            group = self.group[: located.values.shape[1]]
            both = mean_over_both(located.values[kept], located.known[kept], group)
            yield self.row(quantity, both, explainer=name)
        for member, value, exists in zip(self.family.members, means.tolist(), known.tolist(), strict=True):
            if exists:
                yield self.row(quantity, value, explainer=name, n=1, **_of(member))

    def _groups(self, quantity: str, located: Located, name: str) -> Iterator[Measurement]:
        """The mean of each member that counts on each group of images."""
        sums, counts = in_groups(located.values, located.known, self.group)
        for place in self.counted:
            member = _name(self.family.members[place])
            for group, (total, count) in enumerate(
                zip(sums[place].tolist(), counts[place].tolist(), strict=True)
            ):
                if count:
                    about = {"by": GROUP, "bin": str(group), "at": float(group), "member": member}
                    yield self.row(quantity, total / count, explainer=name, n=int(count), **about)

    def _steps(self, quantity: str, shares: Float[Tensor, "M K T"], name: str) -> Iterator[Measurement]:
        """The mean distribution over the steps, of all examples that have one, and of the class whose ink is
        in the middle; over the members that have any relevance."""
        for label, chosen in self._classes():
            of_class = shares[:, chosen].double()
            known = (of_class > 0).any(-1).sum(1)
            of_class, known = of_class[known > 0], known[known > 0]
            if len(of_class):
                for step, values in enumerate((of_class.sum(1) / known[:, None]).T, 1):
                    about = {"label": label, "by": "step", "bin": str(step), "at": float(step)}
                    yield self.row(quantity, mean_over_members(values), explainer=name, **about)

    def _classes(self) -> Iterator[tuple[str, Bool[Tensor, "K"]]]:
        yield "", torch.ones(len(self.rows), dtype=torch.bool)
        label, classes = CENTRED.get(data_of(self.family.data)), self.dataset.task.classes
        if label in classes:
            yield label, self.target == classes.index(label)


def relevance_rows(family: FamilyResult) -> Iterator[Measurement]:
    """Every row of one family; none of relevance where the truth was never explained."""
    build = RelevanceMeasurer(family, ImageDataset.narrow(family.dataset))
    yield from build.quality()
    if len(build.rows) == 0:
        return
    yield from build.drawn()
    for explanation in family.explanations.values():
        yield from build.places(explanation)
        yield from build.folds(explanation)
    if build.truth is not None:
        yield from build.deleted()


def _name(member: Member) -> str:
    return str(member.seed) if member.fold is None else f"{FOLD}{member.fold}"


def _of(member: Member) -> dict[str, object]:
    """How a member's own rows name it."""
    at = member.seed if member.fold is None else member.fold
    return {"by": "member", "member": _name(member), "at": float(at)}
