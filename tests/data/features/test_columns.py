import torch

from holdfast.data.base import Task
from holdfast.data.features.columns import Columns


def test_columns_make_a_task_one_of_features():
    columns = Columns((1, 3), torch.zeros(2, 3), torch.zeros(4, 2))
    assert len(columns) == 2
    assert Task(0, ("no", "yes"), columns=columns).kind == "features"
