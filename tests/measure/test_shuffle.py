import itertools

import pytest
import torch

from holdfast.measure.shuffle import shuffled, uniform_of


def moves(rows, length, copy=0):
    """Where each position's score came from."""
    index = torch.arange(length, dtype=torch.float64).expand(len(rows), length)
    return shuffled(index, torch.ones(len(rows), length, dtype=torch.bool), rows, copy).long()


def test_scores_stay_in_their_instance_and_on_valid_positions():
    scores, mask = torch.rand(3, 20, 9), torch.rand(20, 9) < 0.6
    moved = shuffled(scores, mask, torch.arange(20), 1)
    assert (moved[:, ~mask] == 0).all()
    assert torch.allclose(moved.sort(-1)[0], (scores * mask).sort(-1)[0])


def test_the_shuffle_depends_on_the_row_alone():
    scores, mask = torch.rand(2, 6, 5), torch.rand(6, 5) < 0.8
    rows = torch.tensor([7, 3, 900, 4, 12, 55])
    whole = shuffled(scores, mask, rows, 2)
    part = torch.tensor([4, 1])
    assert torch.equal(shuffled(scores[:, part], mask[part], rows[part], 2), whole[:, part])
    wide, longer = (torch.nn.functional.pad(x, (0, 4)) for x in (scores, mask))
    assert torch.equal(shuffled(wide, longer, rows, 2)[..., :5], whole)


def test_neighbouring_rows_are_unrelated():
    numbers = uniform_of(torch.arange(500), 30)
    assert len(set(numbers.flatten().tolist())) == 500 * 30
    centred = numbers - 0.5
    for other in (centred[1:, :-1], centred[1:, 1:]):
        # The correlation of 14,471 independent pairs is below 0.03 with probability 0.9997.
        assert abs((centred[:-1, 1:] * other).mean().item() * 12) < 0.03


def test_every_order_is_equally_likely():
    for copy in (0, 2):
        seen = moves(torch.arange(24_000), 4, copy)
        count = torch.stack(
            [(seen == torch.tensor(p)).all(-1).sum() for p in itertools.permutations(range(4))]
        )
        assert count.sum() == 24_000
        # 24 cells of 1,000: chi-squared with 23 degrees of freedom is below 49.7 with probability 0.999.
        assert ((count - 1000.0) ** 2 / 1000).sum() < 49.7


def test_copies_never_repeat_a_place():
    rows = torch.arange(50)
    stack = torch.stack([moves(rows, 5, copy) for copy in range(5)])
    assert all(len(set(column.tolist())) == 5 for column in stack.reshape(5, -1).T)


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_shuffle(n):
    mask = torch.arange(3)[None] < n
    scores = torch.tensor([[5.0, 6.0, 7.0]])
    assert torch.equal(shuffled(scores, mask, torch.tensor([0]), 3), scores * mask)
