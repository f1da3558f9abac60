"""Named public data sets, one file each: a new file here is a new name.

Nothing is registered; :func:`named_sets` looks at the files of this package.
"""

import importlib
import inspect
import pkgutil
from functools import cache

from holdfast.data.sets.base import NamedSet


@cache
def named_sets() -> dict[str, type[NamedSet]]:
    """Every named set, by name.

    >>> "sst2" in named_sets()
    True
    """
    found: dict[str, type[NamedSet]] = {}
    for info in pkgutil.iter_modules(__path__, f"{__name__}."):
        module = importlib.import_module(info.name)
        for cls in vars(module).values():
            if inspect.isclass(cls) and issubclass(cls, NamedSet) and not inspect.isabstract(cls):
                found[cls.name] = cls
    return dict(sorted(found.items()))
