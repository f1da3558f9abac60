import torch

from holdfast.models.features.words import Trees, leaf_of, mixed


def stumps():
    """Two trees of one split each: on number 0 at 0.5, and on number 1 (of column 1) at 2."""
    trees = Trees.empty(3, 2, 1)
    for place, (feature, threshold, values) in enumerate([(0, 0.5, (1.0, 2.0)), (1, 2.0, (10.0, 20.0))]):
        trees.feature[place, 0], trees.threshold[place, 0] = feature, threshold
        trees.yes[place, 0], trees.no[place, 0] = 0b01, 0b10
        trees.value[place, :, 0] = torch.tensor(values)
    return trees


def test_a_row_reaches_one_leaf_of_each_tree():
    trees, rows = stumps(), torch.tensor([[[0.5], [2.5]], [[0.6], [1.0]]])
    assert trees.reached(rows).tolist() == [[1, 2, 1], [2, 1, 1]]
    assert trees.added(trees.reached(rows)).flatten().tolist() == [21.0, 12.0]


def test_columns_together_leave_the_same_leaf():
    trees, rows = stumps(), torch.randn(20, 2, 1, generator=torch.Generator().manual_seed(0)) * 2
    words = trees.by_column(rows)
    assert torch.equal(words[:, 0] & words[:, 1], trees.reached(rows))


def test_rows_are_mixed_column_by_column():
    trees, rows = stumps(), torch.tensor([[[0.5], [2.5]], [[0.6], [1.0]]])
    own, others = trees.by_column(rows[:1]), trees.by_column(rows[1:])
    kept = torch.tensor([[True, True], [True, False], [False, True], [False, False]])
    values = trees.added(mixed(own.expand(4, -1, -1), others, kept)).flatten()
    assert values.tolist() == [21.0, 11.0, 22.0, 12.0]


def test_every_bit_has_its_place():
    assert leaf_of(torch.tensor([1 << bit for bit in range(62)])).tolist() == list(range(62))
