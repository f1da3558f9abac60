"""Text that is safe to show on a terminal."""

LONGEST = 400  # characters of a name or a value in a message


def printable(text: str) -> str:
    r"""``text`` on one line and without control characters: names come from files that anybody wrote.

    >>> printable("a\tb \x1b[31mred")
    'a b \\x1b[31mred'
    """
    return "".join(c if c.isprintable() else " " if c.isspace() else _escaped(c) for c in text)


def short(value: object) -> str:
    """A name or a value, cut to a length that fits into a sentence.

    >>> short("x" * 1000) == "x" * 400 + "…"
    True
    """
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()
