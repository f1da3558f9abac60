import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.measure.probes.sufficiency import Sufficiency
from holdfast.testing.probe import check_probe
from tests.measure.probes.cases import one
from tests.measure.probes.linear import case
from tests.reference import probes as reference

BOTH = {Comprehensiveness: reference.comprehensiveness, Sufficiency: reference.sufficiency}


@pytest.mark.parametrize("of", ["probability", "evidence"])
@pytest.mark.parametrize("fill", ["background", "hole"])
def test_the_contract_holds(fill, of):
    check_probe(Sufficiency(patch=1, fill=fill, of=of), *one())
    check_probe(Sufficiency(of=of), *case()[:3])


@pytest.mark.parametrize("cls", BOTH)
@given(seed=st.integers(0, 99), shares=st.lists(st.sampled_from([1, 2.5, 10, 20, 50, 80, 100]), min_size=1))
def test_it_is_the_naive_one(cls, seed, shares):
    run, batch, scores, added = case(seed)
    probe = cls(shares=tuple(shares))
    found = probe.drop(probe.curve(run, batch, probe.parts(batch, scores), batch.targets))
    for row, target in enumerate(batch.targets.tolist()):
        exist = batch.mask[row].nonzero()[:, 0].tolist()

        def predict(places, row=row, sign=2 * target - 1, exist=exist):
            z = sum(float(added[row, exist[place]]) for place in places)
            return 1 / (1 + math.exp(-sign * z))

        own = [float(scores[row, place]) for place in exist]
        assert float(found[row]) == pytest.approx(BOTH[cls](predict, own, shares), abs=1e-12)


def test_of_a_linear_model_they_are_what_the_top_adds_and_what_the_rest_adds():
    """By hand, on logits: f(x) − f(x without S) = Σ_S, f(x) − f(S alone) = Σ over all others."""
    run, batch, scores, added = case()
    without, only = (cls(shares=(50,), of="evidence") for cls in BOTH)
    parts = without.parts(batch, scores)
    falls = [probe.drop(probe.curve(run, batch, parts, batch.targets)) for probe in (without, only)]
    for row, half in enumerate([4, 2, 2, 1]):
        sign = 2 * int(batch.targets[row]) - 1
        order = parts[row].argsort(descending=True)
        top = sign * float(added[row, order[:half]].sum())
        rest = sign * float(added[row].sum()) - top
        assert [float(fall[row]) for fall in falls] == pytest.approx([top, rest])


def test_the_true_order_is_the_most_comprehensive_and_the_most_sufficient():
    run, batch, _, added = case()
    true = added * (2 * batch.targets - 1)[:, None]
    for cls in BOTH:
        probe = cls(of="evidence")
        best, worst = (
            probe.drop(probe.curve(run, batch, probe.parts(batch, scores), batch.targets))
            for scores in (true, -true)
        )
        assert (best >= worst if probe.higher_is_better else best <= worst).all()
    assert (Comprehensiveness.higher_is_better, Sufficiency.higher_is_better) == (True, False)


def test_the_written_form():
    written = make("probes", "sufficiency:shares=10+2.5,of=evidence")
    assert written == Sufficiency(shares=(10, 2.5), of="evidence")
    assert label(written) == "sufficiency:of=evidence,shares=10+2.5"
    assert label(Sufficiency()) == "sufficiency"
    assert written.measured == "fall of the evidence (logit)"
