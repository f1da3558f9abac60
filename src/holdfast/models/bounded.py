"""Settings that refuse values out of bounds."""

from typing import NoReturn

from holdfast.core.errors import BadSetting
from holdfast.core.settings import at_most, name_of

WIDEST, DEEPEST = 65_536, 1000


class Bounded:
    """What the settings of models check themselves with.

    >>> from holdfast.models.text.cnn import Cnn
    >>> Cnn(filters=0)
    Traceback (most recent call last):
    ...
    holdfast.core.errors.BadSetting: cnn: expected filters to be at least 1, but got 0
    """

    def _at_least_one(self, field: str, most: int = WIDEST) -> None:
        """Refuse a setting that is no count of what could be built."""
        if getattr(self, field) < 1:
            self._refuse(field, "at least 1")
        at_most(f"{name_of(type(self))}: expected {field}", getattr(self, field), most)

    def _refuse(self, field: str, expected: str) -> NoReturn:
        came = getattr(self, field)
        raise BadSetting(f"{name_of(type(self))}: expected {field} to be {expected}, but got {came}")
