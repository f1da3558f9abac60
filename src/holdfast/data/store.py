"""Data sets as files: whatever kind was saved is loaded again."""

import json
from pathlib import Path

from safetensors import SafetensorError, safe_open

from holdfast.core.errors import BadRun
from holdfast.data.base import Dataset
from holdfast.data.image.dataset import KIND as STRIPS
from holdfast.data.image.dataset import StripDataset
from holdfast.data.interaction.dataset import KIND as ITEMS
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.text.dataset import TextDataset
from holdfast.data.text.sequences import unpack


def load_dataset(path: Path) -> Dataset:
    """Read back a data set; the file says of which kind it is.

    >>> from tempfile import TemporaryDirectory
    >>> from holdfast.data.source import Source, load
    >>> with TemporaryDirectory() as folder:
    ...     _ = load(Source("digits")).save(Path(folder) / "data.safetensors")
    ...     load_dataset(Path(folder) / "data.safetensors").task.strip
    (4, 8, 2)
    """
    kinds: dict[str, type[Dataset]] = {STRIPS: StripDataset, ITEMS: InteractionDataset}
    return kinds.get(_kind(path), TextDataset).load(path)


def _kind(path: Path) -> str:
    try:
        with safe_open(path, "pt") as file:
            about = json.loads(unpack(file.get_tensor("about")))
            return str(about.get("kind", "text"))
    except OSError as error:
        raise BadRun(f"cannot read {path}: {error.strerror or error}") from error
    except (SafetensorError, ValueError, AttributeError) as error:
        raise BadRun(f"{path} is not a data set that Holdfast saved: start over with --fresh") from error
