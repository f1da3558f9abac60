import math

import pytest
import scipy.spatial.distance
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.settings import label
from holdfast.measure.probes.item_deletion import ItemDeletion, area, jeffreys, jensen_shannon
from holdfast.testing.probe import check_probe
from tests.measure.probes.histories import ITEMS, LENGTH, case
from tests.reference import rollout as reference


@pytest.mark.parametrize("of", ["jeffreys", "jensen_shannon"])
@pytest.mark.parametrize("over", ["items", "candidates"])
def test_the_contract_holds(of, over):
    check_probe(ItemDeletion(of=of, over=over), *case())
    check_probe(ItemDeletion(steps=2, of=of, over=over), *case())


def test_the_written_form():
    written = make("probes", "item_deletion:steps=3,of=jensen_shannon,over=candidates")
    assert written == ItemDeletion(3, "jensen_shannon", "candidates")
    assert label(ItemDeletion()) == "item_deletion"


@given(seed=st.integers(0, 99), of=st.sampled_from(["jeffreys", "jensen_shannon"]), near=st.booleans())
def test_it_is_the_naive_one(seed, of, near):
    run, batch, scores = case(seed)
    probe = ItemDeletion(of=of, over="candidates" if near else "items")
    curve = probe.curve(run, batch, probe.parts(batch, scores), batch.targets)
    vote = run.parameters["vote"].tolist()
    for row in range(len(batch)):
        candidates = batch.candidates[row].tolist() if near else range(1, ITEMS)
        items = {
            place: int(batch.inputs[row, place]) for place in range(LENGTH) if bool(batch.mask[row, place])
        }

        def predict(kept, candidates=candidates):
            return [
                sum((place + 1) * vote[item][candidate] for place, item in kept.items())
                for candidate in candidates
            ]

        divergence = getattr(reference, of)
        expected = reference.item_deletion(predict, items, scores[row].tolist(), LENGTH, divergence)
        assert curve[row].tolist() == pytest.approx(expected, abs=1e-9)


@given(seed=st.integers(0, 99))
def test_the_divergences_are_what_they_are_called(seed):
    p, q = torch.rand(2, 6, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) + 1e-3
    p, q = p / p.sum(), q / q.sum()
    expected = scipy.spatial.distance.jensenshannon(p.numpy(), q.numpy()) ** 2
    assert jensen_shannon(p.log(), q.log()).item() == pytest.approx(expected)
    both = reference.kl(p.tolist(), q.tolist()) + reference.kl(q.tolist(), p.tolist())
    assert jeffreys(p.log(), q.log()).item() == pytest.approx(both / 2)


def test_only_one_of_them_is_bounded():
    p, q = torch.tensor([0.0, -40.0]).log_softmax(-1), torch.tensor([-40.0, 0.0]).log_softmax(-1)
    assert jensen_shannon(p, q).item() == pytest.approx(math.log(2))
    assert jeffreys(p, q).item() == pytest.approx(40.0)


def test_nothing_is_left_at_the_end():
    """Whatever the order, in the end the history is empty; a shorter one is so earlier."""
    run, batch, scores = case()
    probe = ItemDeletion()
    some, other = (probe.curve(run, batch, probe.parts(batch, s), batch.targets) for s in (scores, -scores))
    assert torch.allclose(some[:, -1], other[:, -1])
    assert torch.equal(some[0, 3:], some[0, -1].expand(3))
    assert torch.equal(some[:, 0], torch.zeros(4, dtype=torch.float64))


def test_the_area_is_the_mean_divergence():
    assert area(torch.tensor([[0.0, 1.0, 2.0, 6.0]])).tolist() == [3.0]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"of": "js"}, "of to be jeffreys or jensen_shannon, but got js"),
        ({"over": "all"}, "over to be items or candidates, but got all"),
        ({"steps": 0}, "steps to be at least 1, but got 0"),
    ],
)
def test_other_settings_are_refused(setting, said):
    with pytest.raises(BadSetting, match=f"^item_deletion: expected {said}$"):
        ItemDeletion(**setting)


def test_scores_of_something_else_are_refused():
    _, batch, _ = case()
    with pytest.raises(
        BadSetting, match=r"^expected 5 scores for each history, one for each item, but got 4$"
    ):
        ItemDeletion().parts(batch, torch.rand(4, 4))
