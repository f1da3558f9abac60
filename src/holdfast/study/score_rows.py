"""From explanations, wherever they come from, to the rows of the table."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation
from holdfast.measure.bins import Bin, by_confidence, by_length
from holdfast.measure.hold import hold
from holdfast.measure.localisation import conservation
from holdfast.measure.pairing import over_members, over_methods
from holdfast.measure.reduce import Interval, Spread, mean_over_members, over_instances, over_pairs
from holdfast.measure.scale import Scale
from holdfast.measure.short import apart
from holdfast.measure.survival import hold_under
from holdfast.study.evidence import Evidence
from holdfast.study.measurement import FamilyKey, Measurement

Select = Bool[Tensor, "K"] | None
Bins = dict[str, list[Bin]]
AGREEMENT = "spearman"


def bins_of_scores(mask: Bool[Tensor, "K T"], lengths: bool, explained: Float[Tensor, "K"] | None) -> Bins:
    """Examples by the probability of what is explained, where that is known, and by ``lengths``, where those
    differ."""
    count = mask.sum(1)
    return {
        **({} if explained is None else {"confidence": by_confidence(explained)}),
        "length": by_length(count) if lengths else [],
        "short": apart(count),
    }


class ScoreRows:
    """Builds the rows of the explanations of one family, each also in ``bins`` of its examples."""

    def __init__(
        self, family: FamilyKey, explanations: Mapping[str, Explanation], bins: Bins, device: str = "cpu"
    ) -> None:
        self.family, self.explanations, self.bins, self.device = family, explanations, bins, device
        self.count = next((len(one.mask) for one in explanations.values()), 0)

    def row(self, quantity: str, value: Interval | Spread | float, **about: object) -> Measurement:
        """One row, with the interval that the value carries."""
        ends: dict[str, object] = {}
        if isinstance(value, Interval | Spread):
            ends = {"low": value.low, "high": value.high, "n": value.n}
        number = value if isinstance(value, float) else _middle(value)
        return Measurement(*self.family, quantity, number, **(ends | about))  # type: ignore[arg-type]

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
        contrast, strongest = evidence.contrasts.get(explainer), evidence.strongest.get(explainer)
        if contrast is not None:
            yield self.row("contrast", contrast.consensus, explainer=explainer)
            if contrast.kept is not None:
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
        explanation = explanation.to(self.device)
        for text in comparisons if len(explanation.members) > 1 else ():
            pairs = over_members(explanation, make("comparisons", text)).cpu()
            about = {"explainer": explanation.method, "comparison": text}
            yield from self._binned("stability", lambda select, p=pairs: over_pairs(p, select), **about)  # type: ignore[misc]

    def agreement(self) -> Iterator[Measurement]:
        """Whether two explainers agree on the same member."""
        comparison = make("comparisons", AGREEMENT)
        explanations = [explanation.to(self.device) for explanation in self.explanations.values()]
        for a, b in combinations(explanations, 2):
            value = mean_over_members(over_instances(over_methods(a, b, comparison)))
            yield self.row(
                "agreement", value, explainer=a.method, other_explainer=b.method, comparison=AGREEMENT
            )

    def lost(self) -> Iterator[Measurement]:
        """How much of the evidence for the class no word or pixel was given, by explainers that share it
        out."""
        for one in self.explanations.values():
            gone, whole = one.lost, one.evidence
            if gone is not None and whole is not None and bool(whole.any()):
                yield self.row("lost", conservation(gone, whole), explainer=one.method)

    def _binned(
        self, quantity: str, measure: Callable[[Select], Interval | None], **about: object
    ) -> Iterator[Measurement]:
        whole = measure(None)
        if whole is not None:
            yield self.row(quantity, whole, **(about | {"n": self.count}))
        for by, bins in self.bins.items():
            for bin in bins:
                value = measure(bin.mask)
                if value is not None:
                    name = "label" if by == "label" else "bin"
                    place = {"by": by, name: bin.label, "at": bin.at, "n": int(bin.mask.sum())}
                    yield self.row(quantity, value, **(about | place))


def _middle(value: Interval | Spread) -> float:
    return value.mean if isinstance(value, Spread) else value.value


def _interval(scale: Scale, select: Select) -> Interval | None:
    held = hold(scale, select)
    return None if held is None else held.interval
