from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.source import Source, load
from tests.data.image.idx_files import put_idx
from tests.data.set_files import loaded, sizes


def test_mnist(tmp_path: Path) -> None:
    put_idx(tmp_path, "mnist")
    for text, name, strip in (
        ("mnist", "mnist", (4, 28, 7)),
        ("mnist:steps=7", "mnist:steps=7", (7, 28, 4)),
        ("mnist:steps=1", "mnist:steps=1", (1, 28, 28)),
        ("mnist-maj", "mnist-maj", (12, 28, 7)),
    ):
        data = loaded(text, tmp_path)
        assert (data.name, data.task.strip, sizes(data)) == (name, strip, [1000, 1000, 1000])
        assert data.task.classes == tuple("0123456789")


def test_what_it_wants_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"needs mnist/train-images-idx3-ubyte, .*\(plain or \.gz\)"):
        load(Source("mnist"), tmp_path)
