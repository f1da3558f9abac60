"""Explanations from equal weights agree, alone or mapped, whatever else is explained."""

import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.train.scores import scores
from tests.train.cases import MEMBERS, doubles

ROWS = torch.tensor([5, 30, 2, 17, 11, 8])


def scores_of(planted, family, start, name, rows=ROWS, target=None, members=MEMBERS, stacked=True):
    target = rows % 2 if target is None else target
    split = planted.splits["test"]
    return scores(family.model, start, members, make("explainers", name), split, rows, target, stacked)


@pytest.fixture(scope="module")
def start(planted):
    return doubles("cnn:filters=4,dim=16", planted.task)


@pytest.mark.parametrize("name", catalogue("explainers"))
def test_mapped_is_alone(planted, family, start, name):
    """To 1e-6 of the largest score (DESIGN §7)."""
    together = scores_of(planted, family, start, name)
    assert together.shape == (3, len(ROWS), int(planted.splits["test"].lengths[ROWS].max()))
    for m, member in enumerate(MEMBERS):
        own = {key: tensor[m] for key, tensor in start.items()}
        alone = scores_of(planted, family, own, name, members=(member,), stacked=False)[0]
        assert (together[m] - alone).abs().max() <= 1e-6 * alone.abs().max()
    assert not torch.allclose(together[0], together[1]), "all members say the same"


@pytest.mark.parametrize("name", catalogue("explainers"))
def test_rows_are_explained_alike_in_any_company_and_order(planted, family, start, name):
    whole = scores_of(planted, family, start, name)
    order = torch.tensor([3, 0, 5])
    some = scores_of(planted, family, start, name, rows=ROWS[order])
    width = some.shape[-1]
    torch.testing.assert_close(some, whole[:, order, :width], rtol=0, atol=1e-6)
    assert not whole[:, order, width:].any()


def test_padding_has_no_score(planted, family, start):
    lengths = planted.splits["test"].lengths[ROWS]
    for name in catalogue("explainers"):
        found = scores_of(planted, family, start, name)
        assert not found[:, torch.arange(found.shape[-1]) >= lengths[:, None]].any()
