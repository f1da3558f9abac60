"""Deep Taylor: the contract, the rule at the entry."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.explain.deep_taylor import DeepTaylor
from holdfast.models.strips.deep import Deep
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CELLS, CNN, PAIR, STRIPS, TARGET, TEXTS, TWO, run_of


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


@pytest.mark.parametrize("cell", CELLS)
def test_positive_evidence_has_no_negative_relevance(cell):
    """Where only positive parts count and all states are positive."""
    batch, run = example(STRIPS), run_of(build(cell(), STRIPS))
    found = DeepTaylor().relevance(run, batch, run(batch).logits.argmax(1))
    if cell.__name__ not in ("Lstm", "Gru"):
        assert (found.scores[found.evidence > 0] >= 0).all()


def test_words_have_no_bounds():
    message = (
        "^deep_taylor: expected entry to be wsquare or zplus for words, which have no bounds, but got zbeta$"
    )
    with pytest.raises(BadSetting, match=message):
        DeepTaylor("zbeta").scores(run_of(build(CNN, TWO)), example(TWO), TARGET)


def test_bad_settings():
    message = "^deep_taylor: expected entry to be auto, zbeta, wsquare or zplus, but got other$"
    with pytest.raises(BadSetting, match=message):
        DeepTaylor("other")
