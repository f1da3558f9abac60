"""The device that a plan names, and the one that this machine has for it."""

import torch

NO_GPU = "expected a GPU for --device cuda, but torch sees none: use --device cpu"


def at_hand(device: str) -> str:
    """The device itself; the CPU in place of a GPU that is not here.

    >>> at_hand("cpu")
    'cpu'
    """
    return device if device == "cpu" or torch.cuda.is_available() else "cpu"
