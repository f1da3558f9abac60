import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit
from holdfast.data.base import Task
from holdfast.measure.probes.flipping_noise import FlippingNoise
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.run import Run
from holdfast.testing.model import build, example
from holdfast.testing.probe import check_probe
from tests.measure.probes.attentive import attentive
from tests.measure.probes.cases import one
from tests.measure.probes.linear import case
from tests.reference import probes as reference


def curve_of(probe, run, batch, scores):
    return probe.curve(run, batch, probe.parts(batch, scores), batch.targets)


def tops(probe, batch, scores, share):
    """The positions that may move, naively."""
    for row in range(len(batch)):
        exist = batch.mask[row].nonzero()[:, 0].tolist()
        own = [float(scores[row, place]) for place in exist]
        yield row, {exist[place] for place in reference.top(own, share)}


def test_of_a_linear_model_the_smallest_noise_is_known():
    """|margin| / ‖w_S‖: in one step of gradient, and as near as the bisection halves."""
    run, batch, scores, added = case()
    probe = FlippingNoise(shares=(20, 50, 100), most=100.0, rounds=45, steps=1)
    curve = curve_of(probe, run, batch, scores)
    assert (curve[:, 0] == 0).all()
    assert float(probe.unflipped(curve).sum()) == 0.0
    weight = run.parameters["weight"]
    for step, share in enumerate(probe.shares, 1):
        for row, top in tops(probe, batch, scores, share):
            smallest = float(added[row].sum().abs() / weight[sorted(top)].norm())
            assert float(curve[row, step]) == pytest.approx(smallest, rel=1e-9)


def test_the_largest_weights_need_the_least_noise():
    run, batch, _, _ = case()
    weight, probe = run.parameters["weight"].norm(dim=-1), FlippingNoise(shares=(20, 50), most=100.0)
    best, worst = (
        probe.drop(curve_of(probe, run, batch, scores.expand(batch.mask.shape)))
        for scores in (weight, -weight)
    )
    assert (best <= worst).all()
    assert best.mean() < worst.mean()
    assert not probe.higher_is_better


def test_of_a_linear_model_of_images_too():
    run, batch, scores = one()
    probe = FlippingNoise(shares=(100,), most=100.0, rounds=45, patch=2)
    logits, weight = run(batch).logits, run.parameters["weight"].flatten(0, 2)
    for row, radius in enumerate(curve_of(probe, run, batch, scores)[:, 1].tolist()):
        guess = int(logits[row].argmax())
        others = [c for c in range(3) if c != guess]
        each = [
            float((logits[row, guess] - logits[row, c]) / (weight[:, guess] - weight[:, c]).norm())
            for c in others
        ]
        # steps go towards the class whose logit is next, which need not be the nearest
        assert radius >= min(each) - 1e-9
        assert radius <= max(each) + 1e-9


@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_the_naive_one(seed):
    run, batch = attentive(seed=seed)
    scores = torch.randn(
        batch.inputs.shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
    )
    probe = FlippingNoise(shares=(10, 50), most=20.0, rounds=6, steps=2)
    curve, embedded = curve_of(probe, run, batch, scores), run.embed(batch)
    for step, share in enumerate(probe.shares, 1):
        for row, top in tops(probe, batch, scores, share):
            one = batch.take(torch.tensor([row]))

            def logits(at, one=one):
                return run(one, Edit(embedded=at[None])).logits[0]

            naive = reference.flipping_noise(logits, embedded[row], top, 20.0, 6, 2)
            assert float(curve[row, step]) == pytest.approx(naive, rel=1e-9)


def test_what_no_noise_flips_counts_as_the_largest_radius_and_is_said():
    run, batch, scores, added = case()
    probe = FlippingNoise(shares=(50, 100), most=0.5, rounds=30)
    curve = curve_of(probe, run, batch, scores)
    weight, beyond = run.parameters["weight"], torch.zeros(len(batch))
    for step, share in enumerate(probe.shares, 1):
        for row, top in tops(probe, batch, scores, share):
            smallest = float(added[row].sum().abs() / weight[sorted(top)].norm())
            beyond[row] += (smallest > 0.5) / 2
            assert float(curve[row, step]) == pytest.approx(min(smallest, 0.5), rel=1e-6)
    assert probe.unflipped(curve).tolist() == beyond.tolist()
    assert 0 < beyond.mean() < 1


def test_an_empty_text_never_flips():
    run, batch, scores, _ = case()
    empty = type(batch)(batch.inputs * 0, batch.mask & False, batch.targets)
    assert (curve_of(FlippingNoise(), run, empty, scores)[:, 1:] == 10.0).all()


def test_the_contract_holds_for_texts_images_and_interactions():
    probe = FlippingNoise(most=3.0, rounds=4)
    check_probe(probe, *case()[:3])
    check_probe(probe, *one())
    model = build(Sasrec(dim=4), task := Task(12, (), length=5))
    batch = example(task, 5)
    scores = torch.rand(batch.mask.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    check_probe(probe, Run(model, model.tensors()), batch, scores)


def test_the_written_form():
    written = make("probes", "flipping_noise:shares=5+50,most=2,rounds=4,steps=5")
    assert written == FlippingNoise((5, 50), 2.0, 4, 5)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"most": 0.0}, "most to be above 0, but got 0.0"),
        ({"most": float("inf")}, "most to be above 0, but got inf"),
        ({"rounds": 1}, "rounds to be at least 2, but got 1"),
        ({"steps": 10_001}, "steps to be at most 10,000, but got 10,001"),
        ({"patch": 0}, "patch to be above 0, but got 0"),
    ],
)
def test_other_settings_are_refused(setting, said):
    with pytest.raises(BadSetting, match=f"^flipping_noise: expected {said}$"):
        FlippingNoise(**setting)
