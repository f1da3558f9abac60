import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import f1_score

from holdfast.core.compare.jensen_shannon import JensenShannon
from holdfast.core.compare.kl import Kl
from holdfast.core.records import Member
from holdfast.measure.hold import hold
from holdfast.study.evidence import evidence_of
from holdfast.study.measure import measure_family, repair_rows
from holdfast.study.measurement import Measurement
from holdfast.study.plan import COMPARISONS
from holdfast.study.result import FamilyResult
from tests.reference import compare as naive
from tests.reference import hold as reference
from tests.reference import study as twin
from tests.reference.hold import tvd
from tests.study.strips import MEMBERS, families
from tests.study.tiny import family, shortened

FAMILY = family()
EVIDENCE = evidence_of(FAMILY)


def measured(one: FamilyResult, comparisons: tuple[str, ...]) -> list[Measurement]:
    return measure_family(one, evidence_of(one), comparisons)


ROWS = measured(FAMILY, COMPARISONS)


def pick(rows: list[Measurement], quantity: str, **about: object) -> list[Measurement]:
    return [
        row
        for row in rows
        if row.quantity == quantity and all(getattr(row, k) == v for k, v in about.items())
    ]


def chosen(by: str, label: str) -> list[int]:
    """Places among the explained rows that belong in a bin, by its written name."""
    if by == "all":
        return list(range(len(FAMILY.rows)))
    lengths = FAMILY.mask.sum(1).tolist()
    positive = FAMILY.probabilities[:, FAMILY.rows, 1].mean(0).tolist()
    sure = FAMILY.explained.mean(0).tolist()
    classes = [FAMILY.dataset.task.classes[int(t)] for t in FAMILY.targets[FAMILY.rows]]
    tests = {
        "probability": lambda k: f"{min(int(positive[k] * 10), 9) / 10:.1f}" == label,
        "confidence": lambda k: f"{min(int(sure[k] * 10), 9) / 10:.1f}" == label,
        "length": lambda k: int(label.split("–")[0]) <= lengths[k] <= int(label.split("–")[-1]),
        "label": lambda k: classes[k] == label,
    }
    return [k for k in range(len(FAMILY.rows)) if tests[by](k)]


@pytest.mark.parametrize(
    ("comparison", "between"), [("kl", naive.kl), ("jensen_shannon", naive.jensen_shannon)]
)
def test_stability_in_every_bin_against_loops(comparison: str, between: object) -> None:
    found = pick(ROWS, "stability", explainer="attention", comparison=comparison)
    scores = FAMILY.explanations["attention"].scores.double().tolist()
    lengths = FAMILY.mask.sum(1).tolist()
    assert {row.by for row in found} == {"all", "confidence", "length", "label", "probability"}
    for row in found:
        own = chosen(row.by, row.label or row.bin)
        assert row.n == len(own) > 0
        value = twin.mean_over_pairs(scores, lengths, own, lambda a, b: between(a, b, False))  # type: ignore[operator]
        assert row.value == pytest.approx(value, abs=1e-5)
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.value <= row.high


@pytest.mark.parametrize("by", ["confidence", "length", "label", "probability"])
def test_bins_share_out_all_texts(by: str) -> None:
    found = pick(ROWS, "hold", explainer="gradient", by=by)
    assert sum(row.n for row in found) == len(FAMILY.rows)
    assert len({row.part for row in found}) == len(found) > 1


def test_hold_is_the_mean_distance_on_the_scale_of_the_nearest_impostor() -> None:
    (row,) = pick(ROWS, "hold", explainer="attention", by="all")
    against = {one.bin: one.value for one in pick(ROWS, "hold", explainer="attention", by="impostor")}
    scale = EVIDENCE.scales["attention"]
    assert list(against) == list(scale.impostors) != []
    near = twin.mean_over_pairs(
        FAMILY.explanations["attention"].scores.double().tolist(), FAMILY.mask.sum(1).tolist(), range(12),
        tvd,
    )  # fmt: skip
    far = {name: float(table.pairs.values.double().mean()) for name, table in scale.impostors.items()}
    assert against == pytest.approx({name: 1 - near / far[name] for name in far}, abs=1e-5)
    assert row.value == min(against.values())
    assert row.high is not None
    assert row.high <= 1


def test_the_shape_of_an_explanation() -> None:
    for name, contrast in EVIDENCE.contrasts.items():
        assert contrast is not None
        rows = {row.quantity: row.value for row in ROWS if row.explainer == name and row.by == "all"}
        assert rows["contrast"] == contrast.consensus.value
        assert rows["contrast_kept"] == contrast.kept.value
        assert (rows["concentration"], rows["concentration_even"]) == (contrast.top, contrast.even)
        same = EVIDENCE.strongest[name]
        assert same is not None
        assert rows["same_strongest"] == same.value


