"""Small pieces of prose: the first sentence of a docstring, a count with its noun."""

import re

ABBREVIATIONS = ("al", "approx", "cf", "ch", "e.g", "eq", "fig", "i.e", "no", "p", "pp", "resp", "sec", "vs")
MARKS = re.compile(r"``[^`]*``|[()\[\]]|[.?!](?=\s|$)")


def first_sentence(text: str | None) -> str:
    """The first sentence of a text, without its markup.

    A sentence ends at a full stop, a question mark or an exclamation mark outside brackets and code, unless
    the stop belongs to an abbreviation. A colon does not end a sentence; a colon at the end is dropped.

    >>> first_sentence("Weights of ``cnn`` (Jain ch. 4), e.g. these: as they are. More of it.")
    'Weights of cnn (Jain ch. 4), e.g. these: as they are.'
    """
    paragraph = " ".join((text or "").strip().split("\n\n")[0].split())
    end = next((mark.end() for mark in _marks(paragraph)), len(paragraph))
    return re.sub(r":\w+:`~?([^`]+)`|``([^`]*)``", r"\1\2", paragraph[:end]).rstrip(":")


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "word"), counted(1200, "word")
    ('1 word', '1,200 words')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _marks(text: str) -> list[re.Match[str]]:
    """The marks that end a sentence."""
    depth, ends = 0, []
    for mark in MARKS.finditer(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(mark[0], 0)
        if mark[0] in ".?!" and depth == 0 and not _abbreviated(text[: mark.start()]):
            ends.append(mark)
    return ends


def _abbreviated(before: str) -> bool:
    return re.split(r"[\s(\[]", before)[-1].lower() in ABBREVIATIONS
