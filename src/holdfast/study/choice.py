"""Which of a run's models and repairs somebody means."""

from holdfast.core.admit import admit
from holdfast.core.errors import UnknownName
from holdfast.study.digests import pinned


def choose(kind: str, given: str | None, known: tuple[str, ...]) -> str:
    """A run's own model or repair by its name, the first where none is given; a checkpoint of it may lie in
    another folder by now.

    >>> choose("model", None, ("cnn", "rnn")), choose("repair", "none", ("aswa", "none"))
    ('cnn', 'none')
    """
    if given is None:
        return known[0]
    written = admit(f"{kind}s", given)
    if kind == "model" and written not in known:
        written = pinned(written)
    if written not in known:
        raise UnknownName(f"{kind} of this run", written, known)
    return written