def test_accuracy_and_its_spread_against_loops() -> None:
    truth = FAMILY.targets.tolist()
    own = [
        sum((p[1] > p[0]) == bool(t) for p, t in zip(member, truth, strict=True)) / len(truth)
        for member in FAMILY.probabilities.tolist()
    ]
    (mean,) = pick(ROWS, "accuracy", by="all")
    (spread,) = pick(ROWS, "accuracy_sd")
    assert mean.value == pytest.approx(sum(own) / 4)
    assert spread.value == pytest.approx(twin.sd(own))
    assert [row.value for row in pick(ROWS, "accuracy", by="member")] == pytest.approx(own)
    assert [row.member for row in pick(ROWS, "accuracy", by="member")] == ["0", "1", "2", "3"]


def test_deviation_against_loops() -> None:
    own = FAMILY.probabilities[..., 1].T.tolist()
    (whole,) = pick(ROWS, "deviation", by="all")
    assert whole.value == pytest.approx(sum(map(twin.sd, own)) / len(own))
    for row in pick(ROWS, "deviation", by="confidence"):
        some = [p for p in own if f"{min(int(sum(p) / 4 * 10), 9) / 10:.1f}" == row.bin]
        assert row.n == len(some)
        assert row.value == pytest.approx(sum(map(twin.sd, some)) / len(some))


def test_agreement_is_of_every_two_explainers() -> None:
    triple = family(names=("attention", "gradient", "random"))
    rows = measured(triple, ("kl", "spearman"))
    pairs = [(row.explainer, row.other_explainer) for row in pick(rows, "agreement")]
    assert pairs == list(itertools.combinations(("attention", "gradient", "random"), 2))
    assert all(-1 <= row.value <= 1 for row in pick(rows, "agreement"))
    assert pick(measured(triple, ("kl",)), "agreement") == []  # only where ranks were asked for


def test_the_truth_is_found_by_who_knows_it() -> None:
    one = family(noise=0.0)
    truth = one.dataset.splits["test"].truth(one.rows, one.mask.shape[1])
    scores = truth.expand(4, *truth.shape).clone()
    explanation = one.explanations["attention"]
    object.__setattr__(explanation, "scores", scores)
    rows = measured(one, ("kl",))
    (row,) = pick(rows, "truth", explainer="attention")
    assert (row.value, row.low, row.high) == (1.0, 1.0, 1.0)


def test_where_another_class_is_explained_the_truth_says_nothing() -> None:
    one = family(noise=0.0)
    truth = one.dataset.splits["test"].truth(one.rows, one.mask.shape[1])
    right = one.target == one.targets[one.rows]
    assert 0 < int(right.sum()) < len(right)
    known = torch.where(right[:, None], truth, 1 - truth)  # turned round where the class is another
    object.__setattr__(one.explanations["attention"], "scores", known.expand(4, *truth.shape).clone())
    (row,) = pick(measured(one, ("kl",)), "truth", explainer="attention")
    assert row.value == 1.0


def test_rules_lose_next_to_nothing_on_the_cells() -> None:
    for one in families():
        found = pick(measured(one, ("jensen_shannon",)), "lost")
        assert {row.explainer for row in found} == {"deep_taylor", "lrp"}
        assert max(row.value for row in found) < 1e-4


def test_what_is_lost_is_what_the_scores_leave_out() -> None:
    """The evidence of a strip model is its logit; half as many members and rows keep what is theirs."""
    for one in (families()[0], families()[0].only(MEMBERS[1:3]), families()[0].at(families()[0].rows[3:9])):
        found = {
            row.explainer: row.value for row in measured(one, ("jensen_shannon",)) if row.quantity == "lost"
        }
        assert set(found) == {"deep_taylor", "lrp"}
        logits = torch.stack([one.job.tensors(m)["logits/test"][one.rows] for m in one.members]).double()
        whole = logits[:, torch.arange(len(one.rows)), one.target]
        for name, value in found.items():
            gone = whole - one.explanations[name].scores.double().sum(-1)
            expected = gone.abs().sum(1) / whole.abs().sum(1)
            assert value == pytest.approx(float(expected.mean()), rel=1e-6, abs=1e-7)


def test_every_quantity_is_there_once() -> None:
    assert {row.quantity for row in ROWS} == {
        "accuracy", "accuracy_sd", "macro_f1", "macro_f1_sd", "f1", "roc_auc", "roc_auc_sd", "deviation",
        "ece", "ece_calibrated", "overconfidence", "mce", "ace", "nll", "brier", "reliability",
        "reliability_by_class", "hold", "stability", "agreement", "truth", "contrast",
        "contrast_kept", "concentration", "concentration_even", "same_strongest",
    }  # fmt: skip
    keys = [(row.what, row.part) for row in ROWS]
    assert len(keys) == len(set(keys))
    assert all(row.value == row.value for row in ROWS)


