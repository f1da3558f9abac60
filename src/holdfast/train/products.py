"""How a GPU multiplies: in TF32 while training, in float32 while explaining."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def allow_tf32(device: str) -> Iterator[None]:
    """Products in TF32, on a GPU: good enough to train with, and faster."""
    if device == "cpu":
        yield
    else:
        with _products("high", tf32=True):
            yield


@contextmanager
def exact_float32() -> Iterator[None]:
    """Products in float32, convolutions too, which torch does in TF32 unless it is told otherwise."""
    with _products("highest", tf32=False):
        yield


@contextmanager
def _products(precision: str, tf32: bool) -> Iterator[None]:
    before = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    torch.set_float32_matmul_precision(precision)
    torch.backends.cudnn.allow_tf32 = tf32
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before[0])
        torch.backends.cudnn.allow_tf32 = before[1]
