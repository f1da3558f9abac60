"""Every error that Holdfast raises on purpose.

::

    HoldfastError
    ├── BadInput              the caller can fix it: exit code 2
    │   ├── BadData           a file or a data set cannot be used
    │   ├── BadSetting        an option or a field has a value that is not allowed
    │   ├── UnknownName       no such explainer, repair, data set …; offers the nearest
    │   └── BadRun            a run of another version, of another plan, or damaged
    └── Failed                the work itself could not be done: exit code 1
        ├── TheirError        a function that was handed over raised an error
        ├── CannotDraw        the drawing packages cannot be used here: numbers are shown instead
        └── TooFewMembers     fewer than two members are left to compare
"""

from collections.abc import Iterable
from difflib import get_close_matches

from holdfast.core.plain import short


class HoldfastError(Exception):
    """The root: catch this to catch everything Holdfast raises on purpose."""

    exit_code = 1


# what the code of a method raises when it is wrong: anybody may have written it
WRONG = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)


class BadInput(HoldfastError):
    """Something the caller can fix; the message says how."""

    exit_code = 2


class BadData(BadInput):
    """A file or a data set cannot be used."""


class BadSetting(BadInput):
    """An option or a field has a value that is not allowed."""


class UnknownName(BadInput):
    """No such name; the message offers the nearest one and lists the rest.

    >>> str(UnknownName("explainer", "atention", ["attention", "gradient"]))
    "unknown explainer 'atention': did you mean 'attention'? (there are: attention, gradient)"
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f": did you mean '{near[0]}'?" if near else ""
        there = f"there are: {', '.join(names)}" if names else "there are none"
        super().__init__(f"unknown {kind} '{short(name)}'{hint} ({there})")


class BadRun(BadInput):
    """A run folder of another version, of another plan, or damaged."""


class Failed(HoldfastError):
    """The work itself could not be done."""


class TheirError(Failed):
    """A function that somebody handed over raised an error."""


class CannotDraw(Failed):
    """The drawing packages are missing, cannot be loaded, or ran out of memory."""


class TooFewMembers(Failed):
    """Fewer than two members are left, so nothing can be compared."""
