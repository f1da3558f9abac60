import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.repair.attention_at import AttentionAt
from holdfast.repair.attention_iat import AttentionIat
from holdfast.testing.repair import check_repair
from tests.reference import adversaries
from tests.repair.attacked import CLASSES, ITEMS, LENGTH, WORDS, attacked, losses
from tests.repair.test_attention_at import moved

ROWS = pytest.mark.parametrize("rows", ["unit", "raw"])


@ROWS
def test_the_contract(rows):
    check_repair(AttentionIat(rows=rows))


@ROWS
@pytest.mark.parametrize(
    ("model", "task"), [("average:hidden=4,dim=3", CLASSES), ("bilstm:hidden=3,dim=3", WORDS)]
)
def test_scores_move_towards_one_another(model, task, rows):
    own = attacked(model, task)
    found, plain = losses(AttentionIat(LENGTH, rows), own), own.run.losses(own.batch)
    for row in range(len(own.batch) - 1):  # the last has no word
        scores = own.run(own.alone(row)).attention[0][0].clamp(min=1e-300).log()
        about = scores, own.batch.mask[row].tolist(), LENGTH, rows == "unit"
        expected = adversaries.attention_iat(own.by_map(row, moved), *about)
        torch.testing.assert_close(found[row], plain[row] + expected)
    torch.testing.assert_close(found[-1], 2 * plain[-1])


@pytest.mark.parametrize(("model", "task"), [("bilstm:hidden=3,dim=3", WORDS), ("sasrec:dim=4", ITEMS)])
def test_with_rows_of_length_one_it_is_attention_at(model, task):
    own = attacked(model, task)
    torch.testing.assert_close(losses(AttentionIat(LENGTH), own), losses(AttentionAt(LENGTH), own))
    raw = losses(AttentionIat(LENGTH, "raw"), own)
    assert not torch.allclose(raw, losses(AttentionAt(LENGTH), own))


@ROWS
def test_equal_scores_have_no_direction(rows):
    even, allowed = torch.full((1, 4), 0.25), torch.ones(1, 4, dtype=torch.bool)
    assert not AttentionIat(rows=rows).shift(torch.randn(1, 4), even, allowed).any()


def test_other_rows_are_refused():
    with pytest.raises(BadSetting) as error:
        AttentionIat(rows="long")
    assert str(error.value) == "attention_iat: expected rows to be unit or raw, but got long"
