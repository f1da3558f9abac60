"""The table of word vectors."""

import torch

from holdfast.data.base import Task
from holdfast.models.vectors import embedding, look_up, word_vectors


def test_known_vectors_are_kept_and_the_others_drawn_alike():
    torch.manual_seed(0)
    vectors = torch.randn(400, 50) * 0.4 + 0.1
    vectors[:100] = 0.0
    given = vectors.clone()
    table = word_vectors(Task(400, ("no", "yes"), vectors=vectors), 7)
    assert torch.equal(vectors, given)
    assert torch.equal(table[100:], vectors[100:])
    assert not table[0].any()
    assert abs(float(table[1:100].std()) - float(vectors[100:].std())) < 0.02


def test_drawn_vectors_follow_the_seed():
    tables = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        tables.append(word_vectors(Task(30, ("no", "yes")), 5))
    assert tables[0].shape == (30, 5)
    assert torch.equal(tables[0], tables[1])
    assert not torch.equal(tables[0], tables[2])


def test_one_known_vector_is_enough():
    vectors = torch.zeros(3, 2)
    vectors[2] = 5.0
    table = word_vectors(Task(3, ("no", "yes"), vectors=vectors), 9)
    assert table.isfinite().all()
    assert torch.equal(table[2], vectors[2])


def test_holes_are_zero_and_the_others_their_rows():
    table = embedding(Task(9, ("no", "yes")), 4)
    words, mask = torch.tensor([[3, 8, 3]]), torch.tensor([[True, False, True]])
    found = look_up(table, words, mask)
    assert table.weight.requires_grad
    assert torch.equal(found[0, 0], table.weight[3])
    assert not found[0, 1].any()
    assert torch.equal(found[0, 2], table.weight[3])
