"""Small idx files in the published form."""

import gzip
from pathlib import Path

import torch

from holdfast.core.draws import generator

SIZE = 3000
LABELS = (torch.arange(SIZE) % 10).to(torch.uint8)
IMAGES = torch.randint(0, 256, (SIZE, 28, 28), generator=generator(None, "tests")).to(torch.uint8)


def encode(values) -> bytes:
    """The idx form of bytes."""
    sizes = b"".join(size.to_bytes(4, "big") for size in values.shape)
    return bytes([0, 0, 8, values.dim()]) + sizes + values.numpy().tobytes()


def put_idx(root: Path, folder: str) -> None:
    """The four files, the images packed: 2,000 to train on, 1,000 to test."""
    (root / folder).mkdir()
    for name, rows in (("train", slice(0, 2000)), ("t10k", slice(2000, 3000))):
        images, labels = (root / folder / f"{name}-{kind}-ubyte" for kind in ("images-idx3", "labels-idx1"))
        images.with_name(f"{images.name}.gz").write_bytes(gzip.compress(encode(IMAGES[rows]), 1))
        labels.write_bytes(encode(LABELS[rows]))
