"""Deep Taylor: the contract, the rule at the entry."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.explain.deep_taylor import DeepTaylor
from holdfast.models.image.deep import Deep
from holdfast.models.image.gru import Gru
from holdfast.models.image.lstm import Lstm
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, CNN, PAIR, STRIPS, TARGET, TEXTS, TWO, run_of
from tests.models.image.twin import shake


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
@pytest.mark.parametrize("architecture", TEXTS, ids=lambda one: type(one).__name__)
def test_contract_of_texts(architecture, task):
    check_explainer(DeepTaylor(), architecture, task)


@pytest.mark.parametrize("cell", CELLS)
def test_contract_of_strips(cell):
    check_explainer(DeepTaylor(), cell(bias=1e-6), STRIPS)


@pytest.mark.parametrize(("task", "entry"), [(TWO, "wsquare"), (STRIPS, "zbeta")])
def test_the_entry_follows_the_input(task, entry):
    model = build(CNN if task is TWO else Deep(), task)
    batch, target = example(task), torch.zeros(5, dtype=torch.long)
    chosen, named = (DeepTaylor(name).scores(run_of(model), batch, target) for name in ("auto", entry))
    assert torch.equal(chosen, named)
    assert not torch.allclose(DeepTaylor("zplus").scores(run_of(model), batch, target), named)


def of_positive_evidence(model):
    """Deep Taylor's scores of the images that have evidence above 0."""
    batch, run = example(STRIPS), run_of(model)
    result = DeepTaylor().relevance(run, batch, run(batch).logits.argmax(1))
    return result.scores[result.evidence > 0]


@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell not in (Lstm, Gru)])
def test_positive_evidence_has_no_negative_relevance(cell):
    """Where only positive parts count and all states are positive."""
    scores = of_positive_evidence(build(cell(bias=1e-6), STRIPS))
    assert scores.any()
    assert (scores >= 0).all()


def test_states_of_either_sign_can_make_it_negative():
    """Under tanh a candidate may speak against the memory it is added to: why the R-LSTM is rectified."""
    model = shake(build(Lstm(), STRIPS), 0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4.0 if parameter.dim() > 1 else 1.0)
    assert (of_positive_evidence(model) < 0).any()


def test_words_have_no_bounds():
    expected = "wsquare or zplus for word vectors, which have no bounds"
    message = f"^deep_taylor: expected entry to be {expected}, but got zbeta$"
    with pytest.raises(BadSetting, match=message):
        DeepTaylor("zbeta").scores(run_of(build(CNN, TWO)), example(TWO), TARGET)


def test_bad_settings():
    message = "^deep_taylor: expected entry to be auto, zbeta, wsquare or zplus, but got other$"
    with pytest.raises(BadSetting, match=message):
        DeepTaylor("other")
