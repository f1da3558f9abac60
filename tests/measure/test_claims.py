import json
from dataclasses import replace

import pytest
import torch

from holdfast.core.errors import BadRun
from holdfast.measure.claims import Claim, all_corrected, details, heads_corrected, weakest_of
from holdfast.measure.estimate import Estimate, p_values
from holdfast.measure.reduce import Interval
from tests.reference import claims as naive


def answer(value, p, p_least, least=0.01, above=0.0) -> Claim:
    effect = Interval(value, value - 0.01, value + 0.01, 7)
    return Claim("c", "w", "yes", effect, p, p_least, least=least, above=above)


def corrected(*about, **more) -> Claim:
    (claim,) = all_corrected([answer(*about, **more)])
    return claim


@pytest.mark.parametrize(
    ("value", "p", "p_least", "least", "verdict"),
    [
        (0.02, 0.01, 1.0, 0.01, "came out"),
        (0.007, 0.01, 0.2, 0.01, "too small to matter"),
        (0.007, 0.01, 0.2, 0.003, "came out"),
        (0.007, 0.2, 0.2, 0.01, "not decided"),
        (0.001, 0.2, 0.01, 0.01, "did not come out"),
        (-0.02, 0.01, 0.01, 0.01, "did not come out"),
        (-0.02, 0.01, 0.06, 0.01, "not decided"),
        (0.02, None, None, 0.01, "not decided"),
    ],
)
def test_an_effect_must_be_beyond_chance_and_worth_the_name(value, p, p_least, least, verdict):
    assert corrected(value, p, p_least, least).answer == verdict


@pytest.mark.parametrize(
    ("change", "p", "p_least", "verdict"),
    [
        (-0.002, 0.01, 1.0, "came out"),
        (-0.009, 0.3, 1.0, "not decided"),
        (-0.02, 0.01, 0.01, "did not come out"),
    ],
)
def test_what_may_fall_by_a_margin_is_measured_from_there(change, p, p_least, verdict):
    assert corrected(change, p, p_least, least=0.0, above=-0.01).answer == verdict


def test_of_several_numbers_the_weakest_decides():
    found = Estimate(torch.tensor([0.5, 0.1]), torch.tensor([0.1, 0.1]), 9, 10)
    assert weakest_of(found, 0.2) == (1, found, *p_values(found, 0.2))
    few = weakest_of(found._replace(freedom=1), 0.2)
    assert (few.place, few.known.error, few.p, few.p_least) == (1, None, None, None)


def test_a_claim_there_and_back_and_one_of_another_version():
    claim = replace(corrected(0.02, 0.01, 1.0), models=("cnn", "bilstm"), before=0.3, after=0.2)
    kept = json.loads(json.dumps(claim.to_json()))
    assert kept["answer"] == "came out"
    assert Claim.from_json(kept) == claim
    with pytest.raises(BadRun, match=r"^claims.json: expected the claims of this version of holdfast, but"):
        Claim.from_json({"claim": "of an older version", "verdict": "came out"})


def test_holm_is_the_naive_one_and_leaves_the_undecided_alone():
    lines = [answer(0.1, p, p) for p in (0.01, None, 0.04, 0.03)]
    found = all_corrected(lines)
    assert [a.p_holm for a in found if a.p is not None] == pytest.approx(naive.holm([0.01, 0.04, 0.03]))
    assert found[1] == lines[1]


def test_claims_are_corrected_over_claims_and_details_among_themselves():
    first, second, third = (answer(0.1, p, p) for p in (0.01, 0.02, 0.04))
    lines = details([replace(one, detail=True) for one in (second, third)])
    assert [line.p_holm for line in lines] == [0.04, 0.04]
    assert details([first]) == []
    found = heads_corrected([[first, *lines], [], [second]])
    assert [(c.detail, c.p_holm) for c in found] == [(False, 0.02), (True, 0.04), (True, 0.04), (False, 0.02)]