def test_f1_is_told_by_the_name_of_its_class() -> None:
    guess = FAMILY.probabilities.argmax(-1).numpy()
    named = {row.label: row.value for row in ROWS if row.quantity == "f1"}
    each = np.mean([f1_score(FAMILY.targets.numpy(), g, average=None) for g in guess], axis=0)
    assert named == pytest.approx(dict(zip(FAMILY.dataset.task.classes, each, strict=True)))
    (macro,) = [row.value for row in ROWS if row.quantity == "macro_f1"]
    assert macro == pytest.approx(each.mean())


def mended(**about: object) -> tuple[FamilyResult, list[Measurement]]:
    other = family(noise=0.05, repair="aswa", seed=5, **about)  # type: ignore[arg-type]
    return other, list(repair_rows(FAMILY, other, EVIDENCE.scales, evidence_of(other).scales))


def test_a_repair_that_calms_gains_hold() -> None:
    other, rows = mended()
    for name in ("attention", "gradient"):
        (gain,) = pick(rows, "gain", explainer=name)
        (before,) = pick(ROWS, "hold", explainer=name, by="all")
        (after,) = pick(measured(other, ()), "hold", explainer=name, by="all")
        assert gain.value == pytest.approx(after.value - before.value)
        assert gain.low is not None
        assert gain.low > 0
    assert {row.other_repair for row in rows} == {"none"}


def test_cost_is_the_accuracy_that_was_lost() -> None:
    other, rows = mended()
    right = [(c.probabilities.argmax(-1) == c.targets).double().mean(1).tolist() for c in (FAMILY, other)]
    (cost,) = pick(rows, "cost")
    assert cost.value == pytest.approx(sum(right[0]) / 4 - sum(right[1]) / 4)


def test_change_is_of_the_same_seed_before_and_after() -> None:
    other, rows = mended()
    (change,) = pick(rows, "change", explainer="attention")
    a, b = (c.explanations["attention"].scores.double().tolist() for c in (FAMILY, other))
    lengths = FAMILY.mask.sum(1).tolist()
    values = [
        naive.jensen_shannon(a[m][k][: lengths[k]], b[m][k][: lengths[k]], False)
        for m in range(4)
        for k in range(12)
    ]
    assert change.value == pytest.approx(sum(values) / len(values), abs=1e-5)


def test_the_order_of_rows_is_that_of_the_explainers() -> None:
    # a set of names would be in another order in another process, and the table in other bytes
    _, rows = mended()
    assert [row.explainer for row in pick(rows, "gain")] == list(FAMILY.explanations)


def test_families_with_nothing_in_common_are_not_paired() -> None:
    other, _ = mended()
    strangers = tuple(Member(number) for number in (3, 7, 8, 9))
    object.__setattr__(other, "members", strangers)
    assert list(repair_rows(FAMILY, other, EVIDENCE.scales, EVIDENCE.scales)) == []


def test_kl_is_larger_than_jensen_shannon_here() -> None:
    # the two measure different things: a mix-up of comparisons would show
    kl, js = Kl(), JensenShannon()
    assert kl != js
    (a,) = pick(ROWS, "stability", explainer="attention", comparison="kl", by="all")
    (b,) = pick(ROWS, "stability", explainer="attention", comparison="jensen_shannon", by="all")
    assert a.value > 2 * b.value > 0


def test_three_classes_have_no_bins_of_the_positive_one() -> None:
    other = family()
    task = other.dataset.task
    wide = torch.cat([other.probabilities / 2, other.probabilities[..., :1] / 2], -1)
    wide = wide / wide.sum(-1, keepdim=True)
    data = replace(other.dataset, task=replace(task, classes=(*task.classes, "third")))
    rows = measured(replace(other, probabilities=wide, dataset=data), ("kl",))
    assert "probability" not in {row.by for row in rows}
    assert pick(rows, "hold", explainer="attention", by="label")


def test_short_texts_are_measured_apart_where_they_are_many() -> None:
    lengths = [1, 2, 3, 2, 3, 2, 5, 6, 7, 8, 9, 10]
    one = shortened(FAMILY, lengths)
    evidence = evidence_of(one)
    rows = measure_family(one, evidence, ("kl",))
    found = pick(rows, "hold", explainer="attention", by="short")
    assert [(row.bin, row.n, row.at) for row in found] == [("2–3", 5, 2.4), ("5–10", 6, 7.5)]
    for row, places in zip(found, reference.short_and_longer(lengths), strict=True):
        select = torch.tensor([k in places for k in range(12)])
        held = hold(evidence.scales["attention"], select)
        assert held is not None
        assert (row.value, row.low, row.high) == (held.value, held.low, held.high)
    assert pick(ROWS, "hold", by="short") == []
