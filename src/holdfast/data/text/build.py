"""From texts as they were read to tensors: tokens, words with numbers, vectors."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy.typing import NDArray
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.base import SPLITS, Task
from holdfast.data.divide import sample
from holdfast.data.heard import Counted, Heard, silent
from holdfast.data.text.corpus import Corpus, Part
from holdfast.data.text.dataset import TextDataset, TextSplit
from holdfast.data.text.sequences import Sequences
from holdfast.data.text.vectors import coverage
from holdfast.data.text.vocabulary import SPECIAL, UNKNOWN, Vocabulary, tokenise

VectorReader = Callable[[Sequence[str]], Float[Tensor, "V D"]]


@dataclass(frozen=True)
class Limits:
    """How much of the texts is used; ``every_word`` keeps all words, also those that no training text has."""

    max_length: int = 256
    min_count: int = 1
    max_words: int | None = None
    limit: int | None = None
    every_word: bool = False


LIMITS = Limits()


@dataclass(frozen=True)
class _Flat:
    """Texts in provisional numbers (the order in which words were first met)."""

    ids: NDArray[np.int32]
    lengths: NDArray[np.int64]
    truncated: int


def build(
    corpus: Corpus,
    limits: Limits = LIMITS,
    vectors: VectorReader | None = None,
    heard: Heard = silent,
) -> TextDataset:
    """The data set of a corpus; ``vectors`` gives the rows of some words, zeros where it knows none.

    >>> part = Part(["good film", "bad film"], [1, 0])
    >>> data = build(Corpus("tiny", ("bad", "good"), {"train": part, "validation": part, "test": part}))
    >>> data.vocabulary.words, data.tokens("test", 1)
    (('<pad>', '<unk>', 'film', 'bad', 'good'), ['bad', 'film'])
    """
    corpus = _limited(corpus, limits.limit)
    lexicon: defaultdict[str, int] = defaultdict()
    lexicon.default_factory = lexicon.__len__
    count = Counted(sum(len(part.texts) + len(part.queries or ()) for part in corpus.parts.values()), heard)
    texts = {
        name: _flatten(count.over(corpus.parts[name].texts), lexicon, limits.max_length, corpus.cloze)
        for name in SPLITS
    }
    queries = {
        name: _flatten(count.over(part.queries), lexicon, limits.max_length, corpus.cloze)
        for name, part in corpus.parts.items()
        if part.queries is not None
    }
    words = list(lexicon)
    used = [texts["train"].ids, *([queries["train"].ids] if queries else [])]
    counts = np.bincount(np.concatenate(used), minlength=len(words))
    vocabulary = _vocabulary(words, counts, limits)
    rows, vocabulary = _rows(vocabulary, words, counts, limits, vectors)
    numbers = np.array(vocabulary.encode(words), dtype=np.int32)
    splits = {
        name: _split(corpus.parts[name], texts[name], queries.get(name), numbers, words) for name in SPLITS
    }
    splits = {name: _with_options(split, corpus, name) for name, split in splits.items()}
    task = Task(
        len(vocabulary), corpus.classes, bool(queries), rows, cloze=corpus.cloze, words=vocabulary.words
    )
    notes = (*corpus.notes, *_notes(splits, limits), *_vector_notes(rows, splits["test"]))
    return TextDataset(corpus.name, task, splits, vocabulary, notes, limits.max_length)


def _limited(corpus: Corpus, limit: int | None) -> Corpus:
    train = corpus.parts["train"]
    if limit is None or limit >= len(train.texts):
        return corpus
    if limit < len(corpus.classes) and not corpus.cloze:
        raise BadSetting(
            f"expected limit to be at least the number of classes ({len(corpus.classes)}), but got {limit}"
        )
    kept = train.take(sample(train.strata, limit, "limit"))
    note = f"Only {limit:,} of {len(train.texts):,} training texts are used (--limit)."
    return replace(corpus, parts={**corpus.parts, "train": kept}, notes=(*corpus.notes, note))


def _flatten(texts: Iterable[str], lexicon: Mapping[str, int], max_length: int, marks: bool) -> _Flat:
    ids, lengths, truncated = array("i"), array("q"), 0
    for row, text in enumerate(texts):
        tokens = tokenise(text, max_length + 1, marks)
        if not tokens:
            raise BadData(
                f"expected every text to have at least one word, but the one in row {row + 1} has none"
            )
        if len(tokens) > max_length:
            truncated += 1
            del tokens[max_length:]
        ids.extend(map(lexicon.__getitem__, tokens))
        lengths.append(len(tokens))
    return _Flat(np.array(ids, dtype=np.int32), np.array(lengths, dtype=np.int64), truncated)


def _vocabulary(words: Sequence[str], counts: NDArray[np.int64], limits: Limits) -> Vocabulary:
    if limits.every_word:
        return Vocabulary.of_counts(dict(zip(words, counts.tolist(), strict=True)), min_count=0)
    seen = {word: count for word, count in zip(words, counts.tolist(), strict=True) if count}
    return Vocabulary.of_counts(seen, limits.min_count, limits.max_words)


def _rows(
    vocabulary: Vocabulary,
    words: Sequence[str],
    counts: NDArray[np.int64],
    limits: Limits,
    vectors: VectorReader | None,
) -> tuple[Float[Tensor, "V D"] | None, Vocabulary]:
    """The vectors; words that no training text has are known all the same where they have a vector."""
    if vectors is None:
        return None, vocabulary
    unseen = sorted(word for word, count in zip(words, counts.tolist(), strict=True) if not count)
    extra = [] if limits.every_word or limits.max_words is not None else unseen
    rows = vectors([*vocabulary.words, *extra])
    rows[: len(SPECIAL)] = 0
    known = torch.cat([torch.ones(len(vocabulary), dtype=torch.bool), (rows[len(vocabulary) :] != 0).any(1)])
    kept = [word for word, is_known in zip(extra, known[len(vocabulary) :].tolist(), strict=True) if is_known]
    return rows[known], Vocabulary((*vocabulary.words, *kept))


def _split(
    part: Part, texts: _Flat, queries: _Flat | None, numbers: NDArray[np.int32], words: Sequence[str]
) -> TextSplit:
    return TextSplit(
        _sequences(texts, numbers, words),
        torch.tensor(list(part.targets), dtype=torch.long),
        None if queries is None else _sequences(queries, numbers, words),
        None if part.rationales is None else _rationale(part.rationales, texts.lengths),
        texts.truncated + (0 if queries is None else queries.truncated),
    )


def _with_options(split: TextSplit, corpus: Corpus, name: str) -> TextSplit:
    options = corpus.parts[name].options
    if options is None:
        return split
    table = torch.zeros(len(options), len(corpus.classes), dtype=torch.bool)
    for row, some in enumerate(options):
        table[row, list(some)] = True
    return replace(split, options=table)


def _sequences(flat: _Flat, numbers: NDArray[np.int32], words: Sequence[str]) -> Sequences:
    ids = numbers[flat.ids]
    unknown = tuple(words[i] for i in flat.ids[ids == UNKNOWN].tolist())
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), flat.lengths.cumsum()])
    return Sequences(torch.from_numpy(ids), torch.from_numpy(offsets), unknown)


def _rationale(rationales: Sequence[Sequence[bool]], lengths: NDArray[np.int64]) -> Int[Tensor, "L"]:
    cut = [list(marks)[:length] for marks, length in zip(rationales, lengths.tolist(), strict=True)]
    return torch.tensor([mark for marks in cut for mark in marks], dtype=torch.bool)


def _notes(splits: Mapping[str, TextSplit], limits: Limits) -> list[str]:
    notes = []
    if cut := sum(split.truncated for split in splits.values()):
        total = sum(len(split) for split in splits.values())
        notes.append(f"{cut:,} of {total:,} texts were cut to their first {limits.max_length} tokens.")
    if shared := shared_texts(splits["train"], splits["test"]):
        notes.append(f"{shared:,} of {len(splits['test']):,} test texts also occur in the training texts.")
    return notes


def _vector_notes(rows: Float[Tensor, "V D"] | None, test: TextSplit) -> list[str]:
    if rows is None:
        return []
    words = coverage(rows[len(SPECIAL) :])
    tokens = (rows != 0).any(1)[test.texts.ids.long()].float().mean()
    return [
        f"{words:.0%} of the words and {tokens:.0%} of the test tokens have a pre-trained vector; "
        "the others start from random ones, drawn per seed."
    ]


def shared_texts(train: TextSplit, test: TextSplit) -> int:
    """How many examples of ``test`` are also, word for word, in ``train``."""
    seen = set(_keys(train))
    return sum(key in seen for key in _keys(test))


def _keys(split: TextSplit) -> list[tuple[bytes, ...]]:
    sides = [split.texts] if split.queries is None else [split.texts, split.queries]
    return list(zip(*(_texts_as_bytes(side) for side in sides), strict=True))


def _texts_as_bytes(texts: Sequences) -> list[bytes]:
    flat, offsets = texts.ids.numpy(), texts.offsets.tolist()
    return [flat[low:high].tobytes() for low, high in pairwise(offsets)]
