import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.repair.adversary import scaled
from holdfast.train.fit import Fit
from tests.reference import adversaries
from tests.train.cases import assert_same, both

RIVALS = ("word_at", "word_iat", "attention_rp", "attention_at", "attention_iat")


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.floats(0.01, 10))
def test_a_direction_has_the_length_that_is_asked(numbers, length):
    found = scaled(torch.tensor(numbers, dtype=torch.float64), length)
    top = max(abs(x) for x in numbers) or 1.0
    expected = adversaries.scaled([x / top for x in numbers], length)
    torch.testing.assert_close(found, torch.tensor(expected, dtype=torch.float64))


def test_a_tiny_gradient_has_a_direction_too():
    assert scaled(torch.tensor([[3e-30, 4e-30]]), 5.0).tolist() == [pytest.approx([3.0, 4.0])]


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("strength", [0.0, -1.0, float("inf"), float("nan")])
def test_a_strength_that_moves_nothing_is_refused(rival, strength):
    with pytest.raises(BadSetting) as error:
        type(make("repairs", rival))(strength=strength)
    most = " and at most 50" if rival.startswith("attention") else ""
    assert str(error.value) == f"{rival}: expected strength above 0{most}, but got {strength}"


@pytest.mark.parametrize("rival", [name for name in RIVALS if name.startswith("attention")])
@pytest.mark.parametrize("model", ["gru4rec", "shallow", "fism"])
def test_a_model_without_attention_is_refused(rival, model):
    with pytest.raises(BadSetting) as error:
        make("repairs", rival).teachers(make("models", model))
    sentence = (
        f"{rival}: expected a model with attention, but {model} has none that can be changed: choose word_at"
    )
    assert str(error.value) == sentence


@pytest.mark.parametrize("rival", ["word_at", "word_iat"])
def test_a_model_that_reads_nothing_is_refused(rival):
    with pytest.raises(BadSetting) as error:
        make("repairs", rival).teachers(make("models", "gmf"))
    assert str(error.value) == (
        f"{rival}: expected a model that reads words or items, but gmf reads none: choose another --repair"
    )


@pytest.mark.parametrize(
    ("model", "rival"),
    [
        ("sasrec:dim=4", "word_at"),
        ("sasrec:dim=4", "attention_iat"),
        ("deepicf:dim=4,hidden=3,layers=5", "word_iat"),
        ("deepicf:dim=4,hidden=3,layers=5", "attention_at"),
        ("bert4rec:dim=4", "attention_rp"),
    ],
)
def test_recommenders_train_against_them_together_as_each_does_alone(plays, model, rival):
    members, fit = (Member(0), Member(1)), Fit(epochs=1, batch=64)
    together, alone = both(model, plays, fit, make("repairs", rival), members=members)
    assert_same(together, alone)
    plain = both(model, plays, fit, members=members)[0]
    for moved, other in zip(together, plain, strict=True):
        assert not torch.equal(moved.parameters["embedding.weight"], other.parameters["embedding.weight"])
