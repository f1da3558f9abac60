"""From a trained and explained family to the rows of the table."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from holdfast.core.catalogue import make
from holdfast.measure.bins import by_confidence, by_label
from holdfast.measure.pairing import over_repairs, truth_auc
from holdfast.measure.reduce import mean_over_members, over_instances
from holdfast.measure.scale import Scale
from holdfast.measure.statistics import paired, paired_hold
from holdfast.study.calibration import calibration_rows
from holdfast.study.drawn_anew import drawn_anew
from holdfast.study.evidence import Evidence
from holdfast.study.measurement import FamilyKey, Measurement
from holdfast.study.modality import modality
from holdfast.study.result import FamilyResult
from holdfast.study.score_rows import AGREEMENT, ScoreRows, bins_of_scores


class Measurer:
    """Builds the rows of one family; those of its explanations are made by ``scores``."""

    def __init__(self, family: FamilyResult) -> None:
        self.family, self.modality = family, modality(family.dataset.task.kind)
        task = family.dataset.task
        bins = bins_of_scores(family.mask, self.modality.lengths, family.explained.mean(0))
        if not task.cloze:  # whose classes are as many as there are entities
            bins["label"] = by_label(family.targets[family.rows], task.classes)
        if len(task.classes) == 2:
            # Jain's figures have the probability of the positive class on their axis, from 0 to 1
            bins["probability"] = by_confidence(family.probabilities[:, family.rows, 1].mean(0))
        key = FamilyKey(family.data, family.model, family.repair)
        self.scores = ScoreRows(key, family.explanations, bins, family.device)
        self.row = self.scores.row

    def quality(self) -> Iterator[Measurement]:
        """How good the members are."""
        return self.modality.quality(self.family, self.row)

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


def measure_family(
    family: FamilyResult, evidence: Evidence, comparisons: tuple[str, ...]
) -> list[Measurement]:
    """All rows of one family."""
    build = Measurer(family)
    rows = [*build.quality(), *calibration_rows(family, build.row, evidence.bins)]
    for name, explanation in family.explanations.items():
        rows += build.scores.holds(name, evidence.scales[name])
        rows += build.scores.shape(name, evidence)
        rows += build.scores.changes(name, evidence)
        rows += build.scores.stability(explanation, comparisons)
    agreement = build.scores.agreement() if AGREEMENT in comparisons else ()
    anew = [build.row("drawn_anew", own, explainer=name) for name, own in drawn_anew(family)]
    overall = build.modality.overall(family, build.row)
    return [*rows, *agreement, *build.truth(), *build.scores.lost(), *anew, *overall]


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
