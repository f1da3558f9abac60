"""Shapley values of models."""

from dataclasses import replace
from functools import cache

import captum.attr
import numpy as np
import pytest
import torch
from torch.func import stack_module_state

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.explain.coalitions import coalitions
from holdfast.explain.shapley import Shapley
from holdfast.models.image.rlstm import Rlstm
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from holdfast.train.scores import explain
from tests.explain.attending import BERT4REC, GRU, ITEMS, NAMES, PARTNERS, SASREC, TRANSFORMER, member, run_at
from tests.explain.cases import CNN, STRIPS, TARGET, TWO, run_of
from tests.reference import shapley as naive

LONG = Task(40, (), length=24)


def history(length=18, seed=0):
    """Two histories, one of them with padding, a hole and fewer items than are explained exactly."""
    items = torch.randint(1, 40, (2, length), generator=torch.Generator().manual_seed(seed))
    mask = torch.ones_like(items).bool()
    mask[1, : length - 8] = False
    mask[1, -3] = False
    return Batch(items, mask, candidates=torch.tensor([[5, 6, 7], [8, 9, 10]]))


def game_of(model, batch, target, of="score", stays=False):
    """One example as a game of the positions that exist, by plain passes."""
    places = batch.mask[0].nonzero()[:, 0]

    @cache
    @torch.no_grad()
    def game(some):
        mask = torch.zeros_like(batch.mask)
        mask[0, places[sorted(some)]] = True
        if stays:
            logits = model(batch, Edit(attention=lambda weights, site: only(weights, mask))).logits
        else:
            logits = model(replace(batch, mask=mask)).logits
        if of == "probability":
            return float(logits.softmax(-1)[0, target])
        return float(model.explained(logits, torch.tensor([target]))[0])

    return len(places), game


def only(weights, mask):
    """Columns outside the coalition are 0, what is left sums to 1; the model's own positions stay."""
    keys = torch.ones(weights.shape[-1], dtype=torch.bool)
    keys[: mask.shape[1]] = mask[0]
    left = weights * keys
    total = left.sum(-1, keepdim=True)
    return torch.where(total > 0, left / torch.where(total > 0, total, 1.0), 0.0)


@pytest.mark.parametrize(("architecture", "task"), [*PARTNERS, (GRU, ITEMS)], ids=[*NAMES, "gru4rec"])
def test_contract(architecture, task):
    check_explainer(Shapley(), architecture, task)


@pytest.mark.parametrize(
    "explainer", [Shapley(of="probability"), Shapley(absent="column"), Shapley(chunk=3)], ids=repr
)
@pytest.mark.parametrize(
    ("architecture", "task"), [(SASREC, ITEMS), (TRANSFORMER, TWO)], ids=["items", "text"]
)
def test_contract_of_settings(explainer, architecture, task):
    check_explainer(explainer, architecture, task)


def test_contract_of_strips():
    check_explainer(Shapley(), Rlstm(), STRIPS)


@pytest.mark.parametrize("of", ["score", "probability"])
@pytest.mark.parametrize("absent", ["hole", "column"])
@pytest.mark.parametrize(
    ("architecture", "task"), [(SASREC, ITEMS), (BERT4REC, ITEMS), (TRANSFORMER, TWO), (CNN, TWO)], ids=repr
)
def test_twin(architecture, task, absent, of):
    model, batch = member(architecture, task), example(task)
    estimate = Shapley(of=of, absent=absent).explain(run_of(model), batch, TARGET)
    for row in range(4):
        one = batch.take(torch.tensor([row]))
        n, game = game_of(model, one, int(TARGET[row]), of, absent == "column")
        expected = torch.tensor(naive.by_coalitions(n, game)).double()
        torch.testing.assert_close(estimate.values[row][batch.mask[row]], expected)
    assert estimate.of == of
    assert not estimate.errors.any()
    assert estimate.evaluated.tolist() == [2 ** max(int(n), 1) for n in batch.mask.sum(1)]


@pytest.mark.parametrize("architecture", [SASREC, BERT4REC, GRU], ids=repr)
def test_many_players(architecture):
    """Values add up, errors say how far they are off, and fewer players are exact."""
    run, batch, target = run_at(architecture, LONG), history(), torch.tensor([0, 1])
    some, more = (Shapley(n).explain(run, batch, target) for n in (200, 20_000))
    for estimate in (some, more):
        torch.testing.assert_close(estimate.values.sum(1), estimate.full - estimate.empty)
        assert not estimate.values[~batch.mask].any()
        assert not estimate.errors[1].any(), "seven players are explained exactly"
    assert some.evaluated.tolist() == [202, 2**7]
    assert more.errors[0].max() < some.errors[0].max() / 5
    off = (some.values - more.values)[0] / some.errors[0]
    assert 0.3 < float(off.square().mean().sqrt()) < 2.0
    assert torch.equal(some.values[1], more.values[1])


