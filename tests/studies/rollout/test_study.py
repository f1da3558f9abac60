import statistics
from dataclasses import replace

import pytest

from holdfast.studies.rollout import Rollout
from holdfast.studies.rollout.claims import own_claims
from holdfast.studies.rollout.names import GRADIENT, ROLLOUT
from holdfast.studies.rollout.published_tables import published
from holdfast.studies.rollout.study import own_rows
from tests.study import tiny
from tests.study.rollout_families import dataset, family, rows


def test_every_cell_has_its_rows():
    found = rows()
    assert {r.model for r in found if r.quantity == "correlation"} == {
        f"{name}:dim=8,blocks={blocks}" for name in ("sasrec", "bert4rec") for blocks in (1, 2)
    }
    assert {r.model.partition("=")[2] for r in found if r.quantity == "deletion"} == {"8,blocks=2"}
    assert {r.quantity for r in found} >= {"top", "wilcoxon", "entropy", "against", "correlation_untrained"}


def test_rollout_of_one_block_both_ways_is_its_attention():
    found = {
        r.other_explainer: r.value
        for r in rows()
        if (r.model, r.quantity, r.by, r.explainer)
        == ("bert4rec:dim=8,blocks=1", "correlation", "all", GRADIENT)
    }
    assert found[ROLLOUT] == found["attention_first"]


def test_every_number_is_there_once():
    assert len({(r.family, r.what, r.part) for r in rows()}) == len(rows())


def test_sizes_are_those_of_the_data():
    histories, items = dataset().histories, dataset().task.vocabulary - 1
    counts = [histories.ids.tolist().count(item) for item in range(1, items + 1)]
    sizes = {
        "users": 60,
        "items": items,
        "actions": len(histories.ids),
        "median_per_item": statistics.median(counts),
        "median_per_user": statistics.median(histories.lengths.tolist()),
        "density": pytest.approx(100 * len(histories.ids) / (60 * items)),
    }
    assert {r.quantity: r.value for r in rows() if r.quantity in sizes} == sizes


def test_claims_and_tables_follow_from_rows():
    assert len([c for c in own_claims(rows()) if not c.detail]) == 10  # there is no published recall
    assert all(line.measured is None for line in published(rows()))


def test_epochs_are_followed():
    assert {(r.quantity, r.bin) for r in rows() if r.by == "epoch"} == {
        (name, epoch) for name in ("dynamics", "recall") for epoch in ("1", "2")
    }


def test_other_data_and_models_have_none():
    assert own_rows([tiny.family()]) == []
    assert own_rows([replace(family(), model="gru4rec")]) == []


def test_it_is_heard_how_many_families_are_measured():
    said = []
    Rollout().measure([tiny.family(), tiny.family()], lambda done, total: said.append((done, total)))
    assert said == [(0, 2), (1, 2), (2, 2)]
