"""State dicts in safetensors files: read for one module, refused where they are of another."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from holdfast.core.errors import BadData, BadRun
from holdfast.core.files import digest_of, look, read_tensors
from holdfast.core.plain import short
from holdfast.data.reading import listed

LARGEST = 2**36  # bytes
PICKLED = (".pt", ".pth", ".bin", ".pkl", ".pickle", ".ckpt")
CONVERT = (
    "convert it where you trust it, with safetensors.torch.save_file(torch.load(old, weights_only=True), new)"
)


def digests(paths: Sequence[Path]) -> tuple[str, ...]:
    """The SHA-256 of each file; what is not safetensors, or there twice, is refused."""
    found: dict[str, Path] = {}
    for path in paths:
        look(path, "a state dict in a .safetensors file")
        if path.suffix.lower() in PICKLED or zipfile.is_zipfile(path):
            raise BadData(
                f"{short(path)} is pickled, and reading that can run code: expected a .safetensors file, so "
                f"{CONVERT}"
            )
        digest = digest_of(path, LARGEST)
        if digest in found:
            raise BadData(
                f"{short(path)} holds the same bytes as {short(found[digest])}: expected members that were "
                "each trained with a seed of its own"
            )
        found[digest] = path
    return tuple(found)


def state_dict(path: Path, digest: str, module: nn.Module, embedding: str) -> dict[str, Tensor]:
    """The tensors of a file, if they are those of this module; tensors that it shares may be there once."""
    try:
        tensors = read_tensors(path, digest, LARGEST)
    except BadRun as error:
        raise BadData(f"{error}: expected a state dict as safetensors.torch.save_file writes it") from None
    wanted, name = module.state_dict(), type(module).__name__
    tensors = _shared(tensors, wanted)
    missing, more = sorted(wanted.keys() - tensors.keys()), sorted(tensors.keys() - wanted.keys())
    if missing or more:
        lacks = f"lacks {listed(missing)}" if missing else ""
        has = f"has {listed(more)}, which {name} has not" if more else ""
        raise BadData(
            f"{short(path)} is no state dict of this {name}: it {' and '.join(filter(None, [lacks, has]))}"
        )
    for key, tensor in tensors.items():
        if tensor.shape != wanted[key].shape:
            of_words = key.startswith(f"{embedding}.")
            why = ": it is of another vocabulary" if of_words else ": it is of a module of other sizes"
            raise BadData(
                f"{short(path)}: expected {key} of shape {tuple(wanted[key].shape)}, as this {name} has it, "
                f"but got {tuple(tensor.shape)}{why}"
            )
        if not bool(torch.isfinite(tensor).all()):
            raise BadData(f"{short(path)}: {key} has numbers that are not finite")
    return {key: tensors[key].to(wanted[key].dtype) for key in wanted}


def _shared(tensors: Mapping[str, Tensor], wanted: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """With every name of a tensor that has several, where one of them is there."""
    alike: dict[int, list[str]] = {}
    for key, tensor in wanted.items():
        alike.setdefault(tensor.data_ptr(), []).append(key)
    known = dict(tensors)
    for names in alike.values():
        there = [key for key in names if key in tensors]
        if there and wanted[names[0]].numel():
            known |= {key: tensors[there[0]] for key in names if key not in tensors}
    return known
