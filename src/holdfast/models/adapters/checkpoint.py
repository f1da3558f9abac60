"""A folder with a trained encoder: what it must hold, its SHA-256, and how it is read. Nothing in it runs."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import torch
from safetensors import SafetensorError

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.files import digest_of, look, read_regular, sha256
from holdfast.core.places import place_of
from holdfast.core.plain import short
from holdfast.data.reading import roots

KNOWN = ("bert", "distilbert", "electra", "roberta")
WEIGHTS, CONFIG = "model.safetensors", "config.json"
PICKLED = ("pytorch_model.bin", "model.bin", "model.pt", "pytorch_model.pt")
CONVERT = (
    "python -c \"from transformers import AutoModel as M; M.from_pretrained('{0}').save_pretrained('{0}')\""
)
TOKENIZER = (
    "tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "vocab.json", "merges.txt",
)  # fmt: skip
LARGEST, JSON = 2**36, 2**26  # bytes
SPARE, ROUND = 128, 8  # rows of a table of vectors that only fill it up to a round number
DIGITS = 16  # of a SHA-256: what a plan names a checkpoint by

Stamp = tuple[tuple[str, int, int], ...]


class Checkpoint(NamedTuple):
    """An encoder in float32 that never trains, and the tokenizer that it was trained with."""

    encoder: Any
    tokenizer: Any


def digest(folder: Path) -> str:
    """The first digits of the SHA-256 of a checkpoint's settings, tokenizer and weights; a folder that holds
    something else is refused."""
    check(folder)
    each = {path.name: digest_of(path, LARGEST) for path in _files(folder)}
    return sha256(json.dumps(each, sort_keys=True).encode())[:DIGITS]


def locate(path: str, expected: str = "") -> Path:
    """Where a checkpoint lies. One that is named by its folder's name alone, as plans have it, is where it
    was when this process was told of its digest, or here, or in a data folder."""
    given = Path(path)
    if given.name != path:
        return given
    known = place_of(expected)
    places = (root / given for root in (Path(), *roots(None)))
    return known or next((place for place in places if place.is_dir()), given)


def check(folder: Path) -> None:
    """Refuse a folder without weights, with pickled ones, with code, or of another architecture."""
    if not folder.is_dir():
        what = "is a file" if folder.is_file() else "does not exist"
        _refuse(
            folder,
            f"{what}: expected the folder of a checkpoint, so put it back, or say where it is with --model "
            "bert:path=FOLDER, --model hf:FOLDER or --checkpoints",
        )
    config = _settings(folder, CONFIG)
    if not (folder / WEIGHTS).is_file():
        if any((folder / name).exists() for name in PICKLED):
            _refuse(
                folder,
                f"has pickled weights only, and reading those can run code: expected {WEIGHTS}, so where you "
                f"trust them convert them, with {CONVERT.format(short(str(folder)))}",
            )
        _refuse(folder, f"has no weights: expected {WEIGHTS}, in one file")
    for name in (CONFIG, "tokenizer_config.json"):
        if "auto_map" in (config if name == CONFIG else _settings(folder, name, needed=False)):
            _refuse(
                folder,
                f"brings code of its own (auto_map in {name}), which is never run: "
                "expected an architecture of transformers itself",
            )
    kind = config.get("model_type")
    if kind not in KNOWN:
        _refuse(
            folder, f"expected a model_type of {' or '.join(KNOWN)} in {CONFIG}, but got {short(str(kind))}"
        )
    if not any((folder / name).is_file() for name in TOKENIZER[:2]):
        _refuse(folder, f"has no tokenizer: expected {' or '.join(TOKENIZER[:2])}")


def stamp(folder: Path) -> Stamp:
    """By what a change of the files is seen without reading them."""
    stats = [(path.name, path.stat()) for path in _files(folder)]
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


def read(folder: Path, expected: str = "") -> Checkpoint:
    """The checkpoint; with ``expected``, only if that is its digest. It is read once in a process."""
    check(folder)
    return _read(folder, stamp(folder), expected)


@lru_cache(maxsize=2)
def _read(folder: Path, at: Stamp, expected: str) -> Checkpoint:
    came = digest(folder) if expected else ""
    if came != expected:
        _refuse(
            folder,
            f"is not the checkpoint that was asked for: expected SHA-256 {expected}…, but got {came}…, so "
            "put back the files as they were, or start over without sha256",
        )
    try:
        encoder, tokenizer, about = _loaded(folder)
    except ImportError:
        raise BadSetting("a checkpoint needs the package transformers: pip install 'holdfast[hf]'") from None
    except (OSError, ValueError, RuntimeError, KeyError, TypeError, SafetensorError) as error:
        _refuse(folder, f"cannot be read as a checkpoint ({short(str(error))})")
    missing = sorted(name for name in about["missing_keys"] if "pooler" not in name)
    if missing:
        _refuse(folder, f"lacks weights: expected all that {CONFIG} tells of, but {missing[0]} is not there")
    for name, came, wanted in sorted(about["mismatched_keys"]):
        sizes = [" × ".join(map(str, size)) for size in (wanted, came)]
        _refuse(
            folder,
            f"has weights of another size: expected {name} to be {sizes[0]}, as {CONFIG} says, but got "
            f"{sizes[1]}, so put back the files that belong together",
        )
    _check_tokenizer(folder, len(tokenizer), encoder.config.vocab_size)
    return Checkpoint(encoder.eval().requires_grad_(False), tokenizer)


def _loaded(folder: Path) -> tuple[Any, Any, dict[str, Any]]:
    """Encoder, tokenizer, and what transformers says of the weights; it says nothing by itself."""
    from transformers import AutoModel, AutoTokenizer

    own: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    how = {"attn_implementation": "eager", "use_safetensors": True, "dtype": torch.float32}
    how |= {"ignore_mismatched_sizes": True}  # refused afterwards, in a sentence of ours
    # what is built first and then overwritten draws random numbers, whose generator is the caller's
    with _quietly(), torch.device("cpu"), torch.random.fork_rng(devices=[]):
        encoder, about = AutoModel.from_pretrained(folder, output_loading_info=True, **how, **own)
        return encoder, AutoTokenizer.from_pretrained(folder, **own), about


@contextmanager
def _quietly() -> Iterator[None]:
    """Without its warnings and progress bars; afterwards they are as they were."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _check_tokenizer(folder: Path, pieces: int, rows: int) -> None:
    filled = rows == pieces or (rows % ROUND == 0 and 0 < rows - pieces < SPARE)
    if not filled:
        _refuse(
            folder,
            f"has a tokenizer that does not match: expected one of {rows:,} pieces, as {CONFIG} says, but "
            f"got {pieces:,}, so copy the tokenizer that the weights were trained with",
        )


def _files(folder: Path) -> list[Path]:
    return [path for name in (CONFIG, WEIGHTS, *TOKENIZER) if (path := folder / name).is_file()]


def _settings(folder: Path, name: str, needed: bool = True) -> dict[str, Any]:
    path = folder / name
    if not needed and not path.exists():
        return {}
    look(path, f"a checkpoint with {name}")
    try:
        values = json.loads(read_regular(path, JSON))
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        _refuse(folder, f"has a {name} that is not readable JSON: expected a checkpoint of transformers")
    return values


def _refuse(folder: Path, why: str) -> NoReturn:
    raise BadData(f"checkpoint {short(str(folder))} {why}")
