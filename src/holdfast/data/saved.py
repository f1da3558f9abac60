"""The files of data sets: tensors, and beside them as JSON what they are."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.errors import BadRun
from holdfast.core.files import read_tensors

FOREIGN = "{} is not a data set that Holdfast saved: start over with --fresh"


def pack(text: str) -> Int[Tensor, "L"]:
    """Text as bytes in a tensor.

    >>> unpack(pack("naïve"))
    'naïve'
    """
    return torch.from_numpy(np.array(bytearray(text.encode()), dtype=np.uint8))


def unpack(data: Int[Tensor, "L"]) -> str:
    """The inverse of :func:`pack`."""
    return data.numpy().tobytes().decode()


@contextmanager
def saved(path: Path, version: int) -> Iterator[tuple[dict[str, Any], Mapping[str, Tensor]]]:
    """What a file says about itself, and its tensors; one that lacks what is read of it is refused."""
    tensors = read_tensors(path)
    try:
        about = json.loads(unpack(tensors["about"]))
        if about["format"] != version:
            raise BadRun(f"{path} was written by another version: expected format {version}")
        yield about, tensors
    except (KeyError, ValueError, TypeError) as error:
        raise BadRun(FOREIGN.format(path)) from error
