"""The precision of a GPU: TF32 while training, float32 while explaining."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def allow_tf32(device: str) -> Iterator[None]:
    """Multiply in TF32 on a GPU: precise enough to train with, and faster."""
    if device == "cpu":
        yield
    else:
        with _precision("high", tf32=True):
            yield


@contextmanager
def exact_float32() -> Iterator[None]:
    """Multiply in float32, also in convolutions, for which torch uses TF32 by default."""
    with _precision("highest", tf32=False):
        yield


@contextmanager
def _precision(precision: str, tf32: bool) -> Iterator[None]:
    before = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    torch.set_float32_matmul_precision(precision)
    torch.backends.cudnn.allow_tf32 = tf32
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before[0])
        torch.backends.cudnn.allow_tf32 = before[1]
