import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.core.settings import label
from holdfast.measure.probes.deletion import Deletion, aopc
from holdfast.testing.probe import check_probe
from tests.measure.probes.cases import PIXELS, STRIP, one
from tests.reference import localisation as reference


@pytest.mark.parametrize("of", ["probability", "evidence"])
@pytest.mark.parametrize("fill", ["background", "hole"])
@pytest.mark.parametrize("patch", [None, 2, 3])
def test_the_contract_holds(of, fill, patch):
    run, batch, scores = one()
    check_probe(Deletion(patch=patch, steps=4, fill=fill, of=of), run, batch, scores)


def test_the_written_form():
    written = make("probes", "deletion:patch=4,steps=6,fill=hole,background=0.5,of=evidence")
    assert written == Deletion(4, "hole", 0.5, "evidence", 6)
    assert label(Deletion(patch=2)) == "deletion:patch=2"


@given(seed=st.integers(0, 20), side=st.integers(1, 7), steps=st.integers(1, 30))
def test_it_is_the_naive_one(seed, side, steps):
    run, batch, _ = one()
    scores = torch.randn(5, PIXELS, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    probe = Deletion(patch=side, steps=steps)
    curve = probe.curve(run, batch, probe.parts(batch, scores), batch.targets)
    weight = run.parameters["weight"].flatten(0, 2).tolist()
    parts = reference.patches(*STRIP, side)

    for row in range(5):

        def predict(image, target=int(batch.targets[row])):
            logits = [sum(x * w[c] for x, w in zip(image, weight, strict=True)) for c in range(3)]
            return math.exp(logits[target]) / sum(map(math.exp, logits))

        expected = reference.deletion(
            predict, batch.inputs[row].flatten().tolist(), scores[row].tolist(), parts, steps, -1.0
        )
        assert curve[row].tolist() == pytest.approx(expected)


@given(seed=st.integers(0, 99))
def test_the_true_order_falls_fastest(seed):
    """For a linear model what a pixel adds is known, and no order of patches beats it at any step."""
    run, batch, scores = one()
    probe = Deletion(patch=2, steps=6, of="evidence")
    other = torch.randn(scores.shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    best, any_, worst = (
        probe.curve(run, batch, probe.parts(batch, each), batch.targets) for each in (scores, other, -scores)
    )
    assert (best <= any_ + 1e-9).all()
    assert (any_ <= worst + 1e-9).all()
    assert (aopc(best) > aopc(worst)).all()


def test_the_area_is_the_mean_fall():
    curve = torch.tensor([0.9, 0.6, 0.7, 0.1])
    assert aopc(curve).item() == pytest.approx((0.0 + 0.3 + 0.2 + 0.8) / 4)


def test_a_hole_is_a_whole_step_and_the_last_one_stays():
    run, batch, scores = one()
    probe = Deletion(fill="hole", steps=5, of="evidence")
    parts = probe.parts(batch, scores)
    assert torch.allclose(parts, scores.view(5, 3, 8).sum(-1))
    curve = probe.curve(run, batch, parts, batch.targets)
    weight = run.parameters["weight"].movedim(-1, 0)[batch.targets]
    each = (batch.inputs * weight).sum((-1, -2))
    last = each.gather(1, parts.argmin(-1, keepdim=True))[:, 0]
    for step in (2, 3, 4, 5):
        assert torch.allclose(curve[:, step], last)


def test_words_can_be_holes_but_have_no_patches():
    words = Batch(torch.ones(1, 4, dtype=torch.long), torch.tensor([[True, True, True, False]]))
    scores = torch.tensor([[1.0, 3.0, 2.0, 9.0]])
    assert Deletion(fill="hole").parts(words, scores).tolist() == [[1.0, 3.0, 2.0, -math.inf]]
    message = (
        "^expected images in strips to cut into patches, but got text: use fill=hole, which deletes whole "
        "words$"
    )
    with pytest.raises(BadSetting, match=message):
        Deletion().parts(words, scores)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Deletion(steps=0), "deletion: expected steps to be at least 1, but got 0"),
        (lambda: Deletion(patch=0), "deletion: expected patch to be at least 1 pixel, but got 0"),
        (lambda: Deletion(fill="ink"), "deletion: expected fill to be background or hole, but got ink"),
        (lambda: Deletion(of="loss"), "deletion: expected of to be probability or evidence, but got loss"),
        (
            lambda: make("probes", "deletion:background=nan"),
            "deletion: expected background to be a number, but got 'nan'",
        ),
        (
            lambda: Deletion().parts(one()[1], torch.ones(5, 3)),
            "expected 24 scores for each example, one for each position or pixel, but got 3",
        ),
    ],
)
def test_bad_settings_are_refused(call, message):
    with pytest.raises(BadSetting) as caught:
        call()
    assert str(caught.value) == message
