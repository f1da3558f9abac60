from dataclasses import replace

import pytest
import torch
from scipy.stats import spearmanr

from holdfast.studies.seat.surrogates import FOLLOWS, LOSS, OVERLAP, follows, surrogate_rows
from tests.reference import adversaries
from tests.studies.seat.runs import families


def shown():
    return {one.repair: one for one in families()}


def pairs():
    """The attention of each vanilla member and of its student, text by text, and how long texts are."""
    plain, student = shown()["none"], shown()["seat"]
    for member in range(2):
        texts = zip(
            plain.explanations["attention"].scores[member].double().tolist(),
            student.explanations["attention"].scores[member].double().tolist(),
            plain.mask.sum(1).tolist(),
            strict=True,
        )
        yield [(w[:length], v[:length]) for w, v, length in texts]


def by_name():
    return {(row.quantity, row.by, row.member): row for row in surrogate_rows(list(shown().values()))}


def test_the_loss_and_the_overlap_are_the_naive_ones():
    found, k = by_name(), shown()["seat"].job.repair_settings.k
    losses = [[adversaries.surrogate(w, v, min(k, len(w))) for w, v in texts] for texts in pairs()]
    tops = [[[adversaries.in_top(w, min(k, len(w))) for w in pair] for pair in texts] for texts in pairs()]
    shared = [[len(a & b) / max(len(a), len(b), 1) if a or b else 1.0 for a, b in texts] for texts in tops]

    def mean(table):
        return sum(sum(line) / len(line) for line in table) / len(table)

    assert found[LOSS, "all", ""].value == pytest.approx(mean(losses), abs=1e-6)
    assert found[OVERLAP, "all", ""].value == pytest.approx(mean(shared), abs=1e-6)
    assert found[OVERLAP, "all", ""].high <= 1.0


def test_the_order_is_spearmans():
    draw = torch.Generator().manual_seed(1)
    loss = torch.rand(40, generator=draw)
    overlap = (1 - loss + 0.5 * torch.rand(40, generator=draw)).clamp(0, 1).mul(5).round() / 5
    expected = spearmanr(loss.numpy(), 1 - overlap.numpy()).statistic
    assert follows(loss, overlap) == pytest.approx(expected, abs=1e-6)
    assert 0 < expected < 1


def test_the_contrary_order_is_minus_one_and_one_value_has_none():
    rising = torch.tensor([0.1, 0.2, 0.3])
    assert follows(rising, rising) == pytest.approx(-1.0)
    assert follows(rising, torch.ones(3)) is None
    assert follows(torch.ones(3), rising) is None


def test_every_seed_has_its_own_correlation_and_all_of_them_their_mean():
    found = by_name()
    each = [row.value for (quantity, by, _), row in found.items() if (quantity, by) == (FOLLOWS, "member")]
    assert len(each) == 2
    assert found[FOLLOWS, "all", ""].value == pytest.approx(sum(each) / len(each))


def test_without_the_vanilla_model_or_seat_there_is_nothing_to_compare():
    some = shown()
    assert list(surrogate_rows([some["seat"]])) == []
    assert list(surrogate_rows([some["none"]])) == []
    other = replace(some["none"], model="bilstm")
    assert list(surrogate_rows([other, some["seat"]])) == []
