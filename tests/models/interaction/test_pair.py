"""Models of a user and one candidate, against loops."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import PLAIN, Batch
from holdfast.data.source import Source, load
from holdfast.explain.gradient import Gradient
from holdfast.explain.integrated_gradients import IntegratedGradients
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.explain.shapley import Shapley
from holdfast.models.interaction import pair
from holdfast.models.interaction.deepicf import Deepicf
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.testing.explainer import check_explainer
from holdfast.testing.histories import histories as example
from holdfast.testing.model import build, check_model
from tests.examples import fewer
from tests.models.interaction.twin import TASK, histories
from tests.reference import pairs

USERS = replace(TASK, users=5)
RATED = replace(TASK, rated=True)
HISTORY = (
    "fism:dim=5",
    "deepicf:dim=4,hidden=3",
    "deepicf:dim=4,head=two,beta=1.0",
    "deepicf:dim=3,head=three",
)
NO_HISTORY = ("gmf:dim=3", "ncf:dim=3,layers=4+2", "neumf:dim=3,width=2,layers=4+2")


def twin(text, model, batch, row):
    """What loops say of a row and a candidate: outputs, and the attention where there is some."""
    name = text.partition(":")[0]
    if text in NO_HISTORY:
        return lambda item: (getattr(pairs, name)(model, int(batch.user[row]), item), None)
    items, mask = batch.inputs[row].tolist(), batch.mask[row].tolist()
    return lambda item: getattr(pairs, name)(model, items, mask, item)


@pytest.mark.parametrize("text", [*HISTORY, *NO_HISTORY])
def test_contract(text):
    check_model(make("models", text), replace(RATED, users=5))


@pytest.mark.parametrize("text", [*HISTORY, *NO_HISTORY])
@fewer(3)
@given(batch=histories(), seed=st.integers(0, 9))
@torch.no_grad()
def test_twin(text, batch, seed):
    model = build(make("models", text), replace(RATED, users=5), seed)
    columns = batch.following.shape[1]
    labels = 2 * (batch.following % 2)
    batch = replace(batch, user=torch.arange(len(batch)), labels=labels)
    batch = replace(batch, following=torch.where(torch.arange(columns) == 1, 0, batch.following))
    weights = [0.5, 2.0, 3.0][: model.classes]
    ranked, plain = model.rank(batch), model.losses(batch).tolist()
    weighed = model.losses(batch, PLAIN, torch.tensor(weights).double()).tolist()
    everything = model.rank(replace(batch, candidates=None))
    for row in range(len(batch)):
        of = twin(text, model, batch, row)
        for place, item in enumerate(batch.candidates[row].tolist()):
            outputs, attention = of(item)
            trace = model(model.ask(batch, torch.full((len(batch),), place)))
            assert trace.logits[row].tolist() == pytest.approx(pairs.logits(outputs), abs=1e-9)
            assert float(ranked[row, place]) == pytest.approx(pairs.odds(outputs), abs=1e-9)
            assert float(everything[row, item]) == pytest.approx(pairs.odds(outputs), abs=1e-9)
            assert [a[row].tolist() for a in trace.attention] == (
                [] if attention is None else [pytest.approx(attention, abs=1e-9)]
            )
        rows = (batch.following[row].tolist(), batch.negatives[row].tolist())
        rated = labels[row].tolist() if model.classes == 3 else None
        for found, each in ((plain, [1.0] * 3), (weighed, weights)):
            wanted = pairs.loss(lambda item, of=of: of(item)[0], *rows, rated, each)
            assert found[row] == pytest.approx(wanted, abs=1e-9)


def test_torch_agrees_on_class_weights():
    model = build(Deepicf(dim=4, head="two"), TASK)
    batch = example(TASK, 6)
    one = replace(batch, following=batch.following[:, :1], negatives=batch.negatives[:, :1])
    items = torch.cat([one.following, one.negatives[:, 0]], 1)
    weights = torch.tensor([0.25, 1.5]).double()
    logits = torch.stack([model(replace(batch, query=items[:, i : i + 1])).logits for i in range(3)], 1)
    each = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), torch.tensor([1, 0, 0]).repeat(5), weights, reduction="none"
    )
    torch.testing.assert_close(model.losses(one, PLAIN, weights), each.view(5, 3).sum(1))


@pytest.mark.parametrize("text", [*HISTORY, *NO_HISTORY])
def test_pieces_change_nothing(text, monkeypatch):
    model, batch = (
        build(make("models", text), replace(RATED, users=5)),
        example(replace(USERS, rated=True), 6),
    )
    for candidates in (batch.candidates, None):
        one = replace(batch, candidates=candidates)
        whole = model.rank(one)
        for most in (1, 60, 300, 2000):
            monkeypatch.setitem(pair.AT_ONCE, "cpu", most)
            torch.testing.assert_close(model.rank(one), whole, rtol=1e-12, atol=1e-12)
        monkeypatch.undo()


@pytest.mark.parametrize("text", HISTORY)
@pytest.mark.parametrize(
    "explainer", [Gradient(), IntegratedGradients(steps=4), LeaveOneOut(), Shapley(samples=16)]
)
def test_explainers(text, explainer):
    check_explainer(explainer, make("models", f"{text},spread=1.0"), RATED)


def test_who_explains():
    silent = {name for name, cls in catalogue("models").items() if not cls.explains}
    assert silent == {"gmf", "ncf", "neumf"}


def test_bad_input():
    model, batch = build(Deepicf(dim=4), TASK), example(TASK, 6)
    with pytest.raises(BadData, match=r"^expected the candidate that is asked about \(query\), but got none"):
        model(batch)
    with pytest.raises(BadData, match=r"^expected the candidate that is asked about \(query\), but got none"):
        model.subsets(batch.take(torch.tensor([0])), batch.mask)
    with pytest.raises(
        BadData, match=r"^expected a batch to train on, with following and negatives, but got"
    ):
        model.losses(replace(batch, negatives=None))
    with pytest.raises(BadSetting) as unrated:
        Deepicf(head="three").build(TASK)
    assert str(unrated.value) == (
        "deepicf: expected every interaction to be rated from 1 to 5 for head=three, but some or all are "
        "not: name the column of stars with --rating, leave out rows without, or choose head=two"
    )
    three = build(Deepicf(dim=4, head="three"), RATED)
    with pytest.raises(
        BadData, match=r"^expected ratings \(labels\) to train three classes on, but got none$"
    ):
        three.losses(batch)
    with pytest.raises(
        BadSetting, match=r"^expected a model whose targets are classes for a loss with class"
    ):
        build(Sasrec(dim=4), TASK).losses(batch, PLAIN, torch.ones(2))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("deepicf:beta=1.5", "deepicf: expected beta to be from 0 to 1, but got 1.5"),
        ("deepicf:layers=0", "deepicf: expected layers to be widths of at least 1, such as 64"),
        ("deepicf:head=four", "deepicf: expected head to be sigmoid, two or three, but got 'four'"),
        ("deepicf:hidden=0", "deepicf: expected hidden to be at least 1, but got 0"),
        ("fism:alpha=-1", "fism: expected alpha to be from 0 to 1, but got -1"),
        ("ncf:layers=0", "ncf: expected layers to be widths of at least 1, such as 32"),
        ("neumf:layers=0", "neumf: expected layers to be widths of at least 1, such as 32"),
        ("gmf:spread=0", "gmf: expected spread to be above 0, but got 0"),
    ],
)
def test_bad_settings(text, said):
    with pytest.raises(BadSetting, match=f"^{said}"):
        make("models", text)


def test_a_batch_of_no_one_is_refused_nowhere():
    nobody = Batch(torch.zeros(1, 4, dtype=torch.long), torch.zeros(1, 4, dtype=torch.bool))
    model = build(Deepicf(dim=4), TASK)
    assert model.rank(nobody).shape == (1, 12)


def test_counts_for_balanced_losses():
    data = load(Source("planted-plays:users=40"))
    taken = len(data.histories.ids) - 2 * len(data.users)
    two = Deepicf(negatives=3).build(data.task).counted(data.task, data.splits["pairs"])
    assert two.counts == (3 * taken, taken)
    three = Deepicf(head="three").build(RATED).counted(RATED, Rated())
    assert three.counts == (5, 48, 7)
    assert Sasrec().build(data.task).counted(data.task, data.splits["train"]).counts == ()


class Rated:
    """A split of which users liked some."""

    taken = (5, 7)
