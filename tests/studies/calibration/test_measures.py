import pytest
import torch
from scipy.stats import spearmanr

from holdfast.measure.probes.moved import Moved
from holdfast.studies.calibration.measures import falls, over
from tests.studies.calibration.runs import rows


def test_the_slope_is_spearmans_over_members():
    dice = torch.Generator().manual_seed(0)
    effect, sure = torch.rand(2, 3, 40, generator=dice, dtype=torch.float64)
    found = Moved(effect, sure, torch.zeros(3, 40, dtype=torch.long), torch.zeros(40, dtype=torch.long), 2)
    some = torch.rand(3, 40, generator=dice) < 0.8
    slope = falls(found, some)
    each = [spearmanr(e[s], c[s]).statistic for e, c, s in zip(effect, sure, some, strict=True)]
    assert (slope.value, slope.n) == (pytest.approx(sum(each) / 3), 3)
    assert falls(found, torch.zeros_like(some)) is None


def test_overconfidence_of_one_class_naively():
    p = torch.tensor([[0.2, 0.8], [0.7, 0.3], [0.4, 0.6]])
    zero, one = over(p, torch.tensor([1, 1, 0])).tolist()
    assert zero == pytest.approx(0.6 - 0)
    assert one == pytest.approx((0.8 - 1 + 0.7 - 0) / 2)
    assert over(p, torch.tensor([1, 1, 1]))[0].isnan()


def test_a_calibrated_model_is_what_overconfidence_is_held_against():
    found = {
        (r.quantity, r.label, r.repair, r.model): r.value for r in rows() if r.quantity.startswith("overconf")
    }
    for label in ("taken", "not taken"):
        whole, chance, beyond = (
            found[f"overconfidence_{name}", label, "none", "deepicf:head=two"]
            for name in ("class", "calibrated", "beyond")
        )
        assert beyond == pytest.approx(whole - chance)


def test_attention_is_shuffled_for_every_user_and_one_other_item():
    counts = {
        r.label: r.value for r in rows() if r.quantity == "outcomes" and r.probe == "attention_permutation"
    }
    assert sum(counts.values()) == pytest.approx(1.0)
    log_odds = [r for r in rows() if r.probe == "attention_permutation:of=log_odds" and r.by == "all"]
    assert log_odds


def test_what_cannot_be_explained_is_measured_all_the_same():
    mine = {row.quantity for row in rows() if row.model == "gmf"}
    assert {"recall", "hr@10", "ndcg@10", "overconfidence_class", "prediction_deviation"} <= mine
    assert not {"hold", "permutation"} & mine


def test_every_number_is_there_once():
    keys = [(r.family, r.what, r.part, r.at if r.by == "point" else None) for r in rows()]
    assert len(set(keys)) == len(keys)
