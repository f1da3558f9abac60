"""The tree of errors is the one that is drawn, and says what to do."""

import inspect
import re

import pytest

from holdfast.core import errors
from holdfast.core.errors import BadInput, Failed, HoldfastError, TooFewMembers, UnknownName

CLASSES = {cls for cls in vars(errors).values() if inspect.isclass(cls) and issubclass(cls, HoldfastError)}


def drawn():
    """Name → parent, read off the drawing in the docstring."""
    parents, path = {}, []
    for line in errors.__doc__.splitlines():
        match = re.match(r"^    ([│ ├└─]*)(\w+)", line)
        if match is None:
            continue
        depth = len(match[1]) // 4
        path = [*path[:depth], match[2]]
        parents[match[2]] = path[-2] if depth else "Exception"
    return parents


def test_the_drawing_is_the_tree():
    assert drawn() == {cls.__name__: cls.__base__.__name__ for cls in CLASSES}


@pytest.mark.parametrize("cls", sorted(CLASSES, key=lambda cls: cls.__name__))
def test_exit_codes_say_who_can_fix_it(cls):
    assert cls.exit_code == (2 if issubclass(cls, BadInput) else 1)
    assert cls.__doc__


def test_failing_is_no_bad_input():
    assert issubclass(TooFewMembers, Failed)
    assert not issubclass(Failed, BadInput)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gradent", "unknown explainer 'gradent': did you mean 'gradient'? (there are: attention, gradient)"),
        ("zzz", "unknown explainer 'zzz' (there are: attention, gradient)"),
    ],
)
def test_an_unknown_name_offers_the_nearest(name, sentence):
    assert str(UnknownName("explainer", name, ["gradient", "attention"])) == sentence
