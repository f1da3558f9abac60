from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.named_sets import named_sets
from holdfast.data.source import Source, load
from tests.data.set_files import loaded, put, sizes, texts


@pytest.mark.parametrize("task", ["emotion", "hate"])
def test_tweeteval(tmp_path: Path, task: str) -> None:
    classes = len(named_sets()[f"tweeteval/{task}"]().classes)
    for name in ("train", "val", "test"):
        put(tmp_path, f"tweeteval/{task}/{name}_text.txt", [f"{t} \u2028!" for t in texts(name)])
        put(tmp_path, f"tweeteval/{task}/{name}_labels.txt", [str(i % classes) for i in range(10)])
    data = loaded(f"tweeteval/{task}", tmp_path)
    assert (sizes(data), len(data.task.classes)) == ([10, 10, 10], classes)
    put(tmp_path, f"tweeteval/{task}/val_labels.txt", ["0"])
    folder = tmp_path / "tweeteval" / task
    with pytest.raises(BadData) as caught:
        load(Source(f"tweeteval/{task}"), tmp_path)
    assert str(caught.value) == (
        f"{folder / 'val_labels.txt'}: expected 10 labels, "
        f"one for each line of {folder / 'val_text.txt'}, but got 1"
    )
