"""Any images, from a file; whatever is wrong with it is one sentence."""

from pathlib import Path

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.source import Source, digest, load
from holdfast.testing.dataset import check_dataset

PIXELS = np.arange(40 * 3 * 4).reshape(40, 3, 4) % 251
LABELS = np.array(["cat", "dog"] * 20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pets.npz"


def test_bytes(path: Path) -> None:
    np.savez_compressed(path, images=PIXELS.astype(np.uint8), labels=LABELS)
    data = load(Source(str(path), steps=2))
    check_dataset(data, again=lambda: load(Source(str(path), steps=2)))
    assert (data.name, data.task.classes, data.task.strip) == ("pets", ("cat", "dog"), (2, 3, 2))
    assert [len(split) for split in data.splits.values()] == [28, 4, 8]
    assert data.notes == ("pets.npz has no splits: a seeded, stratified split of 70/10/20 % is used.",)
    assert len(load(Source(str(path), steps=2, limit=10)).splits["train"]) == 10


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_other_numbers_are_scaled_by_the_largest(path: Path, kind) -> None:
    np.savez(path, images=(PIXELS * 3).astype(kind), labels=np.arange(40) % 3)
    data = load(Source(str(path), steps=4))
    every = torch.cat([split.images.flatten() for split in data.splits.values()])
    assert (int(every.min()), int(every.max())) == (0, 255)
    assert data.task.classes == ("0", "1", "2")


def test_the_digest(path: Path) -> None:
    np.savez(path, images=PIXELS, labels=LABELS)
    one = digest(Source(str(path), steps=2))
    assert one != digest(Source(str(path), steps=4))
    np.savez(path, images=PIXELS, labels=LABELS[::-1])
    assert one != digest(Source(str(path), steps=2))


NAN = PIXELS.astype(float)
NAN[3, 0, 0] = np.nan
BAD = {
    "missing": (
        {"pictures": PIXELS, "labels": LABELS},
        "has no array 'images': it holds pictures and labels",
    ),
    "labels": ({"images": PIXELS}, "has no array 'labels': it holds images"),
    "axes": (
        {"images": PIXELS[0], "labels": LABELS},
        r": expected images of shape \(number, height, width\), but got \(3, 4\)",
    ),
    "colours": (
        {"images": PIXELS[..., None], "labels": LABELS},
        r": expected images of shape \(number, height, width\), but got \(40, 3, 4, 1\)",
    ),
    "length": (
        {"images": PIXELS, "labels": LABELS[:9]},
        r": expected 40 labels, one for each image, but got shape \(9,\)",
    ),
    "nan": (
        {"images": NAN, "labels": LABELS},
        ": expected finite numbers, but image 3 has a NaN or an infinity",
    ),
    "nan label": (
        {"images": PIXELS, "labels": np.full(40, np.nan)},
        ": expected a label for every image, but some are NaN",
    ),
    "empty label": (
        {"images": PIXELS, "labels": np.array(["", "b"] * 20)},
        ": expected labels that are whole numbers or words, but some are not",
    ),
    "half a label": (
        {"images": PIXELS, "labels": np.array([0.5, 1.5] * 20)},
        ": expected labels that are whole numbers or words, but some are not",
    ),
    "no images": (
        {"images": PIXELS[:0], "labels": LABELS[:0]},
        "has no images: expected some, with a label for each",
    ),
    "negative": (
        {"images": PIXELS - 9, "labels": LABELS},
        r": expected intensities from 0 \(background\) up, but they go from -9 to 241",
    ),
    "nothing to see": (
        {"images": 0 * PIXELS, "labels": LABELS},
        ": expected images to learn from, but every pixel of all of them is 0",
    ),
    "text": (
        {"images": np.full((40, 3, 4), "a"), "labels": LABELS},
        ": expected images of numbers, but got the type <U1",
    ),
    "one class": (
        {"images": PIXELS, "labels": LABELS[::2].repeat(2)},
        ": expected two classes or more, but every label is 'cat'",
    ),
    "few": (
        {"images": PIXELS, "labels": np.array([0] * 38 + [1] * 2)},
        ": expected 3 images of every class or more, but class '1' has 2",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(path: Path, name: str) -> None:
    arrays, sentence = BAD[name]
    np.savez(path, **arrays)
    with pytest.raises(BadData, match=rf"^{path} ?{sentence}$"):
        load(Source(str(path), steps=2))


def test_files_that_are_no_archives(path: Path) -> None:
    for data in (b"", b"PK\x03\x04 cut", b"a,b\n1,2\n"):
        path.write_bytes(data)
        with pytest.raises(
            BadData, match=r"pets\.npz is not a readable NumPy file \(.*\): expected a \.npz file with"
        ):
            load(Source(str(path), steps=2))
    with path.open("wb") as file:
        np.save(file, PIXELS)
    with pytest.raises(
        BadData, match=r"holds one array without a name: save images and labels with numpy\.savez$"
    ):
        load(Source(str(path), steps=2))
    for use in (load, digest):
        path.unlink(missing_ok=True)
        with pytest.raises(
            BadData, match=r"pets\.npz does not exist: expected a \.npz file with images and labels$"
        ):
            use(Source(str(path), steps=2))


def test_objects_are_never_unpacked(path: Path) -> None:
    np.savez(path, images=np.array([{"a": 1}], dtype=object), labels=LABELS)
    with pytest.raises(
        BadData, match=r"is not a readable NumPy file \(.*\): expected a \.npz file with images and labels$"
    ):
        load(Source(str(path), steps=2))


def test_settings(path: Path, tmp_path: Path) -> None:
    np.savez(path, images=PIXELS, labels=LABELS)
    with pytest.raises(BadSetting, match=r"holds images 4 pixels wide: say into how many strips to cut them"):
        load(Source(str(path)))
    with pytest.raises(
        BadSetting, match=r"pets\.npz: expected steps to divide the width of 4 pixels \(1, 2, 4\), but got 3$"
    ):
        load(Source(str(path), steps=3))
    with pytest.raises(BadSetting, match=r"^expected steps to be at least 1, but got 0$"):
        Source(str(path), steps=0)
    with pytest.raises(
        BadSetting, match=r"^--vectors names word vectors, but '.*' is a file of images: leave it out$"
    ):
        load(Source(str(path), steps=2, vectors="glove-100d"))
    with pytest.raises(BadSetting, match=r"for the named data set write 'digits:steps=2'$"):
        load(Source("digits", steps=2))
    with pytest.raises(BadSetting, match=r"^--vectors names word vectors, but 'digits' is an image data set"):
        load(Source("digits", vectors="glove-100d"))
    table = tmp_path / "reviews.csv"
    table.write_text("text,label\ngood,1\n")
    with pytest.raises(
        BadSetting, match=r"^--steps cuts images into strips, but .* is a file of texts: leave it out$"
    ):
        load(Source(str(table), steps=2))
