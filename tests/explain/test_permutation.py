import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.explain.permutation import Permutation
from holdfast.models.features.logistic import Logistic
from holdfast.train.family import Family
from tests.models.features.cases import table


def test_it_is_no_less_than_the_mean_with_its_sign():
    data = table()
    family = Family.fit(Logistic(), data, [Member(0)])
    rows, target = torch.arange(6), torch.ones(6, dtype=torch.long)
    moved, mean = (
        family.explain(explainer, data.splits["test"], rows, target).scores[0]
        for explainer in (Permutation(rows=8), LeaveOneOut())
    )
    assert bool((moved >= mean.abs() - 1e-6).all())
    assert bool((moved > mean.abs() + 1e-3).any())


def test_chunks_change_nothing():
    data = table()
    family = Family.fit(Logistic(), data, [Member(0)])
    rows, target = torch.arange(6), torch.zeros(6, dtype=torch.long)
    whole, parts = (
        family.explain(Permutation(chunk=chunk), data.splits["test"], rows, target).scores
        for chunk in (8192, 10)
    )
    assert torch.allclose(whole, parts, atol=1e-6)


def test_words_have_no_values_in_other_rows(family, planted):
    with pytest.raises(
        BadSetting, match=r"^permutation: expected a table of features, but got words, items or"
    ):
        family.explain(Permutation(), planted.splits["test"], torch.tensor([0]), torch.tensor([0]))


@pytest.mark.parametrize("field", ["rows", "chunk"])
def test_no_rows_are_refused(field):
    with pytest.raises(BadSetting, match=rf"^permutation: expected {field} to be at least 1, but got 0$"):
        Permutation(**{field: 0})
