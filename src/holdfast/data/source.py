"""Where a study's data come from: a named set, or a file of texts, of images or of interactions."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting, UnknownName
from holdfast.core.files import open_regular
from holdfast.core.settings import MOST, at_most, split_label
from holdfast.core.settings import build as build_set
from holdfast.data.base import Dataset, Kind
from holdfast.data.image.file import ENDING, check_images, read_images
from holdfast.data.image.sets.base import StripSet
from holdfast.data.interaction.columns import Roles, looks_like
from holdfast.data.interaction.file import TEXTS, check_plays, read_plays
from holdfast.data.interaction.filters import Filter, How
from holdfast.data.interaction.held_out import HeldOutItem, Holdout, held_out
from holdfast.data.interaction.named import plays_of
from holdfast.data.interaction.sets.base import InteractionSet
from holdfast.data.named_set import NamedSet
from holdfast.data.named_sets import named_sets
from holdfast.data.reading import STREAMED
from holdfast.data.tables import ENDINGS, check_file, read_table
from holdfast.data.text.build import Limits, build
from holdfast.data.text.columns import Columns, corpus_of
from holdfast.data.text.corpus import Corpus
from holdfast.data.text.vectors import locate as locate_vectors
from holdfast.data.text.vectors import read_vectors

LONGEST = 1_000_000  # words of a text
VERSION = 1  # of reading, cutting and numbering texts: a change of any of them is another data set


PLAYS: dict[str, Any] = dict.fromkeys(("user", "item", "time", "rating"))
PLAYS |= {"filter": "once", "least": 5, "length": 50, "samples": None, "holdout": "test"}


@dataclass(frozen=True)
class Source:
    """Everything that decides which examples a study sees.

    ``data`` is a name (``planted:train=500`` gives settings) or a file; ``text``, ``label`` and ``query``
    name a file's columns; ``vectors`` is a name, a file, or nothing for random ones; ``limit`` caps the
    training examples; ``steps`` is how many strips the images of a file (``.npz``) are cut into.

    Of a file of interactions, ``user``, ``item``, ``time`` and ``rating`` name the columns; ``filter`` and
    ``least`` say which users and items are dropped (:class:`Filter`); ``length``, ``samples`` and ``holdout``
    what a model sees and is asked for (:class:`Holdout`); ``limit`` caps the users. Defaults are filled in:

    >>> source = Source("plays.csv", user="who")
    >>> source.filter, source.least, source.length, source.holdout
    ('once', 5, 50, 'test')
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
    user: str | None = None
    item: str | None = None
    time: str | None = None
    rating: str | None = None
    filter: How | None = None
    least: int | None = None
    length: int | None = None
    samples: int | None = None
    holdout: HeldOutItem | None = None

    def __post_init__(self) -> None:
        least = {"max_length": 1, "min_count": 1, "max_words": 1, "limit": 2, "steps": 1}
        for name, bound in least.items():
            value = getattr(self, name)
            if value is not None and value < bound:
                raise BadSetting(f"expected {name} to be at least {bound}, but got {value}")
            at_most(f"expected {name}", value, LONGEST if name == "max_length" else MOST)
        if _of_plays(self):
            for name, value in PLAYS.items():
                if getattr(self, name) is None:
                    object.__setattr__(self, name, value)
            _choices(self)


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
    for name in ("steps", *PLAYS):
        if settings[name] is None:
            del settings[name]  # texts are known by what they were known by before there was anything else
    if known is not None:
        settings |= {"set": known.version} | asdict(known)  # type: ignore[call-overload]
        files = list(known.locate(data_dir).values())
    else:
        files = [_file(source.data)]
        _check(source, files[0])
        settings["data"] = files[0].name
    if source.vectors is not None:
        found = locate_vectors(source.vectors, data_dir)
        settings["vectors"] = found[0].name
        files += found
    total.update(json.dumps(settings, sort_keys=True).encode())
    for path in files:
        total.update(_sha256(path))
    return total.hexdigest()


def reads(source: Source) -> Kind:
    """What models of this source read, told by its name and options alone.

    >>> reads(Source("digits-maj")), reads(Source("reviews.csv")), reads(Source("plays.csv", user="who"))
    ('image', 'text', 'interaction')
    """
    known = _named(source.data)
    if isinstance(known, InteractionSet) or _of_plays(source):
        return "interaction"
    images = _of_images(Path(source.data)) if known is None else isinstance(known, StripSet)
    return "image" if images else "text"


