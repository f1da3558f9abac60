import gzip
from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData
from holdfast.data.image.idx import idx_pool, read_idx
from tests.data.image.idx_files import IMAGES, LABELS, encode


@pytest.mark.parametrize("packed", [False, True])
def test_plain_or_packed(tmp_path: Path, packed: bool) -> None:
    values = torch.arange(24, dtype=torch.uint8).reshape(2, 3, 4)
    path = tmp_path / ("images.gz" if packed else "images")
    path.write_bytes(gzip.compress(encode(values)) if packed else encode(values))
    assert torch.equal(read_idx(path, 3), values)


def test_bad_files(tmp_path: Path) -> None:
    path = tmp_path / "images"
    good = encode(torch.zeros(2, 3, 4, dtype=torch.uint8))
    begins = r"expected an idx file of bytes with 3 axes \(00 00 08 03\), but it begins with"
    for data, sentence in (
        (b"", rf"^{path}: {begins} nothing$"),
        (b"PK\x03\x04", rf"^{path}: {begins} 50 4b 03 04$"),
        (encode(torch.zeros(2, dtype=torch.uint8)), rf"^{path}: {begins} 00 00 08 01$"),
        (good[:-1], rf"^{path}: expected 24 bytes for 2 × 3 × 4, but got 23$"),
        (good + b"x", rf"^{path}: expected 24 bytes for 2 × 3 × 4, but got 25$"),
        (good[:6], rf"^{path}: expected .* bytes for .*, but got 0$"),
    ):
        path.write_bytes(data)
        with pytest.raises(BadData, match=sentence):
            read_idx(path, 3)
    packed = tmp_path / "images.gz"
    packed.write_bytes(gzip.compress(good)[:-4])
    with pytest.raises(BadData, match="is not a readable gzip file"):
        read_idx(packed, 3)


def test_labels_that_do_not_fit(tmp_path: Path) -> None:
    files = {role: tmp_path / role for role in ("train", "test", "train-labels", "test-labels")}
    for role in ("train", "test"):
        files[role].write_bytes(encode(IMAGES))
        files[f"{role}-labels"].write_bytes(encode(LABELS))
    classes = tuple("0123456789")
    assert len(idx_pool("made", classes, files).train) == len(IMAGES)
    files["test-labels"].write_bytes(encode(LABELS[1:]))
    sentence = (
        rf"test-labels: expected {len(IMAGES)} labels, one for each image of .*, but got {len(IMAGES) - 1}$"
    )
    with pytest.raises(BadData, match=sentence):
        idx_pool("made", classes, files)
    files["test-labels"].write_bytes(encode(LABELS + 1))
    with pytest.raises(BadData, match=r"test-labels: expected labels from 0 to 9, but got 10$"):
        idx_pool("made", classes, files)
    files["test-labels"].write_bytes(encode(LABELS))
    files["test"].write_bytes(encode(IMAGES[:, 1:]))
    with pytest.raises(BadData, match="expected images as large as those of"):
        idx_pool("made", classes, files)
