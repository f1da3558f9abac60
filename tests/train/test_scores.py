"""Explanations from equal weights agree, alone or mapped, whatever else is explained."""

import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.source import Source, load
from holdfast.explain.gradient_input import GradientInput
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.measure.probes.drops import drops
from holdfast.measure.probes.faithfulness import curves
from holdfast.train.evaluate import ranks
from holdfast.train.family import Family
from holdfast.train.scores import scores
from tests.train.cases import MEMBERS, doubles
from tests.train.linear import Linear, digits

ROWS = torch.tensor([5, 30, 2, 17, 11, 8])
EXPLAINERS = [name for name in catalogue("explainers") if name != "permutation"]  # which is for tables


def scores_of(planted, family, start, name, rows=ROWS, target=None, members=MEMBERS, stacked=True):
    target = rows % 2 if target is None else target
    split = planted.splits["test"]
    return scores(family.model, start, members, make("explainers", name), split, rows, target, stacked)


@pytest.fixture(scope="module")
def start(planted):
    return doubles("cnn:filters=4,dim=16", planted.task)


@pytest.mark.parametrize("name", EXPLAINERS)
def test_mapped_is_alone(planted, family, start, name):
    """To 1e-6 of the largest score (DESIGN §7)."""
    together = scores_of(planted, family, start, name)
    assert together.shape == (3, len(ROWS), int(planted.splits["test"].lengths[ROWS].max()))
    for m, member in enumerate(MEMBERS):
        own = {key: tensor[m] for key, tensor in start.items()}
        alone = scores_of(planted, family, own, name, members=(member,), stacked=False)[0]
        assert (together[m] - alone).abs().max() <= 1e-6 * alone.abs().max()
    assert not torch.allclose(together[0], together[1]), "all members say the same"


@pytest.mark.parametrize("name", EXPLAINERS)
def test_rows_are_explained_alike_in_any_company_and_order(planted, family, start, name):
    whole = scores_of(planted, family, start, name)
    order = torch.tensor([3, 0, 5])
    some = scores_of(planted, family, start, name, rows=ROWS[order])
    width = some.shape[-1]
    torch.testing.assert_close(some, whole[:, order, :width], rtol=0, atol=1e-6)
    assert not whole[:, order, width:].any()


def test_padding_has_no_score(planted, family, start):
    lengths = planted.splits["test"].lengths[ROWS]
    for name in EXPLAINERS:
        found = scores_of(planted, family, start, name)
        assert not found[:, torch.arange(found.shape[-1]) >= lengths[:, None]].any()


PAIR = (Member(0), Member(1))
PLACES = torch.tensor([3, 0, 7, 7])


@pytest.fixture(scope="module")
def digits_maj():
    return digits("limit=60")


@pytest.fixture(scope="module")
def line(digits_maj):
    return Family.init(Linear(), digits_maj.task, PAIR)


def pixels_of(line, digits_maj, name, stacked=True, rows=PLACES):
    split = digits_maj.splits["test"]
    parameters = line.parameters if stacked else {k: v[0] for k, v in line.parameters.items()}
    members = PAIR if stacked else PAIR[:1]
    target = split.targets[rows]
    return scores(line.model, parameters, members, make("explainers", name), split, rows, target, stacked)


@pytest.mark.parametrize("name", ["random", "gradient_input", "gradient"])
def test_one_score_for_each_pixel(line, digits_maj, name):
    together = pixels_of(line, digits_maj, name)
    assert together.shape == (2, 4, 12 * 8 * 2)
    torch.testing.assert_close(together[:1], pixels_of(line, digits_maj, name, stacked=False))
    torch.testing.assert_close(together[:, 1:2], pixels_of(line, digits_maj, name, rows=PLACES[1:2]))
    assert torch.equal(together[:, 2], together[:, 3])


def test_random_scores_differ_between_pixels_members_and_rows(line, digits_maj):
    found = pixels_of(line, digits_maj, "random")
    assert len(found[:, :3].flatten().unique()) > 0.99 * found[:, :3].numel()


def test_a_family_explains_strips(line, digits_maj):
    split = digits_maj.splits["test"]
    found = line.explain(GradientInput(), split, PLACES, split.targets[PLACES])
    assert torch.equal(found.mask, split.scored(PLACES))
    assert found.scores.shape == (2, 4, 192)


def test_float64(line, digits_maj):
    doubles = Family(line.architecture, line.task, PAIR, {k: v.double() for k, v in line.parameters.items()})
    torch.testing.assert_close(
        pixels_of(doubles, digits_maj, "gradient_input"), pixels_of(line, digits_maj, "gradient_input")
    )


class Picky(GradientInput):
    """Suits nothing."""

    def suits(self, run, batch, target):
        assert len(batch) == 1
        raise BadSetting("picky: no")


@pytest.mark.parametrize("stacked", [True, False])
def test_an_explainer_may_refuse_a_model(line, digits_maj, stacked):
    split = digits_maj.splits["test"]
    parameters = line.parameters if stacked else {k: v[0] for k, v in line.parameters.items()}
    with pytest.raises(BadSetting, match="picky: no"):
        scores(line.model, parameters, PAIR, Picky(), split, PLACES, split.targets[PLACES], stacked)


@pytest.fixture(scope="module")
def lengths():
    """The same histories, whole and as windows of the longest one's length."""
    whole = load(Source("planted-plays:users=30,length=all,samples=1"))
    fixed = load(Source(f"planted-plays:users=30,length={whole.task.length},samples=1"))
    return whole, fixed


@pytest.mark.parametrize("model", ["sasrec:dim=8,spread=0.5", "gru4rec:dim=8,spread=0.5"])
def test_whole_histories_are_explained_as_windows_that_hold_them(lengths, model):
    """Padded to their own length only, and on the left."""
    rows, target = torch.tensor([7, 2, 19, 11]), torch.tensor([0, 3, 5, 0])
    families = [Family.init(make("models", model), data.task, MEMBERS[:2]) for data in lengths]
    splits = [data.splits["test"] for data in lengths]
    assert len(set(splits[0].lengths[rows].tolist())) > 1, "nothing is padded: nothing was tested"
    some, others = (f.logits(s) for f, s in zip(families, splits, strict=True))
    torch.testing.assert_close(some, others, rtol=1e-5, atol=1e-6)
    some, others = (
        ranks(f.model, f.parameters, s, stacked=True) for f, s in zip(families, splits, strict=True)
    )
    assert torch.equal(some, others)
    for name in ("gradient", "leave_one_out", "random"):
        explainer = make("explainers", name)
        mine, theirs = (f.explain(explainer, s, rows, target) for f, s in zip(families, splits, strict=True))
        assert torch.equal(mine.mask, theirs.mask)
        torch.testing.assert_close(mine.scores, theirs.scores, rtol=1e-4, atol=1e-6)
        probe = Comprehensiveness()
        found, expected = (
            drops(f, probe, s, rows, target, {"own": own}, orders=2)
            for f, s, own in zip(families, splits, (mine, theirs), strict=True)
        )
        torch.testing.assert_close(found.by["own"], expected.by["own"], rtol=1e-3, atol=1e-6)
        torch.testing.assert_close(found.random, expected.random, rtol=1e-3, atol=1e-6)
        both = [
            curves(f, probe, s, rows, target, own.scores)
            for f, s, own in zip(families, splits, (mine, theirs), strict=True)
        ]
        torch.testing.assert_close(*both, rtol=1e-3, atol=1e-6)
