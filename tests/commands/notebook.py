"""What a notebook keeps of an answer where it can show text alone."""

from IPython.lib.pretty import pretty


def plain(answer: object) -> str:
    """The text beside the HTML."""
    return pretty(answer)  # type: ignore[no-any-return]
