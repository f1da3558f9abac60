"""Words and their numbers."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

PADDING, UNKNOWN = 0, 1
SPECIAL = ("<pad>", "<unk>")
LONGEST = 64  # characters of one token: a line without a space is cut, not one word of a million letters
INVISIBLE = "\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff\ufff9-\ufffb"
TOKEN = re.compile(
    r"n't(?!\w)"
    r"|'(?:s|re|ve|ll|d|m)(?!\w)"
    r"|\d{1,16}(?:[.,]\d{1,16}){1,4}(?!\w)"
    rf"|\w{{1,{LONGEST}}}"
    r"|\.{2,8}"
    rf"|[^\w\s{INVISIBLE}]"
)
HOLE = "@placeholder"  # what a cloze question asks for; also written ___
MARKED = re.compile(rf"@\w{{1,{LONGEST}}}|__+|{TOKEN.pattern}")


def tokenise(text: str, limit: int | None = None, marks: bool = False) -> list[str]:
    """Lower-case words, clitics, numbers and single marks, in linear time; at most ``limit`` of them.

    Text that is already cut into tokens comes out as it went in. With ``marks`` an entity ``@name`` is one
    token, and so is a hole.

    >>> tokenise("It's 3.5 stars; they don't CARE...")
    ['it', "'s", '3.5', 'stars', ';', 'they', 'do', "n't", 'care', '...']
    >>> tokenise("it 's 3.5 stars ; they do n't care ...")
    ['it', "'s", '3.5', 'stars', ';', 'they', 'do', "n't", 'care', '...']
    >>> tokenise("@Anna saw ____.", marks=True), tokenise("@Anna")
    (['@anna', 'saw', '@placeholder', '.'], ['@', 'anna'])
    """
    if limit is not None and len(text) > 7 * limit + 256:
        head = _find(text[: 7 * limit + 256], marks)
        # a cut inside "is|n't" disturbs at most the last tokens of the head, so they must not be needed
        if len(head) > limit + 8:
            return head[:limit]
    return _find(text, marks)[:limit]


@dataclass(frozen=True)
class Vocabulary:
    """Known words; number 0 is padding, 1 stands for every unknown word.

    >>> words = Vocabulary.count([["a", "good", "film"], ["a", "film"]], min_count=2)
    >>> words.words
    ('<pad>', '<unk>', 'a', 'film')
    >>> words.encode(["a", "fine", "film"])
    [2, 1, 3]
    """

    words: tuple[str, ...]

    @classmethod
    def count(
        cls, texts: Iterable[Sequence[str]], min_count: int = 1, max_words: int | None = None
    ) -> "Vocabulary":
        """The words seen at least ``min_count`` times, the most frequent first, at most ``max_words``."""
        return cls.of_counts(Counter(chain.from_iterable(texts)), min_count, max_words)

    @classmethod
    def of_counts(
        cls, counts: Mapping[str, int], min_count: int = 1, max_words: int | None = None
    ) -> "Vocabulary":
        """As :meth:`count`, from counts; ties go by the alphabet: the order of texts does not matter."""
        kept = sorted((-count, word) for word, count in counts.items() if count >= min_count)
        return cls(SPECIAL + tuple(word for _, word in kept[:max_words]))

    @cached_property
    def index(self) -> dict[str, int]:
        """Word → number."""
        return {word: number for number, word in enumerate(self.words)}

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """The tokens' numbers."""
        index = self.index
        return [index.get(token, UNKNOWN) for token in tokens]

    def __len__(self) -> int:
        return len(self.words)


def _find(text: str, marks: bool) -> list[str]:
    plain = text.lower().replace("\u2019", "'").replace("n't", " n't")
    if not marks:
        return TOKEN.findall(plain)
    return [HOLE if token.startswith("__") else token for token in MARKED.findall(plain)]
