"""Cloze questions: a passage, a question with a hole in it, and the entity that belongs there.

The answer is one of the entities that the passage names (Hermann et al. 2015; Jain §2.6, §4.5.2): they are
marked there, ``@anna``, or a column lists them. The hole is written ``@placeholder`` or ``___``.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.data.reading import listed
from holdfast.data.text.corpus import Part
from holdfast.data.text.vocabulary import HOLE, tokenise

HOLES = ("@placeholder", "___")
NO_HOLE = f"hole ({listed(HOLES, 'or')}) in the question"
NO_ENTITY = "entity in the text (marked @name, or in a column named by --entities)"
NO_SECOND = "second entity in the text to choose from"
NO_ANSWER = "answer that is one of the text's entities"


def is_cloze(queries: Sequence[str] | None, labels: Sequence[str]) -> bool:
    """Whether pairs are cloze questions: most of the second texts have a hole, or most labels a mark.

    >>> is_cloze(["___ sang ."], ["anna"]), is_cloze(["somebody sang ."], ["neutral"])
    (True, False)
    """
    if queries is None:
        return False
    holes = sum(has_hole(query) for query in queries)
    marks = sum(label.startswith("@") for label in labels)
    return 2 * max(holes, marks) > len(labels)


def has_hole(question: str) -> bool:
    """Whether there is something to fill in.

    >>> has_hole("____ sang ."), has_hole("@anna sang .")
    (True, False)
    """
    return HOLE in tokenise(question, marks=True)


def marked(text: str) -> list[str]:
    """The entities that a text marks, in the order in which they come, each once.

    >>> marked("@Anna met @ben , and @anna sang .")
    ['@anna', '@ben']
    """
    tokens = tokenise(text, marks=True)
    return list(dict.fromkeys(token for token in tokens if token[0] == "@" and token not in ("@", HOLE)))


def entities(value: Any) -> list[str]:
    """The entities that a cell of a column lists: a list, or names between semicolons, bars or commas.

    >>> entities("Anna Lee; ben"), entities(["@e1", "@e2"])
    (['anna lee', 'ben'], ['@e1', '@e2'])
    """
    if isinstance(value, str):
        mark = next((mark for mark in ";|" if mark in value), ",")
        value = value.split(mark)
    names = (_plain(str(one)) for one in value if one is not None) if isinstance(value, list | tuple) else ()
    return list(dict.fromkeys(name for name in names if name))


def described(given: Mapping[str, Sequence[str]], listed: Sequence[Any] | None) -> dict[str, list[str]]:
    """What each of these questions must have, by what is said of one that lacks it: "" where it does.

    The entities of a text are one string, a line each; the last is the answer as it is named there.
    ``listed`` are the cells that list the entities, where the texts do not mark them.
    """
    named = (
        [marked(text) for text in given["text"]] if listed is None else [entities(cell) for cell in listed]
    )
    known = [{_bare(name): name for name in names} for names in named]
    return {
        NO_HOLE: [HOLE if has_hole(query) else "" for query in given["query"]],
        NO_ENTITY: ["\n".join(names) for names in named],
        NO_SECOND: ["\n".join(names[1:]) for names in named],
        NO_ANSWER: [names.get(_bare(label), "") for names, label in zip(known, given["label"], strict=True)],
    }


def questions(given: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], Part]:
    """All entities, and the questions whose answers they are, of rows as :func:`described` has them."""
    named = [entities.split("\n") for entities in given[NO_ENTITY]]
    classes = tuple(sorted({name for names in named for name in names}))
    numbers = {name: number for number, name in enumerate(classes)}
    targets = [numbers[answer] for answer in given[NO_ANSWER]]
    options = [[numbers[name] for name in names] for names in named]
    return classes, Part(given["text"], targets, given["query"], options=options)


def named_in(text: str, names: Sequence[str]) -> list[int]:
    """The numbers of the entities among ``names`` that a text names.

    >>> named_in("Anna Lee met @Ben .", ["@ben", "anna lee", "lee ben", "carl"])
    [0, 1]
    """
    words = _spaced(text)
    return [number for number, name in enumerate(names) if _spaced(name) in words]


def _spaced(text: str) -> str:
    return f" {' '.join(tokenise(text, marks=True))} "


def _plain(name: str) -> str:
    return re.sub(r"\s+", " ", name).strip().lower()


def _bare(name: str) -> str:
    return _plain(name).removeprefix("@")
