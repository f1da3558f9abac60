"""Modules of somebody's own keep the contract, each in the way that is found to be its own."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.explain.attention import Attention
from holdfast.explain.gradient import Gradient
from holdfast.explain.gradient_input import GradientInput
from holdfast.explain.integrated_gradients import IntegratedGradients
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.explain.rollout import Rollout
from holdfast.explain.rules.alpha_beta import AlphaBeta
from holdfast.explain.shapley import Shapley
from holdfast.models.adapters.adapt import adapt
from holdfast.models.adapters.facts import Facts
from holdfast.models.run import Run
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, check_model, example
from tests.models.adapters.modules import OWN, THREE, TWO, Attends, Lengths, Masked, Plain

HOW = {"attention": "attention", "embedding": "words", "ids": "input_ids", "hides": True}
MADE = {
    "class": adapt(Masked, "emb", "attn"),
    "instance": adapt(Masked(12, 2)),
    "no mask": adapt(Plain),
    "words attend": adapt(Attends, **HOW),
    "lengths": adapt(Lengths, missing=1),
}


def model_of(name, task=TWO):
    return build(MADE[name], task)


@pytest.mark.parametrize("name", MADE)
def test_contract(name):
    check_model(MADE[name], THREE if name == "no mask" else TWO)


@pytest.mark.parametrize("name", ["class", "lengths"])
def test_contract_with_ids_of_another_tokenizer(name):
    check_model(MADE[name], OWN)


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("class", Facts(pads=True, holes=True, pooled=True)),
        ("no mask", Facts(pads=False, holes=False)),
        ("words attend", Facts(pads=True, holes=True)),
        ("lengths", Facts(pads=True, holes=False)),
    ],
)
def test_what_is_declared_is_what_it_does(name, facts):
    model = model_of(name)
    assert model.facts == facts
    assert not model.stacks
    assert model.unedited == (1 if model.attention else 0)


@pytest.mark.parametrize(
    ("name", "explainer"),
    [
        ("class", Attention()),
        ("class", Gradient()),
        ("class", Shapley(samples=16)),
        ("no mask", GradientInput()),
        ("no mask", LeaveOneOut()),
        ("words attend", Rollout()),
        ("words attend", IntegratedGradients(steps=4)),
    ],
)
def test_contract_of_explainers(name, explainer):
    check_explainer(explainer, MADE[name], THREE if name == "no mask" else TWO)


def test_it_answers_as_the_module_does():
    model = model_of("class")
    ids = torch.tensor([[3, 5, 2, 7], [4, 1, 0, 0]])
    mask = torch.tensor([[True, True, True, False], [True, False, True, False]])
    assert torch.equal(model(Batch(ids, mask)).logits, model.module(ids, mask))
    weights = model.module.attn(
        model.module.score(model.module.emb(ids).tanh())[..., 0].masked_fill(~mask, -1e9)
    )
    assert torch.allclose(model(Batch(ids, mask)).attention[0], weights)


def test_a_deleted_word_is_replaced_where_the_mask_cannot_hide_it():
    ids, mask = torch.tensor([[3, 5, 2, 7]]), torch.tensor([[True, False, True, True]])
    plain = model_of("no mask", THREE)
    expected = plain.module(torch.tensor([[3, 0, 2, 7]])).logits
    assert torch.equal(plain(Batch(ids, mask)).logits, expected)
    lengths = model_of("lengths")
    expected = lengths.module(torch.tensor([[3, 1, 2, 7]]), torch.ones(1, 4, dtype=torch.bool))
    assert torch.equal(lengths(Batch(ids, mask)).logits, expected)


def test_without_a_mask_a_text_is_cut_at_its_end_and_never_padded():
    plain = model_of("no mask", THREE)
    ids, mask = (
        torch.tensor([[3, 5, 2, 7], [4, 6, 8, 2]]),
        torch.tensor([[True] * 4, [True, True, False, False]]),
    )
    both = plain(Batch(ids, mask)).logits
    assert torch.allclose(both[:1], plain.module(ids[:1]).logits)
    assert torch.allclose(both[1:], plain.module(ids[1:, :2]).logits)


def test_the_one_logit_of_two_classes_is_z():
    model = model_of("words attend")
    batch = example(TWO)
    logits = model(batch).logits
    assert not logits[:, 0].any()
    assert logits[0, 1] == model.module(input_ids=batch.inputs[:1], key_padding_mask=~batch.mask[:1])


def test_ids_are_those_of_the_tokenizer():
    model = model_of("class", OWN)
    batch = Batch(torch.tensor([[2, 3, 4]]), torch.ones(1, 3, dtype=torch.bool))
    assert torch.equal(model(batch).logits, model.module(torch.tensor([[9, 4, 7]]), batch.mask))


def test_dropout_is_drawn_in_training_alone():
    model, batch = model_of("words attend"), example(TWO)
    assert not model.module.training
    state = torch.random.get_rng_state()
    draws = {"dropout": torch.tensor([0.3] * 5)}
    assert model.noise(batch) == {"dropout": (5,)}
    dropped = model.losses(batch, Edit(noise=draws))
    assert not torch.equal(dropped, model.losses(batch))
    assert torch.equal(dropped, model.losses(batch, Edit(noise=draws)))
    assert torch.equal(torch.random.get_rng_state(), state)
    assert not any(part.training for part in model.module.modules())


@pytest.mark.parametrize(("read", "place"), [("first", 0), ("last", 2)])
def test_which_row_of_a_map_is_read(read, place):
    model = build(adapt(Attends, **HOW, read=read), TWO)
    batch = Batch(torch.tensor([[3, 4, 5, 1]]), torch.tensor([[True, True, True, False]]))
    trace = model(batch)
    scores = Attention().scores(Run(model, {}), batch, torch.tensor([1]))
    assert torch.allclose(scores[0], trace.attention[0][0].mean(0)[place])


def test_relevance_rules_are_refused():
    model, batch = model_of("class"), example(TWO)
    with pytest.raises(BadSetting) as refused:
        model.decide(model.embed(batch), batch, Edit(rules=AlphaBeta(1.0)))
    assert str(refused.value) == (
        "relevance rules need layers that Holdfast knows, which those of Masked are not: choose "
        "gradient_input, integrated_gradients, leave_one_out or shapley"
    )


def test_the_module_that_was_given_stays_as_it_was():
    own = Masked().train()
    before = {name: tensor.clone() for name, tensor in own.state_dict().items()}
    model = build(adapt(own), TWO, seed=5)
    model(example(TWO))
    assert own.training
    assert not own.emb._forward_hooks
    assert all(torch.equal(tensor, before[name]) for name, tensor in own.state_dict().items())
    assert not torch.equal(model.module.out.weight, own.out.weight.double()), "it is drawn anew"


def test_buffers_are_a_members_own():
    class Buffered(Masked):
        def __init__(self):
            super().__init__()
            self.register_buffer("shift", torch.full((6,), 2.0), persistent=False)

        def forward(self, ids, mask):
            return super().forward(ids, mask) + self.shift[:2]

    model = build(adapt(Buffered, "emb"), TWO)
    assert "module.shift" in model.tensors()
    batch, plain = example(TWO), model(example(TWO)).logits
    own = {name: tensor.clone() for name, tensor in model.tensors().items()}
    own["module.shift"] += 1.0
    assert torch.allclose(Run(model, own)(batch).logits, plain + 1.0)
    empty = build(adapt(Buffered, "emb"), TWO).emptied()
    assert torch.allclose(Run(empty, own)(batch).logits, plain + 1.0)


def test_captum_agrees():
    """On the same module: slopes, paths and deletions."""
    attr = pytest.importorskip("captum.attr")
    model = model_of("class")
    part, ids = model.module, torch.tensor([[3, 5, 2, 7, 9, 1]])
    whole = torch.ones_like(ids, dtype=torch.bool)

    def odds(vectors, mask=whole):
        states = vectors.tanh()
        scores = part.score(states)[..., 0].masked_fill(~mask, -1e9).softmax(1)
        logits = part.out((scores[..., None] * states).sum(1))
        return logits[:, 1] - logits[:, 0]

    vectors = part.emb(ids).detach().requires_grad_()
    slopes = attr.Saliency(odds).attribute(vectors, abs=False)
    path = attr.IntegratedGradients(lambda x: odds(x, whole.expand(len(x), -1)))
    paths = path.attribute(vectors, n_steps=16, method="gausslegendre")
    falls = attr.FeatureAblation(lambda there: odds(vectors, there > 0.5)).attribute(whole.double())

    run, about = Run(model, {}), (Batch(ids, whole), torch.tensor([1]))
    assert torch.allclose(Gradient().scores(run, *about), slopes.norm(dim=-1))
    assert torch.allclose(GradientInput().scores(run, *about), (slopes * vectors).sum(-1))
    assert torch.allclose(IntegratedGradients(steps=16).scores(run, *about), paths.sum(-1))
    assert torch.allclose(LeaveOneOut().scores(run, *about), falls)
