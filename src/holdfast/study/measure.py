"""From a trained and explained family to the rows of the table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from jaxtyping import Bool
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation
from holdfast.measure.bins import Bin, by_confidence, by_label, by_length
from holdfast.measure.hold import hold
from holdfast.measure.localisation import conservation
from holdfast.measure.pairing import over_members, over_methods, over_repairs, truth_auc
from holdfast.measure.reduce import Interval, Spread, mean_over_members, over_instances, over_pairs
from holdfast.measure.scale import Scale
from holdfast.measure.short import apart
from holdfast.measure.statistics import paired, paired_hold
from holdfast.measure.survival import hold_under
from holdfast.study.calibration import calibration_rows
from holdfast.study.evidence import Evidence
from holdfast.study.measurement import Measurement
from holdfast.study.modality import modality
from holdfast.study.result import FamilyResult

Select = Bool[Tensor, "K"] | None
AGREEMENT = "spearman"


class Measurer:
    """Builds the rows of one family."""

    def __init__(self, family: FamilyResult) -> None:
        self.family, self.modality = family, modality(family.dataset.task.kind)
        lengths = family.mask.sum(1)
        self.bins: dict[str, list[Bin]] = {
            "confidence": by_confidence(family.explained.mean(0)),
            "length": by_length(lengths) if self.modality.lengths else [],
            "short": apart(lengths),
        }
        if not family.dataset.task.cloze:  # whose classes are as many as there are entities
            self.bins["label"] = by_label(family.targets[family.rows], family.dataset.task.classes)
        if len(family.dataset.task.classes) == 2:
            # Jain's figures have the probability of the positive class on their axis, from 0 to 1
            self.bins["probability"] = by_confidence(family.probabilities[:, family.rows, 1].mean(0))

    def row(self, quantity: str, value: Interval | Spread | float, **about: object) -> Measurement:
        """One row, with the interval that the value carries."""
        family = self.family
        ends: dict[str, object] = {}
        if isinstance(value, Interval | Spread):
            ends = {"low": value.low, "high": value.high, "n": value.n}
        number = value if isinstance(value, float) else _middle(value)
        return Measurement(family.data, family.model, family.repair, quantity, number, **(ends | about))  # type: ignore[arg-type]

    def quality(self) -> Iterator[Measurement]:
        """How good the members are."""
        return self.modality.quality(self.family, self.row)

    def holds(self, explainer: str, scale: Scale) -> Iterator[Measurement]:
        """How much of an explanation survives another seed, overall and where."""
        yield from self._binned("hold", lambda select: _interval(scale, select), explainer=explainer)
        whole = hold(scale)
        for one in whole.against if whole is not None else ():
            held = Interval(one.value, one.low, one.high, scale.between.n)
            yield self.row("hold", held, explainer=explainer, by="impostor", bin=one.impostor)

    def shape(self, explainer: str, evidence: Evidence) -> Iterator[Measurement]:
        """How uneven and how concentrated an explanation is, and whether members name the same strongest
        position."""
        contrast, strongest = evidence.contrasts[explainer], evidence.strongest[explainer]
        if contrast is not None:
            yield self.row("contrast", contrast.consensus, explainer=explainer)
            yield self.row("contrast_kept", contrast.kept, explainer=explainer)
            yield self.row("concentration", contrast.top, explainer=explainer)
            yield self.row("concentration_even", contrast.even, explainer=explainer)
        if strongest is not None:
            yield self.row("same_strongest", strongest, explainer=explainer)
        measured = evidence.matters.get(explainer)
        if measured is not None:
            yield self.row("matters", measured.share, explainer=explainer)

    def changes(self, explainer: str, evidence: Evidence) -> Iterator[Measurement]:
        """How much of an explanation survives each perturbation, also without the members and examples whose
        prediction changed, and how often it does."""
        for survival in evidence.survivals.get(explainer, ()):
            about = {"explainer": explainer, "by": "perturbation", "bin": survival.perturbation}
            for quantity, unflipped in (("hold_change", False), ("hold_unflipped", True)):
                held = hold_under(survival, unflipped)
                if held is not None:
                    yield self.row(quantity, held.interval, **(about | {"n": int(survival.known.sum())}))
            if survival.flips is not None:
                yield self.row("flips", survival.flips, **about)

    def stability(self, explanation: Explanation, comparisons: tuple[str, ...]) -> Iterator[Measurement]:
        """Every comparison over all pairs of seeds, overall and where."""
        for text in comparisons:
            pairs = over_members(explanation, make("comparisons", text)).cpu()
            about = {"explainer": explanation.method, "comparison": text}
            yield from self._binned("stability", lambda select, p=pairs: over_pairs(p, select), **about)  # type: ignore[misc]

    def agreement(self) -> Iterator[Measurement]:
        """Whether two explainers agree on the same member."""
        comparison = make("comparisons", AGREEMENT)
        explanations = [
            explanation.to(self.family.device) for explanation in self.family.explanations.values()
        ]
        for a, b in combinations(explanations, 2):
            value = mean_over_members(over_instances(over_methods(a, b, comparison)))
            yield self.row(
                "agreement", value, explainer=a.method, other_explainer=b.method, comparison=AGREEMENT
            )

    def truth(self) -> Iterator[Measurement]:
        """How well each explainer finds what decides, where that is known and the true class is explained."""
        family = self.family
        truth, right = family.dataset.splits["test"].truth(family.rows), family.true
        if truth is None or not right.any():
            return
        for explanation in family.explanations.values():
            moved = explanation.to(family.device)
            credited = replace(moved, scores=self.modality.credited(moved.scores))
            measured = truth_auc(credited, truth.to(family.device))
            value = mean_over_members(
                over_instances(measured.values, measured.known & right.to(family.device))
            )
            yield self.row("truth", value, explainer=explanation.method, comparison="found")

    def lost(self) -> Iterator[Measurement]:
        """How much of the evidence for the class no word or pixel was given, by explainers that share it
        out."""
        for one in self.family.explanations.values():
            gone, whole = one.lost, one.evidence
            if gone is not None and whole is not None and bool(whole.any()):
                yield self.row("lost", conservation(gone, whole), explainer=one.method)

    def _binned(
        self, quantity: str, measure: Callable[[Select], Interval | None], **about: object
    ) -> Iterator[Measurement]:
        whole = measure(None)
        if whole is not None:
            yield self.row(quantity, whole, **(about | {"n": len(self.family.rows)}))
        for by, bins in self.bins.items():
            for bin in bins:
                value = measure(bin.mask)
                if value is not None:
                    name = "label" if by == "label" else "bin"
                    place = {"by": by, name: bin.label, "at": bin.at, "n": int(bin.mask.sum())}
                    yield self.row(quantity, value, **(about | place))


def measure_family(
    family: FamilyResult, evidence: Evidence, comparisons: tuple[str, ...]
) -> list[Measurement]:
    """All rows of one family."""
    build = Measurer(family)
    rows = [*build.quality(), *calibration_rows(family, build.row, evidence.bins)]
    for name, explanation in family.explanations.items():
        rows += build.holds(name, evidence.scales[name])
        rows += build.shape(name, evidence)
        rows += build.changes(name, evidence)
        rows += build.stability(explanation.to(family.device), comparisons)
    agreement = build.agreement() if AGREEMENT in comparisons else ()
    overall = build.modality.overall(family, build.row)
    return [*rows, *agreement, *build.truth(), *build.lost(), *overall]


def repair_rows(
    plain: FamilyResult, repaired: FamilyResult, before: Mapping[str, Scale], after: Mapping[str, Scale]
) -> Iterator[Measurement]:
    """What a repair gained in hold, what it cost in accuracy, and how far it moved the explanations."""
    build = Measurer(repaired)
    common = [member for member in plain.members if member in repaired.members]
    if len(common) < 2:
        return  # nothing can be paired
    right = [family.right[[family.members.index(m) for m in common]] for family in (repaired, plain)]
    cost = paired(*right)
    yield build.row("cost", cost.difference, other_repair=plain.repair)
    yield build.row("cost_p", cost.p, other_repair=plain.repair, n=len(common))
    same = plain.target == repaired.target
    for name in (name for name in before if name in after):
        gain = paired_hold(before[name], after[name])
        yield build.row("gain", gain.difference, explainer=name, other_repair=plain.repair)
        yield build.row("gain_p", gain.p, explainer=name, other_repair=plain.repair, n=len(common))
        if same.any():
            comparison = make("comparisons", "jensen_shannon")
            values = over_repairs(plain.explanations[name], repaired.explanations[name], comparison)
            moved = mean_over_members(over_instances(values, same))
            about = {"explainer": name, "other_repair": plain.repair, "comparison": "jensen_shannon"}
            yield build.row("change", moved, **about)


def _middle(value: Interval | Spread) -> float:
    return value.mean if isinstance(value, Spread) else value.value


def _interval(scale: Scale, select: Select) -> Interval | None:
    held = hold(scale, select)
    return None if held is None else held.interval
