"""Reading attention maps."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Trace
from holdfast.explain.maps import check_head, check_residual, heads, maps, mixed, row
from holdfast.testing.model import example
from tests.explain.attending import BERT4REC, GRU, ITEMS, SASREC, TRANSFORMER, run_at
from tests.explain.cases import CNN, TWO

EMPTY = torch.zeros(1)


@pytest.mark.parametrize(
    ("architecture", "task", "count"),
    [(SASREC, ITEMS, 2), (BERT4REC, ITEMS, 2), (TRANSFORMER, TWO, 2), (CNN, TWO, 0)],
    ids=repr,
)
def test_blocks_and_what_is_read(architecture, task, count):
    trace = run_at(architecture, task)(example(task))
    blocks, read = maps("it", trace)
    assert len(blocks) == count
    assert all(block.dim() == 4 and block.shape[-1] == read.shape[-1] for block in blocks)
    torch.testing.assert_close(read[0].sum(), torch.tensor(1.0, dtype=torch.float64))


def test_without_attention():
    message = (
        "^it: expected a model with attention, but got one without: "
        "choose gradient, leave_one_out or shapley instead$"
    )
    with pytest.raises(BadSetting, match=message):
        maps("it", run_at(GRU, ITEMS)(example(ITEMS)))


def test_maps_of_which_nobody_says_what_is_read():
    message = "^it: expected a model that says which position it reads \\(trace.read\\), but got none$"
    with pytest.raises(BadSetting, match=message):
        maps("it", Trace(EMPTY, (torch.zeros(1, 1, 2, 2),), EMPTY, EMPTY))


def test_one_head_and_all():
    weights = torch.rand(2, 3, 4, 4)
    assert torch.equal(heads("it", weights, 1), weights[:, 1])
    torch.testing.assert_close(heads("it", weights), weights.sum(1) / 3)
    message = "^it: expected head to be one of the model's, but got 3: there are 3, counted from 0$"
    with pytest.raises(BadSetting, match=message):
        heads("it", weights, 3)


def test_rows_that_sum_to_1_stay_so():
    weights = torch.rand(2, 3, 4, 4).softmax(-1)
    torch.testing.assert_close(mixed(weights, 0.3).sum(-1), torch.ones(2, 4))
    torch.testing.assert_close(row(torch.full((2, 4), 0.25), mixed(weights, 0.3)).sum(-1), torch.ones(2))


def test_bad_settings():
    with pytest.raises(BadSetting, match=r"^it: expected residual to be from 0 to 1, but got 1.5$"):
        check_residual("it", 1.5)
    with pytest.raises(BadSetting, match=r"^it: expected head to be none, 0 or more, but got -1$"):
        check_head("it", -1)
