"""From a trained and explained family to the rows of the table."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import torch
from jaxtyping import Bool
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation
from holdfast.measure.bins import Bin, by_confidence, by_label, by_length
from holdfast.measure.calibration import calibration
from holdfast.measure.localisation import conservation
from holdfast.measure.pairing import found, over_members, over_methods, over_repairs
from holdfast.measure.quality import deviation_by_confidence, mean_deviation, quality
from holdfast.measure.ranking import candidate_ranks, hr, mrr, ndcg
from holdfast.measure.reduce import Interval, Spread, mean_over_members, over_instances, over_pairs, spread
from holdfast.measure.statistics import paired, paired_hold
from holdfast.measure.verdict import Scale, hold, scale_of
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult
from holdfast.train.objective import hits

Select = Bool[Tensor, "K"] | None
AGREEMENT = "spearman"


class Rows:
    """Builds the rows of one cell."""

    def __init__(self, cell: FamilyResult) -> None:
        self.cell = cell
        self.bins: dict[str, list[Bin]] = {
            "confidence": by_confidence(cell.explained.mean(0)),
            "length": by_length(cell.mask.sum(1)) if cell.dataset.splits["test"].padded else [],
            "label": by_label(cell.targets[cell.rows], cell.dataset.task.classes),
        }
        if cell.dataset.task.kind == "interaction":
            self.bins["length"] = by_length(cell.mask.sum(1))
        if len(cell.dataset.task.classes) == 2:
            # Jain's figures have the probability of the positive class on their axis, from 0 to 1
            self.bins["probability"] = by_confidence(cell.probabilities[:, cell.rows, 1].mean(0))

    def row(self, quantity: str, value: Interval | Spread | float, **about: object) -> Measurement:
        """One row, with the interval that the value carries."""
        cell = self.cell
        ends: dict[str, object] = {}
        if isinstance(value, Interval | Spread):
            ends = {"low": value.low, "high": value.high, "n": value.n}
        number = value if isinstance(value, float) else _middle(value)
        return Measurement(cell.data, cell.model, cell.repair, quantity, number, **(ends | about))  # type: ignore[arg-type]

    def quality(self) -> Iterator[Measurement]:
        """How good the members are, how far their predictions differ, how calibrated they are."""
        cell = self.cell
        if cell.dataset.task.kind == "interaction":
            yield from self._ranking()
            return
        measured = quality(cell.probabilities, cell.targets)
        many = {"accuracy": measured.accuracy, "macro_f1": measured.macro_f1, "roc_auc": measured.roc_auc}
        for name, each in many.items():
            if each is not None:
                yield self.row(name, each)
                yield self.row(f"{name}_sd", each.sd, n=each.n)
        for number, each in measured.f1.items():
            about = {"by": "label", "bin": cell.dataset.task.classes[number], "at": float(number)}
            yield self.row("f1", each, **about)
        for member, value in zip(cell.members, measured.accuracy.values, strict=True):
            yield self.row("accuracy", value, by="member", bin=str(member.seed), at=float(member.seed), n=1)
        two = cell.probabilities.shape[-1] == 2
        own = cell.probabilities[..., 1] if two else cell.probabilities.max(-1).values
        yield self.row("deviation", mean_deviation(own))
        for bin, apart in deviation_by_confidence(own):
            about = {"by": "confidence", "bin": bin.label, "at": bin.at, "n": int(bin.mask.sum())}
            yield self.row("deviation", apart, **about)
        yield from self._calibration()

    def _ranking(self) -> Iterator[Measurement]:
        """How well a recommender finds the next item, among the candidates and among all items."""
        cell = self.cell
        yield self.row("recall", spread(cell.right))
        yield self.row("recall_sd", spread(cell.right).sd, n=len(cell.members))
        for member, value in zip(cell.members, cell.right.tolist(), strict=True):
            yield self.row("recall", value, by="member", bin=str(member.seed), at=float(member.seed), n=1)
        answers = [cell.job.tensors(member) for member in cell.members]
        seen = torch.stack([answer["logits/validation"] for answer in answers])
        first = cell.dataset.splits["validation"].targets
        yield self.row("recall", spread(hits(seen, first)), by="split", bin="validation")
        places = {
            "sampled": candidate_ranks(cell.probabilities, cell.targets),
            "all items": torch.stack([answer["ranks/test"] for answer in answers]),
        }
        for among, ranks in places.items():
            for name, values in {"hr@10": hr(ranks), "ndcg@10": ndcg(ranks), "mrr": mrr(ranks)}.items():
                yield self.row(name, spread(values), by="among", bin=among)

    def _calibration(self) -> Iterator[Measurement]:
        measured = calibration(self.cell.probabilities, self.cell.targets)
        for name in ("ece", "mce", "nll", "brier"):
            yield self.row(name, getattr(measured, name))
        curve = measured.reliability
        for at, confidence, right, count in zip(
            curve.at.tolist(), curve.confidence.tolist(), curve.accuracy.tolist(), curve.count.tolist(),
            strict=True,
        ):  # fmt: skip
            if count:
                about = {"by": "confidence", "bin": f"{at:.2f}", "at": confidence, "n": count}
                yield self.row("reliability", right, **about)

    def holds(self, explainer: str, scale: Scale) -> Iterator[Measurement]:
        """How much of an explanation survives another seed, overall and where."""
        yield from self._binned("hold", lambda select: hold(scale, select), explainer=explainer)

    def stability(self, explanation: Explanation, comparisons: tuple[str, ...]) -> Iterator[Measurement]:
        """Every comparison over all pairs of seeds, overall and where."""
        for text in comparisons:
            pairs = over_members(explanation, make("comparisons", text)).cpu()
            about = {"explainer": explanation.method, "comparison": text}
            yield from self._binned("stability", lambda select, p=pairs: over_pairs(p, select), **about)  # type: ignore[misc]

    def agreement(self) -> Iterator[Measurement]:
        """Whether two explainers agree on the same member."""
        comparison = make("comparisons", AGREEMENT)
        there = [explanation.to(self.cell.device) for explanation in self.cell.explanations.values()]
        for a, b in combinations(there, 2):
            value = mean_over_members(over_instances(over_methods(a, b, comparison)))
            yield self.row("agreement", value, explainer=a.method, other=b.method, comparison=AGREEMENT)

    def truth(self) -> Iterator[Measurement]:
        """How well each explainer finds what decides, where that is known and the true class is explained.

        In images only what speaks for the class counts; a word that decides may by itself speak against it.
        """
        cell = self.cell
        truth, right = cell.dataset.splits["test"].truth(cell.rows), cell.true
        if truth is None or not right.any():
            return
        for explanation in cell.explanations.values():
            there = explanation.to(cell.device)
            if cell.dataset.task.strip is not None:
                there = replace(there, scores=there.scores.clamp(min=0.0))
            measured = found(there, truth.to(cell.device))
            value = mean_over_members(over_instances(measured.values, measured.known & right.to(cell.device)))
            yield self.row("truth", value, explainer=explanation.method, comparison="found")

    def lost(self) -> Iterator[Measurement]:
        """How much of the evidence for the class no word or pixel was given, by explainers that share it
        out."""
        for one in self.cell.explanations.values():
            gone, whole = one.lost, one.evidence
            if gone is not None and whole is not None and bool(whole.any()):
                yield self.row("lost", conservation(gone, whole), explainer=one.method)

    def _binned(
        self, quantity: str, measure: Callable[[Select], Interval | None], **about: object
    ) -> Iterator[Measurement]:
        whole = measure(None)
        if whole is not None:
            yield self.row(quantity, whole, **(about | {"n": len(self.cell.rows)}))
        for by, bins in self.bins.items():
            for bin in bins:
                value = measure(bin.mask)
                if value is not None:
                    place = {"by": by, "bin": bin.label, "at": bin.at, "n": int(bin.mask.sum())}
                    yield self.row(quantity, value, **(about | place))


def measure_family(
    cell: FamilyResult, comparisons: tuple[str, ...]
) -> tuple[list[Measurement], dict[str, Scale]]:
    """All rows of one family, and the scales its holds were made of."""
    build = Rows(cell)
    rows = list(build.quality())
    scales = {}
    for name, explanation in cell.explanations.items():
        there = explanation.to(cell.device)
        scales[name] = scale_of(there, rows=cell.rows).cpu()
        rows += build.holds(name, scales[name])
        rows += build.stability(there, comparisons)
    agreement = build.agreement() if AGREEMENT in comparisons else ()
    return [*rows, *agreement, *build.truth(), *build.lost()], scales


def repair_rows(
    plain: FamilyResult, mended: FamilyResult, before: dict[str, Scale], after: dict[str, Scale]
) -> Iterator[Measurement]:
    """What a repair gained in hold, what it cost in accuracy, and how far it moved the explanations."""
    build = Rows(mended)
    common = [member for member in plain.members if member in mended.members]
    if len(common) < 2:
        return  # nothing can be paired
    right = [cell.right[[cell.members.index(m) for m in common]] for cell in (mended, plain)]
    cost = paired(*right)
    yield build.row("cost", cost.difference, other=plain.repair)
    yield build.row("cost_p", cost.p, other=plain.repair, n=len(common))
    same = plain.target == mended.target
    for name in (name for name in before if name in after):
        gain = paired_hold(before[name], after[name])
        yield build.row("gain", gain.difference, explainer=name, other=plain.repair)
        yield build.row("gain_p", gain.p, explainer=name, other=plain.repair, n=len(common))
        if same.any():
            comparison = make("comparisons", "jensen_shannon")
            values = over_repairs(plain.explanations[name], mended.explanations[name], comparison)
            moved = mean_over_members(over_instances(values, same))
            about = {"explainer": name, "other": plain.repair, "comparison": "jensen_shannon"}
            yield build.row("change", moved, **about)


def _middle(value: Interval | Spread) -> float:
    return value.mean if isinstance(value, Spread) else value.value
