from dataclasses import replace
from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadRun, BadSetting
from holdfast.core.files import write_tensors
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.interaction.held_out import Holdout, held_out
from holdfast.data.names import Names
from holdfast.data.saved import pack
from holdfast.data.store import load_dataset
from holdfast.testing.dataset import check_same
from tests.data.histories import named

LISTS = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 1, 2]]
TITLES = ['<b>"One"</b>', *[""] * 119]
GENRES = ["Drama|War", "Film-Noir", *[""] * 118]


@pytest.fixture
def data() -> InteractionDataset:
    some = replace(named(LISTS, 120), titles=Names.of(TITLES), genres=Names.of(GENRES))
    return held_out("small", some, Holdout(4, samples=1))


def test_names(data: InteractionDataset) -> None:
    assert [data.item_name(item) for item in (1, 2)] == ['<b>"One"</b>', "i2"]
    assert [data.genres(item) for item in (1, 2, 3)] == [("Drama", "War"), ("Film-Noir",), ()]
    assert (data.user_row("u1"), data.user_name(1)) == (1, "u1")
    assert data.history(0) == [1, 2, 3, 4]
    assert data.history(1, "validation") == [6, 7, 8, 9]
    assert data.history(1, "test") == [7, 8, 9, 1]
    assert data.history(1, "train") == [6, 7, 8]
    assert data.task.sizes == (0, 0, 0, 1, 1)
    with pytest.raises(BadSetting) as caught:
        data.user_row("42")
    assert str(caught.value) == (
        "there is no user '42' among the 2 of 'small' (the first are 'u0' and 'u1'); "
        "users with too few interactions, with no item left to recommend, or beyond --limit are left out"
    )


def test_without_titles() -> None:
    plain = held_out("small", named(LISTS, 120), Holdout(4))
    assert (plain.item_name(3), plain.genres(3)) == ("i3", ())
    assert (plain.task.vocabulary, plain.task.classes, plain.task.length, plain.task.kind) == (
        121,
        (),
        4,
        "interaction",
    )


def test_what_is_saved_is_loaded(data: InteractionDataset, tmp_path: Path) -> None:
    path = tmp_path / "data.safetensors"
    digest = data.save(path)
    again = load_dataset(path)
    check_same(data, again)
    assert again.save(path) == digest
    both = held_out("small", named(LISTS, 120), Holdout(4, 3, "validation"))
    both.save(path)
    check_same(both, load_dataset(path))
    assert load_dataset(path).splits["train"].samples == 3


@pytest.mark.parametrize(
    "about", ['{"kind": "interaction"}', '{"kind": "interaction", "format": 9}', '{"format": 1}', "[]"]
)
def test_files_of_another_kind(about: str, tmp_path: Path) -> None:
    path = tmp_path / "data.safetensors"
    write_tensors(path, {"about": pack(about), "x": torch.ones(1)})
    with pytest.raises(BadRun, match=r"start over with --fresh|another version"):
        InteractionDataset.load(path)
