"""Texts with a class each: from a table, or a named set; words may start from pre-trained vectors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.base import Dataset
from holdfast.data.frame import Frame
from holdfast.data.heard import Heard, silent
from holdfast.data.interaction.columns import looks_like
from holdfast.data.modality import Modality, Options, bounded
from holdfast.data.named_set import NamedSet
from holdfast.data.tables import ENDINGS, Table, check_file, read_table
from holdfast.data.text.build import Limits, build
from holdfast.data.text.columns import Columns, corpus_of
from holdfast.data.text.corpus import Corpus
from holdfast.data.text.dataset import TextDataset
from holdfast.data.text.numbers import NumberColumns, dataset_of
from holdfast.data.text.vectors import locate, read_vectors

LONGEST = 1_000_000  # words of a text


@dataclass(frozen=True)
class TextOptions(Options):
    """``text``, ``label``, ``query`` and ``entities`` name a file's columns; ``vectors`` is a name, a file,
    or nothing for random ones; ``limit`` caps the training examples. A few rows without a text or a label are
    dropped; ``strict`` refuses them, and changes nothing else, so it is no part of what identifies a run.
    ``every_word`` gives every word a number of its own, for models that know words by their letters.

    Texts may be given as numbers: ``ids`` names a column with a list of ids for each text, as a tokenizer
    of your own gives them, ``mask`` one that says which of them are there, ``tokens`` one with a word for
    each, to be shown. ``classes`` are named in the order of a model's logits, () where it knows them by
    name; ``whole`` says that nothing is trained, so that every row is a test row."""

    text: str | None = None
    label: str | None = None
    query: str | None = None
    vectors: str | None = None
    max_length: int = 256
    min_count: int = 1
    max_words: int | None = None
    limit: int | None = None
    strict: bool = field(default=False, compare=False)
    entities: str | None = None
    every_word: bool = False
    ids: str | None = None
    mask: str | None = None
    tokens: str | None = None
    classes: tuple[str, ...] | None = None
    whole: bool = False


class Text(Modality[TextOptions]):
    """A table is taken for texts unless something says otherwise."""

    options: ClassVar[type[Options]] = TextOptions
    called: ClassVar[str] = "a text"
    many: ClassVar[str] = "texts"
    dataset: ClassVar[type[Dataset]] = TextDataset
    endings: ClassVar[tuple[str, ...]] = ENDINGS
    columns: ClassVar[tuple[str, ...]] = ("text", "label", "query", "entities", "ids", "mask", "tokens")
    others: ClassVar[Mapping[str, str]] = {
        "vectors": "names word vectors",
        "classes": "names the classes of texts",
    }

    def check(self, source: TextOptions) -> None:
        """Every length and count is at least 1."""
        bounded("max_length", source.max_length, 1, LONGEST)
        bounded("min_count", source.min_count, 1)
        bounded("max_words", source.max_words, 1)
        bounded("limit", source.limit, 2)

    def claims(self, source: TextOptions) -> bool:
        """Where one of its columns is named; other tables have labels too."""
        return any(getattr(source, column) is not None for column in self.columns if column != "label")

    def complete(self, source: TextOptions) -> dict[str, Any]:
        """Classes as JSON has them become a tuple."""
        return {} if source.classes is None else {"classes": tuple(source.classes)}

    def check_file(self, path: Path) -> None:
        """Refuse what is no table."""
        check_file(path)

    def read(self, path: Path, source: TextOptions, data_dir: Path | None, heard: Heard = silent) -> Dataset:
        """Read the texts of a table."""
        return self._read(read_table(path), path.name.split(".")[0], source, data_dir, heard)

    def read_frame(
        self, frame: Frame, source: TextOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """Read the texts of a table in memory."""
        return self._read(Table(Path(source.data), frame.columns), source.data, source, data_dir, heard)

    def _read(
        self, table: Table, name: str, source: TextOptions, data_dir: Path | None, heard: Heard
    ) -> Dataset:
        if source.text is None and source.label is None and looks_like(table.names):
            raise BadData(
                f"{table.path} has columns of users and items: for interactions, name them with --user and "
                f"--item (for texts, name the columns with --text and --label)"
            )
        given = source.classes, source.whole
        if source.ids is not None:
            own = NumberColumns(source.ids, source.mask, source.tokens, source.label, *given)
            return dataset_of(table, own, name, source.max_length)
        columns = Columns(source.text, source.label, source.query, source.entities, *given)
        return _built(corpus_of(table, columns, name, source.strict), source, data_dir, heard)

    def load(
        self, known: NamedSet, source: TextOptions, data_dir: Path | None, heard: Heard = silent
    ) -> Dataset:
        """Read a named set's texts; one that is finished already is taken as it is."""
        if source.classes is not None:
            raise BadSetting(
                f"classes are for your own texts, but '{source.data}' has its own: leave them out"
            )
        found = known.corpus(known.locate(data_dir))
        return _built(found, source, data_dir, heard) if isinstance(found, Corpus) else found

    def beside(self, source: TextOptions, data_dir: Path | None) -> dict[str, list[Path]]:
        """The files of the word vectors."""
        return {} if source.vectors is None else {"vectors": locate(source.vectors, data_dir)}


def _built(corpus: Corpus, source: TextOptions, data_dir: Path | None, heard: Heard) -> TextDataset:
    limits = Limits(source.max_length, source.min_count, source.max_words, source.limit, source.every_word)
    return build(corpus, limits, _vector_reader(source.vectors, data_dir), heard)


def _vector_reader(vectors: str | None, data_dir: Path | None) -> "partial[Float[Tensor, 'V D']] | None":
    return None if vectors is None else partial(read_vectors, locate(vectors, data_dir))
