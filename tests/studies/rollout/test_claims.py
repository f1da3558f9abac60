from dataclasses import replace

import pytest
import scipy.stats
import torch

from holdfast.measure.claims import CAME, NOT, OPEN, SMALL
from holdfast.studies.rollout.claims import _near, estimate, next_one, own_claims, prediction, sums
from holdfast.studies.rollout.names import FIRST, GRADIENT, LAST, ROLLOUT, SHAPLEY
from holdfast.studies.rollout.questions import Part, Place, correlation
from holdfast.study.published_number import Published
from tests.study.rollout_made import made_rows

PLACE = Place("ml-1m:holdout=validation", "sasrec")


def claim(rows, text):
    (found,) = [c for c in own_claims(rows) if not c.detail and text in c.statement]
    return found


def test_what_was_published_comes_out_of_rows_like_the_published():
    heads = [c for c in own_claims(made_rows()) if not c.detail]
    assert len(heads) == 11
    assert {c.answer for c in heads} == {CAME}


@pytest.mark.parametrize(
    ("text", "changes", "verdict"),
    [
        ("than attention of the first", (((GRADIENT, ROLLOUT), 0.6),), NOT),
        ("than attention of the first", (((GRADIENT, ROLLOUT), 0.805),), SMALL),
        ("than attention of the last", (((GRADIENT, LAST), 0.99),), NOT),
        ("less than that of the first", (((GRADIENT, LAST), 0.9),), NOT),
        ("below .7", (((SHAPLEY, FIRST), 0.9),), NOT),
        ("positively", (((SHAPLEY, FIRST), -0.2),), NOT),
        ("with the next seed", (((GRADIENT, ROLLOUT), 0.5),), NOT),
        ("with the next seed", (((GRADIENT, ROLLOUT), 0.7),), OPEN),
    ],
)
def test_the_contrary_does_not_come_out(text, changes, verdict):
    assert claim(made_rows(changes=changes), text).answer == verdict


def test_recall_far_from_the_published_is_seen():
    rows = [
        r
        if r.quantity != "recall"
        else type(r)(r.data, r.model, r.repair, "recall", r.value - 0.1, r.low - 0.1, r.high - 0.1, r.n)
        for r in made_rows()
    ]
    assert claim(rows, "recall@10").answer == NOT


def test_an_end_that_is_cut_off_decides_nothing_else():
    line = Published("3.2", "SASRec ML-1M", "b1h1", 0.99, 0.985, 0.965, 1.005, 10)
    assert _near(replace(line, high=1.0)) == _near(line)


def test_two_seeds_decide_nothing():
    assert {c.answer for c in own_claims(made_rows(seeds=2)) if "recall" not in c.statement} == {OPEN}


def test_details_are_of_each_configuration():
    found = own_claims(made_rows())
    lines = [c for c in found if c.detail and "than attention of the first" in c.statement]
    # rollout of one block of BERT4Rec is its attention: nothing is to be compared there
    assert len(lines) == 7
    assert "BERT4Rec, b = 1" not in " ".join(c.where for c in lines)


def test_each_data_set_is_judged_by_itself():
    alone = own_claims(made_rows())
    both = own_claims(made_rows() + made_rows(("amazon-games:holdout=validation",)))
    assert both[: len(alone)] == alone
    assert {c.where for c in both if not c.detail} == {"ML-1M", "Games"}


def test_other_settings_say_nothing():
    assert own_claims(made_rows(("ml-1m:length=200,holdout=validation",))) == []
    assert own_claims([]) == []


def test_an_estimate_is_the_difference_of_means():
    table = sums(made_rows())
    pairs = [correlation(GRADIENT, name) for name in (ROLLOUT, FIRST)]
    part = Part("", ((1.0, PLACE, pairs[0]), (-1.0, PLACE, pairs[1])), 0.25)
    found = estimate(table, [part], mean=False)
    means = [
        next(
            r.value
            for r in made_rows()
            if (r.model, r.quantity, r.by) == ("sasrec", "correlation", "all")
            and (r.explainer, r.other_explainer) == (what.explainer, what.other_explainer)
        )
        for what in pairs
    ]
    assert found.value.item() == pytest.approx(means[0] - means[1] + 0.25)
    assert (found.n, found.freedom) == (10, 9)


def test_what_was_not_measured_has_no_estimate():
    part = Part("", ((1.0, PLACE, correlation("nobody", FIRST)),))
    assert estimate(sums(made_rows()), [part], mean=True) is None


def test_the_next_seed_lies_in_its_interval_as_often_as_said():
    draw = torch.Generator().manual_seed(0)
    values = torch.randn(2000, 11, generator=draw, dtype=torch.float64)
    ends = [next_one(own[:10]).interval() for own in values]
    inside = sum(e.low <= own[10].item() <= e.high for e, own in zip(ends, values, strict=True))
    assert inside / 2000 == pytest.approx(0.95, abs=0.02)


def test_the_prediction_is_by_cell():
    found = prediction(made_rows(), correlation(GRADIENT, ROLLOUT))
    assert len(found) == 8
    interval = found[PLACE]
    half = (interval.high - interval.low) / 2
    each = [
        r.value
        for r in made_rows()
        if (r.model, r.quantity, r.by, r.explainer, r.other_explainer)
        == ("sasrec", "correlation", "member", GRADIENT, ROLLOUT)
    ]
    sd = torch.tensor(each, dtype=torch.float64).std().item()
    assert half == pytest.approx(scipy.stats.t.ppf(0.975, 9) * sd * (1 + 1 / 10) ** 0.5)
    assert prediction(made_rows(seeds=2), correlation(GRADIENT, ROLLOUT))[PLACE].high == 1.0
