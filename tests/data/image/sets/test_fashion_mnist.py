from pathlib import Path

from tests.data.image.idx_files import put_idx
from tests.data.set_files import loaded, sizes


def test_fashion_mnist(tmp_path: Path) -> None:
    put_idx(tmp_path, "fashion-mnist")
    data = loaded("fashion-mnist", tmp_path)
    assert (data.task.strip, sizes(data)) == ((4, 28, 7), [1000, 1000, 1000])
    assert (data.task.classes[0], data.task.classes[9]) == ("T-shirt/top", "Ankle boot")
    assert loaded("fashion-maj:limit=200", tmp_path).task.strip == (12, 28, 7)
