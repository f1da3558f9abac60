"""Where a study's data come from: a named set, a file of texts or of images, or planted reviews."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting, UnknownName
from holdfast.core.settings import build as build_set
from holdfast.core.settings import split_label
from holdfast.data.base import Dataset
from holdfast.data.build import Limits, build
from holdfast.data.columns import Columns, corpus_of
from holdfast.data.corpus import Corpus
from holdfast.data.image_file import ENDING, check_images, read_images
from holdfast.data.sets import named_sets
from holdfast.data.sets.base import NamedSet
from holdfast.data.sets.strips import StripSet
from holdfast.data.tables import ENDINGS, check_file, read_table
from holdfast.data.vectors import locate as locate_vectors
from holdfast.data.vectors import read_vectors

VERSION = 1  # of reading, cutting and numbering texts: a change of any of them is another data set


@dataclass(frozen=True)
class Source:
    """Everything that decides which examples a study sees.

    ``data`` is a name (``planted:train=500`` gives settings) or a file; ``text``, ``label`` and ``query``
    name a file's columns; ``vectors`` is a name, a file, or nothing for random ones; ``limit`` caps the
    training examples; ``steps`` is how many strips the images of a file (``.npz``) are cut into.
    """

    data: str = "planted"
    text: str | None = None
    label: str | None = None
    query: str | None = None
    vectors: str | None = None
    max_length: int = 256
    min_count: int = 1
    max_words: int | None = None
    limit: int | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        least = {"max_length": 1, "min_count": 1, "max_words": 1, "limit": 2, "steps": 1}
        for name, bound in least.items():
            value = getattr(self, name)
            if value is not None and value < bound:
                raise BadSetting(f"expected {name} to be at least {bound}, but got {value}")


class Available(NamedTuple):
    """One line of ``holdfast list data``: ``where`` is a folder, or what is missing."""

    name: str
    about: str
    where: str
    ready: bool


def load(source: Source, data_dir: Path | None = None) -> Dataset:
    """Read the data set.

    >>> data = load(Source("planted:train=20,validation=10,test=10"))
    >>> len(data.splits["train"]), data.task.classes
    (20, ('negative', 'positive'))
    >>> load(Source("digits-maj")).task.strip
    (12, 8, 2)
    """
    found = _read(source, data_dir)
    if isinstance(found, Dataset):
        return found
    limits = Limits(source.max_length, source.min_count, source.max_words, source.limit)
    return build(found, limits, _vector_reader(source.vectors, data_dir))


def digest(source: Source, data_dir: Path | None = None) -> str:
    """SHA-256 of the settings and of the bytes of every file used: it changes when the data do."""
    total = hashlib.sha256()
    known = _known(source)
    settings = asdict(source) | {"reading": VERSION}
    if source.steps is None:
        del settings["steps"]  # texts are known by what they were known by before there were strips
    if known is not None:
        settings |= {"set": known.version} | asdict(known)  # type: ignore[call-overload]
        files = list(known.locate(data_dir).values())
    else:
        files = [_file(source.data)]
        check_images(files[0]) if _of_images(files[0]) else check_file(files[0])
        settings["data"] = files[0].name
    if source.vectors is not None:
        found = locate_vectors(source.vectors, data_dir)
        settings["vectors"] = found[0].name
        files += found
    total.update(json.dumps(settings, sort_keys=True).encode())
    for path in files:
        total.update(_sha256(path))
    return total.hexdigest()


def reads(source: Source) -> Literal["words", "strips"]:
    """What models of this source read, told by its name alone.

    >>> reads(Source("digits-maj")), reads(Source("reviews.csv"))
    ('strips', 'words')
    """
    known = _named(source.data)
    images = _of_images(Path(source.data)) if known is None else isinstance(known, StripSet)
    return "strips" if images else "words"


def available(data_dir: Path | None = None) -> list[Available]:
    """Every named set, and where it was found or what is missing."""
    return [_availability(cls(), data_dir) for cls in named_sets().values()]


def _read(source: Source, data_dir: Path | None) -> Corpus | Dataset:
    known = _known(source)
    if known is not None:
        return known.corpus(known.locate(data_dir))
    path = _file(source.data)
    name = path.name.split(".")[0]
    if _of_images(path):
        _refuse(source, ("text", "label", "query", "vectors"), "a file of images")
        return read_images(path, name, source.steps, source.limit)
    if source.steps is not None:
        raise BadSetting(f"steps cuts images into strips, but {path} holds texts: leave it out")
    return corpus_of(read_table(path), Columns(source.text, source.label, source.query), name)


def _known(source: Source) -> NamedSet | None:
    """The named set, if it is one, with everything that the source says of it."""
    known = _named(source.data)
    if known is None:
        return None
    _refuse(source, ("text", "label", "query"), "a named data set")
    if source.steps is not None:
        name, steps = source.data.partition(":")[0], source.steps
        raise BadSetting(f"steps is for files of images: for the named data set write '{name}:steps={steps}'")
    if not isinstance(known, StripSet):
        return known
    _refuse(source, ("vectors",), "a data set of images")
    return known if source.limit is None else replace(known, limit=source.limit)


def _refuse(source: Source, options: Sequence[str], what: str) -> None:
    for option in options:
        if getattr(source, option) is not None:
            names = "names word vectors" if option == "vectors" else "names a column of a file"
            raise BadSetting(f"--{option} {names}, but '{source.data}' is {what}: leave it out")


def _of_images(path: Path) -> bool:
    return path.suffix == ENDING


def _named(data: str) -> NamedSet | None:
    """The named set; a name with a colon has settings."""
    sets = named_sets()
    name, _, _ = data.partition(":")
    if name not in sets:
        return None
    return build_set(sets[name], split_label(data)[1])


def _file(data: str) -> Path:
    path = Path(data)
    if not path.exists() and not any(ending in path.suffixes for ending in (*ENDINGS, ENDING, ".gz")):
        raise UnknownName("data set or file", data, named_sets())
    return path


def _vector_reader(vectors: str | None, data_dir: Path | None) -> "partial[Float[Tensor, 'V D']] | None":
    return None if vectors is None else partial(read_vectors, locate_vectors(vectors, data_dir))


def _sha256(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        raise BadData(f"cannot read {path}: {error.strerror}") from error


def _availability(known: NamedSet, data_dir: Path | None) -> Available:
    try:
        files: Sequence[Path] = list(known.locate(data_dir).values())
    except BadData as error:
        return Available(known.name, known.about, str(error), False)
    where = str(files[0].parent) if files else f"always there: {known.comes}"
    return Available(known.name, known.about, where, True)