def as_plays(source: Source) -> Source:
    """A table of which no column is named as one of interactions; any other source as it is."""
    named = (source.text, source.label, source.query) != (None, None, None)
    if named or _named(source.data) is not None or reads(source) != "text":
        return source
    return replace(source, filter=PLAYS["filter"])


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
    if _of_plays(source):
        _refuse(source, ("text", "label", "query", "vectors", "steps"), "a file of interactions")
        choice, ask = _choices(source)
        actions, notes = read_plays(path, Roles(source.user, source.item, source.time, source.rating))
        return held_out(name, plays_of(actions, choice, name, notes), ask)
    if source.steps is not None:
        raise BadSetting(f"steps cuts images into strips, but {path} holds texts: leave it out")
    table = read_table(path)
    if source.text is None and source.label is None and looks_like(table.names):
        raise BadData(
            f"{path} has columns of users and items: for interactions, name them with --user and --item "
            f"(for texts, name the columns with --text and --label)"
        )
    return corpus_of(table, Columns(source.text, source.label, source.query), name)


def _known(source: Source) -> NamedSet | None:
    """The named set, if it is one, with everything that the source says of it."""
    known = _named(source.data)
    if known is None:
        return None
    _refuse(source, ("text", "label", "query", "user", "item", "time", "rating"), "a named data set")
    for option in ("steps", "filter", "least", "length", "samples", "holdout"):
        value = getattr(source, option)
        if value is not None:
            kind, name = "images" if option == "steps" else "interactions", source.data.partition(":")[0]
            raise BadSetting(
                f"{option} is for files of {kind}: for the named data set write '{name}:{option}={value}'"
            )
    if not isinstance(known, StripSet | InteractionSet):
        return known
    _refuse(
        source, ("vectors",), "a data set of images" if isinstance(known, StripSet) else "of interactions"
    )
    return known if source.limit is None else replace(known, limit=source.limit)


def _refuse(source: Source, options: Sequence[str], what: str) -> None:
    for option in options:
        if getattr(source, option) is not None:
            names = {"vectors": "names word vectors", "steps": "cuts images into strips"}
            does = names.get(option, "names a column of a file")
            raise BadSetting(f"--{option} {does}, but '{source.data}' is {what}: leave it out")


def _check(source: Source, path: Path) -> None:
    """Refuse a file that cannot be what it ought to."""
    if _of_plays(source):
        check_plays(path)
    elif _of_images(path):
        check_images(path)
    else:
        check_file(path)


def _of_plays(source: Source) -> bool:
    """A file of interactions: by what is said of it, or by its ending."""
    name = source.data.removesuffix(".gz")
    said = any(getattr(source, option) is not None for option in PLAYS)
    return (said or name.endswith(TEXTS)) and source.data.partition(":")[0] not in named_sets()


def _choices(source: Source) -> tuple[Filter, Holdout]:
    assert source.filter is not None
    assert source.least is not None
    assert source.length is not None
    assert source.holdout is not None
    ask = Holdout(source.length, source.samples, source.holdout, source.limit)
    return Filter(source.filter, source.least), ask


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
    if not os.path.exists(path) and not any(
        ending in path.suffixes for ending in (*ENDINGS, *TEXTS, ENDING, ".gz")
    ):
        raise UnknownName("data set or file", data, named_sets())
    return path


def _vector_reader(vectors: str | None, data_dir: Path | None) -> "partial[Float[Tensor, 'V D']] | None":
    return None if vectors is None else partial(read_vectors, locate_vectors(vectors, data_dir))


def _sha256(path: Path) -> bytes:
    with open_regular(path, STREAMED) as file:
        return hashlib.file_digest(file, "sha256").digest()


def _availability(known: NamedSet, data_dir: Path | None) -> Available:
    try:
        files: Sequence[Path] = list(known.locate(data_dir).values())
    except BadData as error:
        return Available(known.name, known.about, str(error), False)
    where = str(files[0].parent) if files else f"always there: {known.comes}"
    return Available(known.name, known.about, where, True)
