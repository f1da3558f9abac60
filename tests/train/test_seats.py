"""A row's seat follows from the split alone, so that its bits do not depend on what else is asked."""

from functools import cache

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.data.source import Source, load
from holdfast.train.family import initial, one_thread, template
from holdfast.train.scores import scored
from holdfast.train.seats import chosen, full_batch, seated, seats, size


@cache
def dataset_of(data):
    return load(Source(data))


TEXT, PLAYS, IMAGES = "planted:train=80,validation=20,test=90", "planted-plays:users=90,items=60", "digits"


def test_every_row_has_a_seat_of_its_own(planted):
    split = planted.splits["test"]
    found = seats(split)
    assert len(set(zip(*(own.tolist() for own in found), strict=True))) == len(split)
    assert bool((found.length >= split.lengths).all())
    assert all(p < size(n, True) for n, p in zip(found.length.tolist(), found.place.tolist(), strict=True))


def test_batches_of_a_smaller_question_are_full(planted):
    split = planted.splits["test"]
    rows = chosen(len(split))[: len(split) // 2].sort().values
    parts = list(seated(split, rows))
    assert sorted(torch.cat([part.asked for part in parts]).tolist()) == list(range(len(rows)))
    by_length = {}
    for part in parts:
        assert torch.equal(rows[part.filled][part.places], rows[part.asked])
        assert len(part.batch) == size(part.batch.mask.shape[1], True)
        by_length.setdefault(part.batch.mask.shape[1], []).append(len(part.asked) < len(part.batch))
    assert all(sum(short) <= 1 for short in by_length.values())


def test_a_full_batch_is_one(planted):
    rows = full_batch(planted.splits["test"])
    assert len(list(seated(planted.splits["test"], rows))) == 1


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
