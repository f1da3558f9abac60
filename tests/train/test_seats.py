"""A row's seat follows from the split alone, so that its bits do not depend on what else is asked."""

from functools import cache

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.data.source import Source, load
from holdfast.train.family import initial, one_thread, template
from holdfast.train.scores import scored
from holdfast.train.seats import PART, chosen, full_batch, seated, seats, turns


@cache
def dataset_of(data):
    return load(Source(data))


TEXT, PLAYS, IMAGES = "planted:train=80,validation=20,test=90", "planted-plays:users=90,items=60", "digits"


SIZES = ("large", "small", "single")


@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize("of", SIZES)
def test_every_row_has_a_seat_of_its_own(planted, of, trained):
    split = planted.splits["test"]
    found = seats(split, of, trained)
    taken = list(zip(found.batch.tolist(), found.place.tolist(), strict=True))
    assert len(set(taken)) == len(split)
    assert bool((found.length >= split.lengths).all())
    for batch in found.batch.unique():
        rows = found.batch == batch
        assert found.size[rows].tolist() == [int(rows.sum())] * int(rows.sum())
        assert len(found.length[rows].unique()) == 1


@pytest.mark.parametrize("data", [TEXT, PLAYS, IMAGES])
def test_an_audits_batches_need_no_filling(data):
    split = dataset_of(data).splits["test"]
    rows = chosen(len(split))[:PART].sort().values
    counts = {}
    for of in SIZES:
        parts = list(seated(split, rows, of))
        assert sorted(torch.cat([part.wanted for part in parts]).tolist()) == list(range(len(rows)))
        assert all(sorted(part.filled.tolist()) == sorted(part.wanted.tolist()) for part in parts)
        counts[of] = len(parts)
    assert counts["large"] <= counts["small"] <= counts["single"] == len(rows)
    assert counts["large"] < counts["single"]


def test_a_smaller_question_fills_what_is_left(planted):
    split = planted.splits["test"]
    rows = chosen(len(split))[: len(split) // 2].sort().values
    for part in seated(split, rows):
        assert torch.equal(rows[part.filled][part.places], rows[part.wanted])
        assert len(part.batch) == int(seats(split).size[rows[part.wanted[0]]])


@pytest.mark.parametrize("of", SIZES)
@pytest.mark.parametrize("data", [TEXT, PLAYS, IMAGES])
def test_one_untrained_network_explains_whole_batches(data, of):
    split = dataset_of(data).splits["test"]
    found, turn = seats(split, of, trained=False), turns(split, torch.arange(len(split)), 8)
    assert all(len(turn[found.batch == batch].unique()) == 1 for batch in found.batch.unique())
    assert len(turn.unique()) == min(8, len(found.block.unique()))


@pytest.mark.parametrize("of", SIZES)
def test_a_full_batch_is_one(planted, of):
    split = planted.splits["test"]
    rows = full_batch(split, of)
    assert len(list(seated(split, rows, of))) == 1
    assert len(rows) == int(seats(split, of).size.max())


@pytest.mark.parametrize(
    ("data", "model", "explainer"),
    [
        (TEXT, "cnn:filters=10,dim=20", "integrated_gradients"),
        (TEXT, "bilstm:hidden=9,dim=20", "leave_one_out"),
        (TEXT, "bilstm:hidden=9,dim=20", "gradient"),
        (TEXT, "transformer", "attention"),
        (PLAYS, "sasrec:dim=12", "gradient"),
        (PLAYS, "sasrec:dim=12", "shapley:samples=16"),
        (IMAGES, "lstm", "gradient"),
        (IMAGES, "rlstm", "lrp"),
    ],
)
def test_a_rows_bits_do_not_depend_on_what_else_is_asked(data, model, explainer):
    dataset, member = dataset_of(data), (Member(0),)
    split, architecture = dataset.splits["test"], make("models", model)
    about = template(architecture, dataset.task), initial(architecture, dataset.task, member[0]), member
    order = chosen(len(split))[:40]
    target = torch.zeros(len(split), dtype=torch.long)

    def ask(rows):
        asked = (make("explainers", explainer), split, rows, target[rows])
        return scored(*about, *asked, stacked=False)

    with one_thread():
        whole, some, few = ask(order.sort().values), ask(order[:21]), ask(order[[3, 11, 30]])
    place = {row: number for number, row in enumerate(order.sort().values.tolist())}
    for rows, part in ((order[:21], some), (order[[3, 11, 30]], few)):
        at = torch.tensor([place[row] for row in rows.tolist()])
        width = part.scores.shape[-1]
        assert torch.equal(part.scores, whole.scores[:, at, :width])
        assert part.lost is None or torch.equal(part.lost, whole.lost[:, at])
