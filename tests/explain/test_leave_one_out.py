"""Leave one out."""

import captum.attr
import pytest
import torch
from hypothesis import given

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.models.image.lenet import Lenet
from holdfast.models.image.rlstm import Rlstm
from holdfast.models.odds import log_odds
from holdfast.models.text.average import Average
from holdfast.models.text.rnn import Rnn
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.attending import NAMES, PARTNERS
from tests.explain.cases import CNN, PAIR, STRIPS, TARGET, TWO, assert_twin, cases, run_of
from tests.reference import explain as naive


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract(task):
    check_explainer(LeaveOneOut(), CNN, task)


@pytest.mark.parametrize(("architecture", "task"), PARTNERS[:3], ids=NAMES[:3])
def test_contract_of_blocks(architecture, task):
    check_explainer(LeaveOneOut(), architecture, task)


@pytest.mark.parametrize("cell", [Rlstm(), Lenet()], ids=repr)
def test_contract_of_strips(cell):
    check_explainer(LeaveOneOut(), cell, STRIPS)


@given(case=cases())
def test_twin(case):
    assert_twin(LeaveOneOut(chunk=2), naive.leave_one_out, case)


def test_captum_ablation():
    model, batch = build(Average(hidden=4, dim=5), TWO), example(TWO)

    def forward(kept):
        return log_odds(model(Batch(batch.inputs, batch.mask & kept.bool())).logits, TARGET)

    theirs = captum.attr.FeatureAblation(forward).attribute(torch.ones_like(batch.inputs))
    torch.testing.assert_close(LeaveOneOut().scores(run_of(model), batch, TARGET), theirs.double())


def test_leave_one_out_of_a_recurrent_model_deletes_the_word():
    model = build(Rnn(hidden=6, dim=5), TWO)
    words, target = torch.tensor([[3, 1, 4, 5]]), torch.tensor([1])
    batch = Batch(words, torch.ones_like(words).bool())
    scores = LeaveOneOut().scores(run_of(model), batch, target)[0]
    for position in range(4):
        left = torch.cat([words[:, :position], words[:, position + 1 :]], 1)
        shorter = model(Batch(left, torch.ones_like(left).bool())).logits
        fall = log_odds(model(batch).logits, target) - log_odds(shorter, target)
        torch.testing.assert_close(scores[position], fall[0])


@pytest.mark.parametrize("field", ["chunk"])
def test_bad_settings(field):
    message = f"^leave_one_out: expected {field} to be at least 1, but got 0$"
    with pytest.raises(BadSetting, match=message):
        LeaveOneOut(**{field: 0})


@pytest.mark.parametrize("chunk", [1, 7, 10_000])
def test_the_chunk_changes_nothing(chunk):
    run, batch = run_of(build(CNN, TWO)), example(TWO)
    whole, cut = (LeaveOneOut(chunk=size).scores(run, batch, TARGET) for size in (256, chunk))
    torch.testing.assert_close(cut, whole)


def test_a_strip_shares_its_fall_among_its_pixels():
    model, batch, target = build(Rlstm(), STRIPS), example(STRIPS), torch.arange(5) % 3
    scores = LeaveOneOut().scores(run_of(model), batch, target)
    mask = batch.mask.clone()
    mask[0, 2] = False
    fall = log_odds(model(batch).logits, target) - log_odds(model(Batch(batch.inputs, mask)).logits, target)
    torch.testing.assert_close(scores[0, 2].sum(), fall[0].detach())
    assert (scores[0, 2] == scores[0, 2, 0, 0]).all()
