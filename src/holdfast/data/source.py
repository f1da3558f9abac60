"""Where a study's data come from: a named set, a file of one modality, or a table in memory."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.core.errors import BadData, BadSetting, UnknownName
from holdfast.core.files import open_regular
from holdfast.core.settings import build as build_set
from holdfast.core.settings import split_label
from holdfast.data.base import Dataset, Kind
from holdfast.data.frame import NAME, Frame
from holdfast.data.heard import Heard, silent
from holdfast.data.modalities.features import FeatureOptions
from holdfast.data.modalities.image import ImageOptions
from holdfast.data.modalities.interaction import InteractionOptions
from holdfast.data.modalities.text import TextOptions
from holdfast.data.modality import Modality, modalities, modality
from holdfast.data.named_set import NamedSet
from holdfast.data.named_sets import named_sets
from holdfast.data.reading import STREAMED

VERSION = 1  # of reading, cutting and numbering texts: a change of any of them is another data set
TABLE: Kind = "text"  # what a table holds of which nothing else is said


@dataclass(frozen=True)
class Source(FeatureOptions, InteractionOptions, ImageOptions, TextOptions):
    """Everything that decides which examples a study sees: the options of all modalities in one record, of
    which a data set reads those of its own.

    ``data`` is a name (``planted:train=500`` gives settings) or a file; of a table in memory, ``frame``, it
    is what to call it. Defaults of interactions of your own are filled in:

    >>> source = Source("plays.csv", user="who")
    >>> source.filter, source.least, source.length, source.holdout
    ('once', 5, 50, 'test')
    """

    frame: Frame | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for one in modalities().values():
            one.check(self)
        if self.frame is not None and _name(self.data) in named_sets():
            raise BadSetting(f"'{self.data}' is a named data set: call the table in memory something else")
        if _name(self.data) not in named_sets():
            for name, value in modality_of(self).complete(self).items():
                object.__setattr__(self, name, value)


def source_of(data: object, **options: Any) -> Source:
    """The source that somebody means by a name, a file, a source, or a table: anything that
    :meth:`Frame.of` takes.

    >>> source_of(Path("reviews.csv"), text="review").data
    'reviews.csv'
    >>> source_of({"text": ["good", "bad"], "label": [1, 0]}).data
    'table'
    """
    if isinstance(data, Source):
        return replace(data, **options) if options else data
    if isinstance(data, str | os.PathLike):
        return Source(os.fspath(data), **options)
    frame = Frame.of(data)
    return Source(NAME, frame=frame, **(frame.numbers(options) | options))


class Available(NamedTuple):
    """One line of ``holdfast list data``: ``where`` is a folder, or what is missing."""

    name: str
    about: str
    where: str
    ready: bool


def load(source: Source, data_dir: Path | None = None, heard: Heard = silent) -> Dataset:
    """Read the data set; ``heard`` is told which share was read, where a reader knows.

    >>> data = load(Source("planted:train=20,validation=10,test=10"))
    >>> len(data.splits["train"]), data.task.classes
    (20, ('negative', 'positive'))
    >>> load(Source("digits-maj")).task.strip
    (12, 8, 2)
    """
    modality, known = modality_of(source), _known(source)
    if known is not None:
        return modality.load(known, source, data_dir, heard)
    if source.frame is not None:
        _refuse(source, _foreign(modality), f"a table of {modality.many}")
        return modality.read_frame(source.frame, source, data_dir, heard)
    path = _file(source.data)
    _refuse(source, _foreign(modality), f"a file of {modality.many}")
    return modality.read(path, source, data_dir, heard)


def digest(source: Source, data_dir: Path | None = None) -> str:
    """SHA-256 of the settings and of the bytes of every file used: it changes when the data do."""
    total = hashlib.sha256()
    modality, known = modality_of(source), _known(source)
    settings = identity(source) | {"reading": VERSION}
    for name in set(settings) - {"reading", *(one.name for one in fields(TextOptions))}:
        if settings[name] is None:
            del settings[name]  # texts are known by what they were known by before there was anything else
    if known is not None:
        settings |= {"set": known.version} | known.identity()
        files = list(known.locate(data_dir).values())
    elif source.frame is not None:
        settings["frame"], files = source.frame.sha256, []
    else:
        files = [_file(source.data)]
        modality.check_file(files[0])
        settings["data"] = files[0].name
    for option, beside in modality.beside(source, data_dir).items():
        settings[option] = beside[0].name
        files += beside
    total.update(json.dumps(settings, sort_keys=True).encode())
    for path in files:
        total.update(_sha256(path))
    return total.hexdigest()


def identity(source: Source) -> dict[str, Any]:
    """All that a source says of which examples a study sees, in plain values.

    >>> "strict" in identity(Source(strict=True)), identity(Source("sst2"))["data"]
    (False, 'sst2')
    """
    values = {one.name: getattr(source, one.name) for one in fields(source) if one.compare}
    for name in ("entities", "features", "resample"):
        if values[name] is None:
            del values[name]  # data are known by what they were known by before there was such an option
    unsaid = ("every_word", "ids", "mask", "tokens", "classes", "whole")  # likewise
    return {k: v for k, v in values.items() if v or k not in unsaid}


def reads(source: Source) -> Kind:
    """What models of this source read, told by its name and options alone.

    >>> reads(Source("digits-maj")), reads(Source("reviews.csv")), reads(Source("plays.csv", user="who"))
    ('image', 'text', 'interaction')
    """
    name = _name(source.data)
    if name in named_sets():
        return named_sets()[name].modality
    return next((kind for kind, one in modalities().items() if one.claims(source)), TABLE)


def modality_of(source: Source) -> Modality[Any]:
    """How a source is read.

    >>> modality_of(Source("digits")).many
    'images'
    """
    return modality(reads(source))


def taken_for(source: Source, kind: Kind) -> Source:
    """A table of which nothing is said as one of this modality; any other source as it is.

    >>> taken_for(Source("plays.csv"), "interaction").filter
    'once'
    """
    said = _name(source.data) in named_sets() or any(one.claims(source) for one in modalities().values())
    assumed = {} if said else modality(kind).assumed()
    return replace(source, **assumed) if assumed else source


def available(data_dir: Path | None = None) -> list[Available]:
    """Every named set, and where it was found or what is missing."""
    return [_availability(cls(), data_dir) for cls in named_sets().values()]


def _known(source: Source) -> NamedSet | None:
    """The named set, if it is one, with everything that the source says of it."""
    known = _named(source.data)
    if known is None:
        return None
    modality = modality_of(source)
    _refuse(
        source,
        {name: one.exclusive[name] for one in modalities().values() for name in (*one.columns, *one.rows)},
        "a named data set",
    )
    if source.strict:
        raise BadSetting(
            f"--strict is for your own tables, but '{source.data}' is a named data set: leave it out"
        )
    for one in modalities().values():
        for option in one.settings:
            value = getattr(source, option)
            if value is not None:
                raise BadSetting(
                    f"{option} is for files of {one.many}: for the named data set write "
                    f"'{_name(source.data)}:{option}={value}'"
                )
    _refuse(source, _foreign(modality), f"{modality.called} data set")
    return modality.named(known, source)


def _foreign(modality: Modality[Any]) -> dict[str, str]:
    """The options of other modalities that this one does not read, and what they do."""
    every = [pair for one in modalities().values() for pair in one.exclusive.items()]
    return {name: does for name, does in every if name not in modality.reads}


def _refuse(source: Source, options: dict[str, str], what: str) -> None:
    for option, does in options.items():
        if getattr(source, option) is not None:
            raise BadSetting(f"--{option} {does}, but '{source.data}' is {what}: leave it out")


def _name(data: str) -> str:
    """What a source is called without its settings."""
    return data.partition(":")[0]


def _named(data: str) -> NamedSet | None:
    """The named set; a name with a colon has settings."""
    sets = named_sets()
    return build_set(sets[_name(data)], split_label(data)[1]) if _name(data) in sets else None


def _file(data: str) -> Path:
    path, endings = Path(data), {".gz"}.union(*(one.endings for one in modalities().values()))
    if not os.path.exists(path) and not endings & set(path.suffixes):
        raise UnknownName("data set or file", data, named_sets())
    return path


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
