"""Text that is safe to show on a terminal."""


def printable(text: str) -> str:
    r"""``text`` on one line, with nothing in it that steers a terminal: names come from anybody's files.

    >>> printable("a\tb \x1b[31mred")
    'a b \\x1b[31mred'
    """
    return "".join(c if c.isprintable() else " " if c.isspace() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()
