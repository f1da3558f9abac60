"""What explainers share: the mask in any shape, one score per word or pixel, and what a sign means."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from holdfast.core.catalogue import catalogue
from holdfast.core.errors import HoldfastError
from holdfast.core.records import Batch, Trace
from holdfast.core.rules import Part, affine, matmul
from holdfast.explain.base import exists, has_vectors, place
from holdfast.explain.deep_taylor import DeepTaylor
from holdfast.explain.lrp import Lrp
from holdfast.models.base import Model
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.attending import TRANSFORMER
from tests.explain.cases import CNN, run_of
from tests.models.text.twin import CLOZE

MASK = torch.tensor([[True, True, False]])


def test_word_vectors_are_summed_and_holes_are_nothing():
    batch = Batch(torch.ones(1, 3, dtype=torch.long), MASK)
    values = torch.tensor([[[1.0, 2.0], [-1.0, 0.5], [7.0, 7.0]]])
    assert has_vectors(batch, values)
    assert place(values, batch).tolist() == [[3.0, -0.5, 0.0]]


def test_pixels_have_a_score_each():
    batch = Batch(torch.ones(1, 3, 2, 2), MASK)
    values = torch.arange(12.0).reshape(1, 3, 2, 2)
    assert not has_vectors(batch, values)
    assert torch.equal(place(values, batch)[:, :2], values[:, :2])
    assert not place(values, batch)[:, 2].any()


def test_the_mask_takes_the_shape_of_what_it_multiplies():
    assert exists(Batch(torch.ones(1, 3), MASK), torch.ones(1, 3, 4)).shape == (1, 3, 1)


# with another entry deep Taylor compares with another point: all of a layer's inputs have its output's sign
VARIANTS = {
    "deep_taylor": [DeepTaylor("zplus")],
    "lrp": [
        Lrp("alphabeta"),
        Lrp(alpha=1.0, beta=0.0),
        Lrp(alpha=2.0, beta=1.0),
        Lrp("epsilon"),
        Lrp("gamma"),
    ],
}
SIGNED = [
    explainer
    for name, cls in catalogue("explainers").items()
    if cls.signed
    for explainer in VARIANTS.get(name, [cls()])
]


OF_TEXTS = [cls() for name, cls in catalogue("explainers").items() if name != "permutation"]


class Line(Model):
    """Two classes, ``z = Σ_t w_t x_t + b`` of one number a word; it looks at all words alike."""

    def __init__(self, words, weight, bias):
        super().__init__()
        self.words, self.weight, self.bias = (nn.Parameter(one) for one in (words, weight, bias))

    def embed(self, batch):
        return (self.words[batch.inputs] * batch.mask)[..., None]

    def encode(self, embedded, batch, edit):
        part = Part(matmul, embedded.squeeze(-1), torch.stack([-self.weight, self.weight], 1), "input")
        return affine(edit.rules, [part], torch.stack([-self.bias, self.bias]))

    def decide(self, states, batch, edit):
        even = batch.mask / batch.mask.sum(1, keepdim=True).clamp(min=1)
        logits = states if edit.rules is not None else states * torch.tensor([0.0, 1.0])
        return Trace(logits, (even.to(states.dtype),), states, states)

    def evidence(self, logits):
        return torch.stack([-logits[:, 1], logits[:, 1]], 1)


@st.composite
def lines(draw):
    """A linear model, a batch of one, what each word adds to the class explained, and that class."""
    length = draw(st.integers(1, 5))
    number = st.sampled_from([-2.0, -1.0, -0.25, 0.5, 1.0, 3.0])
    words, weight = (torch.tensor([draw(number) for _ in range(length)]).double() for _ in range(2))
    bias = torch.tensor(draw(st.sampled_from([0.0, 0.5, -0.5, 9.0, -9.0]))).double()
    target = draw(st.integers(0, 1))
    batch = Batch(torch.arange(length)[None], torch.ones(1, length, dtype=torch.bool))
    return Line(words, weight, bias), batch, (words * weight)[None] * (2 * target - 1), torch.tensor([target])


@pytest.mark.parametrize("explainer", SIGNED, ids=repr)
@given(line=lines())
def test_a_positive_score_speaks_for_the_target(explainer, line):
    model, batch, adds, target = line
    scores = explainer.scores(run_of(model), batch, target).detach()
    assert (scores * adds >= -1e-9).all()
    assert explainer.conserves or scores.any()


@pytest.mark.parametrize("explainer", [*VARIANTS["deep_taylor"], *VARIANTS["lrp"][:3]], ids=repr)
@given(line=lines())
def test_what_no_word_gave_is_lost_and_nothing_else(explainer, line):
    """Where no word speaks for the sign of the evidence its bias alone does, and no word is given any."""
    model, batch, adds, target = line
    found = explainer.relevance(run_of(model), batch, target)
    given_by_words = (adds * found.evidence[:, None] > 0).any()
    expected = torch.zeros(1).double() if given_by_words else found.evidence
    torch.testing.assert_close(found.lost, expected, rtol=0.0, atol=1e-9)
    assert bool(found.scores.any()) == bool(given_by_words)


@pytest.mark.parametrize("explainer", OF_TEXTS, ids=str)
def test_every_explainer_explains_cloze_questions(explainer):
    batch = example(CLOZE)
    fitting = [one for one in (CNN, TRANSFORMER) if _suits(explainer, one, batch)]
    assert fitting
    check_explainer(explainer, fitting[0], CLOZE)


def _suits(explainer, architecture, batch):
    try:
        explainer.suits(run_of(build(architecture, CLOZE)), batch, batch.targets)
    except HoldfastError:
        return False
    return True