def test_another_draw_is_of_other_coalitions():
    run, batch, target = run_at(SASREC, LONG), history(), torch.tensor([0, 1])
    one, other = (Shapley(128, draw=draw).scores(run, batch, target) for draw in (0, 1))
    assert not torch.allclose(one[0], other[0])
    assert torch.equal(one[1], other[1]), "what is exact is not drawn"


def test_members_that_are_stacked_with_many_players():
    models, batch, target = [member(SASREC, LONG, seed) for seed in (0, 1)], history(), torch.tensor([0, 1])
    stacked = {name: tensor.detach() for name, tensor in stack_module_state(models)[0].items()}
    coalitions.cache_clear()
    together = explain(models[0], stacked, Shapley(150), batch, target, None, stacked=True)
    for scores, model in zip(together.scores, models, strict=True):
        torch.testing.assert_close(scores, Shapley(150).scores(run_of(model), batch, target))


def test_scores_are_the_values():
    run, batch, target = run_at(SASREC, LONG), history(), torch.tensor([0, 1])
    explainer = Shapley(128)
    assert torch.equal(explainer.scores(run, batch, target), explainer.explain(run, batch, target).values)


def test_a_column_still_asks():
    """Only the last item of SASRec, the query, makes a difference; in BERT4Rec none does."""
    target = torch.tensor([0, 1])
    hole, column = (
        Shapley(128, absent=absent).scores(run_at(SASREC, LONG), history(), target)
        for absent in ("hole", "column")
    )
    assert not torch.allclose(hole, column)
    hole, column = (
        Shapley(128, absent=absent).scores(run_at(BERT4REC, LONG), history(), target)
        for absent in ("hole", "column")
    )
    torch.testing.assert_close(hole, column)


def test_nobody_is_finite():
    run, batch = run_at(SASREC, ITEMS), example(ITEMS)
    estimate = Shapley().explain(run, batch, TARGET)
    assert estimate.empty.isfinite().all()
    assert torch.equal(estimate.empty[4], estimate.full[4])
    assert not estimate.values[4].any()


def test_shap():
    shap = pytest.importorskip("shap")
    model, batch = member(SASREC, ITEMS), example(ITEMS).take(torch.tensor([0]))
    n, game = game_of(model, batch, 2)

    def worth(rows):
        return np.array([game(frozenset(i for i in range(n) if row[i])) for row in rows])

    theirs = shap.KernelExplainer(worth, np.zeros((1, n))).shap_values(np.ones((1, n)), silent=True)
    ours = Shapley().scores(run_of(model), batch, torch.tensor([2]))
    np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-6, atol=1e-8)


def test_captum():
    model, batch = member(SASREC, ITEMS), example(ITEMS, length=4).take(torch.tensor([0]))

    def forward(kept):
        many = batch.map(lambda tensor: tensor.expand(len(kept), *tensor.shape[1:]))
        return model(replace(many, mask=kept.bool())).logits[:, 2].detach()

    theirs = captum.attr.ShapleyValues(forward).attribute(torch.ones(1, 4), perturbations_per_eval=8)
    ours = Shapley().scores(run_of(model), batch, torch.tensor([2]))
    torch.testing.assert_close(ours, theirs.double(), rtol=1e-5, atol=1e-6)


def test_columns_want_attention():
    message = (
        "^shapley: expected a model with attention for absent=column, but got one without: "
        "choose absent=hole$"
    )
    with pytest.raises(BadSetting, match=message):
        Shapley(absent="column").suits(run_at(GRU, ITEMS), example(ITEMS), TARGET)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"samples": 0}, "samples to be at least 1, but got 0"),
        ({"chunk": 0}, "chunk to be at least 1, but got 0"),
        ({"of": "rank"}, "of to be score or probability, but got rank"),
        ({"absent": "zero"}, "absent to be hole or column, but got zero"),
    ],
)
def test_bad_settings(setting, message):
    with pytest.raises(BadSetting, match=f"^shapley: expected {message}$"):
        Shapley(**setting)


def test_float32():
    model, batch, target = build(SASREC, LONG), history(), torch.tensor([0, 1])
    explainer = Shapley(256)
    double = explainer.scores(run_of(model), batch, target)
    single = explainer.scores(run_of(model.float()), batch, target)
    assert single.dtype == torch.float32
    torch.testing.assert_close(single.double(), double, rtol=1e-3, atol=1e-6)
