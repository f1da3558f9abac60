"""From an exception to how a command ended: an exit code, a kind, and a sentence."""

import errno
from typing import Any, NamedTuple

import typer

from holdfast.core.errors import HoldfastError
from holdfast.core.plain import short

# typer names its usage error only by its children, and brings click along or not, by its version
USAGE: Any = typer.BadParameter.__mro__[1]
DEBUG = "HOLDFAST_DEBUG"
KEPT = "what is finished is kept, run the same command to resume"


class Outcome(NamedTuple):
    """How a command ended."""

    code: int
    kind: str
    message: str


def outcome_of(error: Exception) -> Outcome:
    """What to say of an error; an unexpected one is a failure, whose traceback is shown on request.

    >>> outcome_of(MemoryError()).message
    'memory ran out: use less data, a smaller --batch, or fewer --workers'
    """
    if isinstance(error, HoldfastError):
        return Outcome(error.exit_code, type(error).__name__, str(error))
    if isinstance(error, USAGE):
        return Outcome(2, "BadUse", f"{short(error.format_message())} (see holdfast --help)")
    if isinstance(error, MemoryError):
        return Outcome(1, "Failed", "memory ran out: use less data, a smaller --batch, or fewer --workers")
    if isinstance(error, OSError):
        return _of_system(error)
    came = error.__cause__ or error
    first = short(str(came).partition("\n")[0])
    what = f"{type(came).__name__}: {first}: {KEPT}; with {DEBUG}=1 set, the traceback is shown"
    return Outcome(1, "Failed", what)


def _of_system(error: OSError) -> Outcome:
    where = f" ({short(error.filename)})" if error.filename else ""
    what = f"{error.strerror or error}{where}"
    if error.errno == errno.ENAMETOOLONG:
        return Outcome(2, "BadSetting", f"{what}: choose a shorter one")
    return Outcome(1, "Failed", f"{what}: {KEPT}")
