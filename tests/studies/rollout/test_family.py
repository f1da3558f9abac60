import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.measure.pairing import over_methods
from holdfast.studies.rollout.family import (
    DELETED_BY,
    RANDOM,
    deletion_rows,
    family_of,
    heads_of,
    longest,
    untrained_rows,
)
from holdfast.studies.rollout.names import GRADIENT, ROLLOUT, Shape
from tests.study.rollout_families import ROWS, dataset, family

TWO = "sasrec:dim=8,blocks=2"


def test_the_family_is_that_of_the_job():
    own = family(TWO)
    trained = family_of(own)
    again = trained.explain(make("explainers", "rollout"), dataset().splits["test"], own.rows, own.target)
    assert torch.allclose(again.scores, own.explanations["rollout"].scores)


def test_the_mean_of_both_heads_is_the_attention():
    model = "sasrec:dim=8,blocks=2,heads=2"
    own = family(model)
    one, other = heads_of(own, Shape("sasrec", 2, 2))
    mean = (one.scores + other.scores) / 2
    assert torch.allclose(mean, own.explanations["attention_first"].scores, atol=1e-6)
    assert not torch.allclose(one.scores, other.scores)
    assert heads_of(family(TWO), Shape("sasrec", 2, 1)) == ()


def test_full_histories_are_taken_apart_first():
    own, split = family(TWO), dataset().splits["test"]
    lengths = split.scored(torch.arange(len(split))).sum(1)
    rows = longest(own, 10)
    assert len(set(rows.tolist())) == 10
    assert lengths[rows].min() >= lengths.sort(descending=True).values[9]


def test_deletion_starts_at_nothing_and_ends_where_every_order_ends():
    rows = list(deletion_rows(family(TWO)))
    for of in ("jeffreys", "jensen_shannon"):
        steps = {
            name: [r.value for r in rows if (r.explainer, r.comparison, r.by) == (name, of, "step")]
            for name in (*DELETED_BY, RANDOM)
        }
        assert {len(curve) for curve in steps.values()} == {15}
        assert all(curve[0] == pytest.approx(0.0, abs=1e-6) for curve in steps.values())
        assert all(curve[-1] == pytest.approx(steps[RANDOM][-1], rel=1e-4) for curve in steps.values())
        for name in DELETED_BY:
            (gain,) = [r for r in rows if (r.explainer, r.comparison, r.by) == (name, of, "all")
                       and r.quantity == "deletion"]  # fmt: skip
            expected = (sum(steps[name]) - sum(steps[RANDOM])) / 14
            assert gain.value == pytest.approx(expected, abs=1e-5)
    assert {r.n for r in rows if r.by == "group"} <= {1, 2}
    assert sum(r.n for r in rows if r.by == "group") == 2 * len(DELETED_BY) * 3 * (ROWS // 2)


def test_untrained_members_are_others_than_the_trained():
    own = family(TWO)
    (row,) = [r for r in untrained_rows(own) if (r.explainer, r.other_explainer) == (GRADIENT, ROLLOUT)]
    pair = (own.explanations[GRADIENT], own.explanations[ROLLOUT])
    trained = over_methods(*pair, make("comparisons", "spearman")).mean().item()
    assert row.value != pytest.approx(trained)
    assert row.low < row.value < row.high
