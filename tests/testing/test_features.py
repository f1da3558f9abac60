"""Tables that break their promises are found."""

from dataclasses import replace

import pytest
import torch

from holdfast.data.features.columns import Columns
from holdfast.testing.features import check_same_tables, check_table
from tests.models.features.cases import table


def test_a_good_one_passes():
    check_table(table(resample=True))
    check_same_tables(table(), table())


def test_a_background_of_other_rows():
    data = table()
    columns = data.task.columns
    strange = Columns(columns.sizes, columns.shares, columns.background + 1)
    with pytest.raises(AssertionError, match=r"^the background is of other rows$"):
        check_table(replace(data, task=replace(data.task, columns=strange)))
    with pytest.raises(AssertionError, match=r"^the background differs$"):
        check_same_tables(data, replace(data, task=replace(data.task, columns=strange)))


def test_numbers_that_are_not_centred():
    data = table()
    train = replace(
        data.splits["train"], values=data.splits["train"].values + torch.tensor([1.0, 0, 0, 0, 0])
    )
    with pytest.raises(AssertionError, match=r"^column 0 has not the mean 0$"):
        check_table(replace(data, splits={**data.splits, "train": train}))


def test_two_columns_of_one_name():
    data = table()
    with pytest.raises(AssertionError, match=r"^two columns have one name$"):
        check_table(replace(data, columns=(data.columns[0], *data.columns[1:4], data.columns[0])))
