"""The training loop: together or alone, stopped or diverged, a member goes its own way."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import TooFewMembers
from holdfast.core.records import Member
from holdfast.models.text.cnn import Cnn
from holdfast.repair.naswa import Naswa
from holdfast.train.evaluate import logits
from holdfast.train.family import Family, template
from holdfast.train.fit import Fit
from holdfast.train.loop import train
from holdfast.train.repair import Nothing
from tests.train.cases import MEMBERS, assert_same, both, doubles, fit_of, only
from tests.train.tiny import start_of, tiny, trained

CNN, BILSTM = "cnn:filters=4,dim=8", "bilstm:hidden=4,dim=8"


@pytest.mark.parametrize(
    ("model", "optimiser", "repair"),
    [
        (CNN, "adam:amsgrad=true", "none"),
        (f"{CNN},dropout=0.5", "adam", "aswa"),
        (f"{CNN},attention=dot", "sgd", "naswa"),
        (BILSTM, "adagrad:lr=0.1", "swa:start=0.3"),
        (f"{BILSTM},dropout=0.2", "adam", "naswa:per=tensor"),
        (BILSTM, "sgd", "aswa"),
    ],
)
def test_trained_together_is_trained_alone(planted, model, optimiser, repair):
    """Over 63 steps in float64, to 1e-9 (DESIGN §7)."""
    fit = fit_of(optimiser, epochs=3, batch=8)
    together, alone = both(model, planted, fit, make("repairs", repair), members=MEMBERS[:2])
    assert_same(together, alone)
    weights = [one.parameters["head.weight"] for one in together]
    assert not torch.allclose(weights[0], weights[1]), "the members are all the same"


@pytest.mark.parametrize("neighbours", [(Member(7), Member(5)), (Member(5), Member(9), Member(8))])
def test_dropout_does_not_depend_on_the_neighbours(planted, neighbours):
    text = f"{CNN},dropout=0.5"
    network, fit = template(make("models", text), planted.task), fit_of(epochs=1, batch=16)
    start = doubles(text, planted.task, neighbours)
    mine = neighbours.index(Member(5))
    together = train(network, start, planted, neighbours, fit, Nothing())[mine]
    (alone,) = train(network, only(start, mine), planted, (Member(5),), fit, Nothing())
    assert_same([together], [alone])


def test_dropout_works_where_a_bucket_has_fewer_rows_than_a_batch(planted):
    fit = fit_of(epochs=1, batch=64)
    together, alone = both(f"{CNN},dropout=0.5", planted, fit)
    assert_same(together, alone)
    plain, _ = both(CNN, planted, fit)
    assert not torch.allclose(plain[0].parameters["head.weight"], together[0].parameters["head.weight"])


def test_early_stopping_is_each_members_own(planted):
    """A member beside others that run longer is the member that stopped alone."""
    fit = fit_of("adam:lr=0.02", epochs=8, batch=8, patience=1)
    together, alone = both(CNN, planted, fit)
    assert_same(together, alone)
    ends = {len(one.history) for one in together}
    assert len(ends) > 1, f"all members stopped after the same epoch ({ends}): nothing was tested"
    for one in together:
        assert len(one.history) == len(one.path) == min(one.best + fit.patience, fit.epochs)
        assert one.history[one.best - 1] == max(one.history)


def test_a_diverged_member_is_named_and_the_others_do_not_notice(planted):
    start = doubles(CNN, planted.task)
    start["encoder.taps"][1] = 1e308
    fit = fit_of("adam:lr=0.02", epochs=4, batch=16, patience=4)
    together, alone = both(CNN, planted, fit, start=start)
    assert_same(together, alone)
    assert [one.why for one in together] == [
        None,
        "diverged in epoch 1: its outputs are no longer finite numbers",
        None,
    ]
    family = Family.of(Cnn(filters=4, dim=8), planted.task, together)
    assert family.members == (MEMBERS[0], MEMBERS[2])
    assert [(out.member, out.why) for out in family.left_out] == [(MEMBERS[1], together[1].why)]


def test_when_all_diverge_there_is_no_family(planted):
    with pytest.raises(TooFewMembers) as caught:
        Family.fit(Cnn(filters=2, dim=4), planted, MEMBERS[:2], fit_of("sgd:lr=1e30", epochs=2))
    assert str(caught.value) == (
        "no member trained well: "
        "seed 0: diverged in epoch 1: its outputs are no longer finite numbers; "
        "seed 1: diverged in epoch 1: its outputs are no longer finite numbers"
    )


class Breaks(Naswa):
    """Its filter never lets in what is not a number, so the average stays finite."""

    def losses(self, run, batch, noise, memory):
        return super().losses(run, batch, noise, memory) * torch.nan


@pytest.mark.parametrize("members", [1, 2])
def test_an_average_does_not_hide_that_a_member_diverged(members):
    for one in trained(tiny(), start_of(members), Fit(epochs=2, batch=3), Breaks()):
        assert one.why == "diverged in epoch 1: its outputs are no longer finite numbers"
        assert len(one.history) == 1


@pytest.mark.parametrize(
    "optimiser", ["adam:weight_decay=0.1", "sgd:weight_decay=0.1", "adagrad:weight_decay=0.1"]
)
@pytest.mark.parametrize("repair", ["none", "aswa"])
def test_a_word_never_seen_keeps_its_vector(planted, optimiser, repair):
    known = planted.task.vocabulary
    wider = replace(planted, task=replace(planted.task, vocabulary=known + 4))
    network, start = template(make("models", CNN), wider.task), doubles(CNN, wider.task)
    found = {}
    for decays in (False, True):
        fit = replace(fit_of(optimiser, epochs=1, batch=16), decay_embeddings=decays)
        (one,) = train(network, only(start, 0), wider, MEMBERS[:1], fit, make("repairs", repair))
        found[decays] = one.parameters["embedding.weight"]
    before = start["embedding.weight"][0]
    assert torch.equal(found[False][known:], before[known:])
    assert not torch.equal(found[False][:known], before[:known]), "no word was learnt"
    assert (found[True][known:].abs() < before[known:].abs()).all(), "asked for, decay reaches every word"


def test_progress_is_told_after_each_epoch(planted):
    told = []
    network, start = template(make("models", CNN), planted.task), doubles(CNN, planted.task)
    train(network, start, planted, MEMBERS, fit_of(epochs=2, batch=64), Nothing(), told.append)
    assert [(p.members, p.epoch, p.epochs, p.ended) for p in told] == [
        (MEMBERS, 1, 2, False),
        (MEMBERS, 2, 2, True),
    ]


def test_the_first_weights_are_left_as_they_were(planted):
    start = doubles(CNN, planted.task)
    copy = {name: tensor.clone() for name, tensor in start.items()}
    for members in (MEMBERS, MEMBERS[:1]):
        own = start if len(members) > 1 else only(start, 0)
        train(template(make("models", CNN), planted.task), own, planted, members, fit_of(epochs=1), Nothing())
    assert all(torch.equal(start[name], copy[name]) for name in start)


SASREC = "sasrec:dim=8,blocks=1"


def test_histories_drawn_anew_are_each_members_own(plays):
    """Stacked members draw what they draw alone, in every epoch, dropout included."""
    fit = fit_of(epochs=3, batch=16)
    together, alone = both(SASREC, plays, fit, members=MEMBERS[:2])
    assert_same(together, alone)


def test_recommenders_are_watched_by_recall(plays):
    (one,), _ = both(SASREC, plays, fit_of(epochs=2, batch=16), members=MEMBERS[:1])
    network = template(make("models", SASREC), plays.task)
    split = plays.splits["validation"]
    seen = logits(network, one.parameters, split)
    ours = [sum(map(bool, row[0] <= row[1:])) < 10 for row in seen]
    assert one.history[one.best - 1] == pytest.approx(sum(ours) / len(split))


def test_weights_after_every_epoch_can_be_kept(planted):
    fit = fit_of(epochs=3, batch=16, snapshots=2)
    start = doubles(CNN, planted.task)
    network = template(make("models", CNN), planted.task)
    *some, last = train(network, start, planted, MEMBERS, fit, Nothing())
    assert not last.snapshots
    for one in some:
        assert len(one.snapshots) == len(one.history)
        for name, tensor in one.parameters.items():
            assert torch.equal(one.snapshots[one.best - 1][name], tensor)
    assert not train(network, start, planted, MEMBERS, fit_of(epochs=1), Nothing())[0].snapshots


def test_the_last_epoch_may_count_instead_of_the_best(planted):
    fit = fit_of("sgd:lr=2.0", epochs=4, batch=8, patience=1, last=True)
    together, alone = both(CNN, planted, fit)
    assert_same(together, alone)
    assert [(one.best, len(one.history)) for one in together] == [(4, 4)] * 3
