"""Logits do not depend on what else is asked for."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.train.evaluate import batches, each, finite, logits, ranks, seen, seen_together
from holdfast.train.family import Family
from tests.train.cases import doubles


@pytest.fixture(scope="module")
def start(planted):
    return doubles("cnn:filters=4,dim=16", planted.task)


def test_batches_cover_the_rows_once_in_few_cells(planted):
    rows = torch.arange(len(planted.splits["train"])).flip(0)
    found = list(batches(planted.splits["train"], rows, positions=100))
    assert sorted(torch.cat([places for places, _ in found]).tolist()) == list(range(len(rows)))
    for places, batch in found:
        assert torch.equal(batch.rows, rows[places])
        assert batch.mask.numel() <= 100
        assert batch.mask.sum(1).tolist() == planted.splits["train"].lengths[rows[places]].tolist()


def test_logits_come_in_the_order_of_the_rows(planted, family, start):
    split, whole = planted.splits["test"], None
    whole = logits(family.model, start, split, stacked=True)
    assert whole.shape == (3, len(split), 2)
    rows = torch.tensor([7, 0, 31, 7])
    some = logits(family.model, start, split, rows, stacked=True)
    torch.testing.assert_close(some, whole[:, rows], rtol=0, atol=1e-12)


def test_a_row_alone_is_the_row_among_others(planted, family, start):
    split = planted.splits["test"]
    whole = logits(family.model, start, split, stacked=True)
    for row in range(0, len(split), 9):
        alone = logits(family.model, start, split, torch.tensor([row]), stacked=True)
        torch.testing.assert_close(alone[:, 0], whole[:, row], rtol=0, atol=1e-12)


def test_stacked_is_each_alone(planted, family, start):
    split = planted.splits["validation"]
    together = logits(family.model, start, split, stacked=True)
    for m in range(3):
        alone = logits(family.model, {name: tensor[m] for name, tensor in start.items()}, split)
        torch.testing.assert_close(together[m], alone, rtol=0, atol=1e-12)
    assert not torch.allclose(together[0], together[1])


def test_each_gives_the_run_of_one_member(planted, family, start):
    batch = planted.splits["test"].batch(torch.arange(3))
    attention = each(family.model, start, batch, lambda run, b: run(b).attention[0], stacked=True)
    torch.testing.assert_close(attention.sum(-1), torch.ones(3, 3, dtype=torch.float64))


@pytest.mark.parametrize("bad", [torch.nan, torch.inf])
def test_finite_names_the_member(bad):
    parameters = {"matrix": torch.zeros(3, 2, 2), "scalar": torch.zeros(3)}
    assert finite(parameters, stacked=True).tolist() == [True, True, True]
    parameters["matrix"][1, 0, 1] = bad
    parameters["scalar"][2] = bad
    assert finite(parameters, stacked=True).tolist() == [True, False, False]
    for m, sound in enumerate([True, False, False]):
        assert finite({n: t[m] for n, t in parameters.items()}, stacked=False).tolist() == [sound]


def test_ranks_are_places_among_what_the_user_does_not_know(plays):
    architecture = make("models", "sasrec:dim=8,blocks=1")
    family = Family.init(architecture, plays.task, [Member(0), Member(1)])
    split, rows = plays.splits["test"], torch.arange(7)
    found = ranks(family.model, family.parameters, split, rows, stacked=True)
    for m in range(2):
        own = {name: tensor[m] for name, tensor in family.parameters.items()}
        assert torch.equal(ranks(family.model, own, split, rows), found[m])
        batch = split.batch(rows)
        scores = family.run(m)(replace(batch, candidates=None)).logits
        for row in rows.tolist():
            true = int(batch.candidates[row, 0])
            known = set(plays.histories.of(row)[:-1].tolist()) | {0}
            place = [
                i
                for i in range(plays.task.vocabulary)
                if i not in known and scores[row, i] >= scores[row, true]
            ]
            assert len(place) == int(found[m, row])


def test_a_recommender_says_its_ranks_too(plays):
    family = Family.init(make("models", "sasrec:dim=8,blocks=1"), plays.task, [Member(0)])
    found = seen(family.model, {n: t[0] for n, t in family.parameters.items()}, plays, Member(0))
    assert found.keys() == {"logits/validation", "logits/test", "ranks/validation", "ranks/test"}
    assert found["logits/test"].shape == (80, 101)
    assert found["ranks/test"].shape == (80,)


def test_members_see_together_what_each_sees_alone(plays):
    members = (Member(0), Member(1))
    family = Family.init(make("models", "sasrec:dim=8,blocks=1"), plays.task, members)
    together = seen_together(family.model, family.parameters, plays, members)
    for m, (member, answers) in enumerate(zip(members, together, strict=True)):
        alone = seen(family.model, {n: t[m] for n, t in family.parameters.items()}, plays, member)
        assert answers.keys() == alone.keys()
        for name, answer in answers.items():
            torch.testing.assert_close(answer, alone[name], rtol=1e-5, atol=1e-6)
