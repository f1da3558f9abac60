"""Optimisers are torch's own, over two groups: what decays and what does not."""

import math

import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadSetting
from holdfast.train.optimise import Adagrad, Adam, Sgd, groups_of, set_rate


def parameters():
    names = ("embedding.weight", "encoder.taps", "head.bias")
    return {name: torch.full((3,), 2.0, requires_grad=True) for name in names}


def test_the_catalogue_has_them():
    assert list(catalogue("optimisers")) == ["adagrad", "adam", "sgd"]


def test_embeddings_are_left_out_of_weight_decay():
    own = parameters()
    rest, spared = groups_of(own, Adam(weight_decay=0.5), decay_embeddings=False)
    assert [id(p) for p in rest["params"]] == [id(own["encoder.taps"]), id(own["head.bias"])]
    assert [id(p) for p in spared["params"]] == [id(own["embedding.weight"])]
    assert (rest["weight_decay"], spared["weight_decay"]) == (0.5, 0.0)


def test_unless_asked():
    own = parameters()
    (only,) = groups_of(own, Adam(weight_decay=0.5), decay_embeddings=True)
    assert [id(p) for p in only["params"]] == [id(p) for p in own.values()]
    assert only["weight_decay"] == 0.5


@pytest.mark.parametrize(
    ("ours", "plain"),
    [
        (
            Adam(lr=0.1, beta1=0.8, beta2=0.9),
            lambda p: torch.optim.Adam(p, 0.1, (0.8, 0.9), weight_decay=1e-5),
        ),
        (Adam(lr=0.1, amsgrad=True), lambda p: torch.optim.Adam(p, 0.1, amsgrad=True, weight_decay=1e-5)),
        (Sgd(momentum=0.5), lambda p: torch.optim.SGD(p, 0.1, momentum=0.5, weight_decay=1e-5)),
        (Adagrad(lr=0.3), lambda p: torch.optim.Adagrad(p, 0.3, weight_decay=1e-5)),
    ],
)
def test_they_step_as_the_plain_ones_do(ours, plain):
    mine, theirs = (torch.linspace(-1, 1, 5, dtype=torch.float64).requires_grad_() for _ in range(2))
    optimisers = ours.over(groups_of({"w": mine}, ours, False)), plain([theirs])
    for _ in range(5):
        for tensor, optimiser in zip((mine, theirs), optimisers, strict=True):
            optimiser.zero_grad()
            (tensor.exp() * tensor).sum().backward()
            optimiser.step()
    torch.testing.assert_close(mine, theirs, rtol=1e-12, atol=1e-12)


def test_set_rate_reaches_every_group():
    optimiser = Adam().over(groups_of(parameters(), Adam(), False))
    set_rate(optimiser, 0.25)
    assert [group["lr"] for group in optimiser.param_groups] == [0.25, 0.25]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("adam:lr=0", r"adam: expected lr to be above 0 and finite, but got 0\.0"),
        ("adam:lr=nan", r"adam: expected lr to be a number, but got 'nan'"),
        ("sgd:lr=inf", r"sgd: expected lr to be a number, but got 'inf'"),
        ("sgd:momentum=2", r"sgd: expected momentum to be at least 0 and below 1, but got 2\.0"),
        ("sgd:momentum=1", r"sgd: expected momentum to be at least 0 and below 1, but got 1\.0"),
        ("adam:beta2=1", r"adam: expected beta2 to be at least 0 and below 1, but got 1\.0"),
        ("sgd:momentum=-1", r"sgd: expected momentum to be at least 0 and below 1, but got -1\.0"),
        (
            "adagrad:weight_decay=-0.1",
            r"adagrad: expected weight_decay to be 0 or more and finite, but got -0\.1",
        ),
    ],
)
def test_bad_settings_are_named(text, sentence):
    with pytest.raises(BadSetting, match=f"^{sentence}$"):
        make("optimisers", text)


@pytest.mark.parametrize("field", ["lr", "weight_decay"])
@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_settings_are_finite(field, value):
    for cls in (Adam, Sgd, Adagrad):
        with pytest.raises(BadSetting, match=rf"expected {field} to be .* and finite, but got {value}$"):
            cls(**{field: value})
