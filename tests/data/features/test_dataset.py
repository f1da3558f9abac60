import pytest
import torch

from holdfast.core.errors import BadRun
from holdfast.core.files import write_tensors
from holdfast.core.records import Member
from holdfast.data.features.dataset import FeatureDataset
from holdfast.data.saved import pack
from holdfast.testing.dataset import check_dataset
from tests.models.features.cases import table


@pytest.mark.parametrize("resample", [False, True])
def test_it_keeps_the_contract(resample):
    check_dataset(table(3, resample=resample), lambda: table(3, resample=resample))


def test_a_draw_is_a_members_own_and_of_the_training_rows_alone():
    data = table(resample=True)
    rows = data.splits["train"].trains(Member(3))
    assert torch.equal(rows, data.splits["train"].trains(Member(3)))
    assert 0.5 < len(set(rows.tolist())) / len(rows) < 0.75  # 1 − 1/e
    assert data.splits["test"].trains(Member(3)) is None
    assert table().splits["train"].trains(Member(3)) is None


def test_shares_of_categories_are_those_of_the_training_rows():
    data = table()
    codes = data.splits["train"].values[:, 1].tolist()
    shares = data.task.columns.shares
    assert shares[1].tolist() == pytest.approx([codes.count(float(k)) / len(codes) for k in range(3)])
    assert shares[0].tolist() == [0.0] * 3


def test_rows_are_told_and_read():
    data = table()
    assert data.told(torch.tensor([0.5, 2.0, -1.0, 0.0, 0.25])) == (
        "column 0 = 0.5", "column 1 = c", "column 2 = -1", "column 3 = a", "column 4 = 0.25",
    )  # fmt: skip
    given = {"column 0": [1], "column 1": ["b"], "column 2": ["2"], "column 3": ["z"], "column 4": [0]}
    assert data.read(given).tolist() == [[1.0, 1.0, 2.0, -1.0, 0.0]]


def test_only_columns_of_numbers_can_be_a_little_larger():
    data = table()
    assert data.numbers(data.splits["test"].batch(torch.tensor([0])))[0].tolist() == [
        True,
        False,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("about", ['{"format": 9}', '{"format": 1}', "["])
def test_another_file_is_refused(tmp_path, about):
    write_tensors(tmp_path / "x.safetensors", {"about": pack(about)})
    with pytest.raises(BadRun):
        FeatureDataset.load(tmp_path / "x.safetensors")
