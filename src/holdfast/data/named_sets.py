"""Named public data sets, one file each: a new file in a modality's ``sets`` is a new name.

Nothing is registered; :func:`named_sets` looks at the files of the packages ``<modality>.sets``.
"""

import importlib
import inspect
import pkgutil
from functools import cache
from importlib.util import find_spec
from pathlib import PurePath

from holdfast.data.named_set import NamedSet

HOME = "holdfast.data"


@cache
def named_sets() -> dict[str, type[NamedSet]]:
    """Every named set, by name.

    >>> "sst2" in named_sets()
    True
    """
    sets: dict[str, type[NamedSet]] = {}
    for package in packages():
        for info in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            for cls in vars(importlib.import_module(info.name)).values():
                if inspect.isclass(cls) and issubclass(cls, NamedSet) and not inspect.isabstract(cls):
                    sets[cls.name] = cls
    return dict(sorted(sets.items()))


def file_name(data: str) -> str:
    """What a run calls its data: a named set as it is written, a file by its name without folders.

    >>> file_name("tweeteval/emotion"), file_name("../mine/reviews.csv")
    ('tweeteval/emotion', 'reviews.csv')
    """
    return data if is_named(data) else PurePath(data).name


def packages() -> list[str]:
    """Where the sets of each modality are."""
    names = [
        info.name for info in pkgutil.iter_modules(importlib.import_module(f"{HOME}.modalities").__path__)
    ]
    return [f"{HOME}.{name}.sets" for name in names if find_spec(f"{HOME}.{name}.sets") is not None]


def is_named(data: str) -> bool:
    """Whether this is a named data set, with settings or without.

    >>> is_named("planted:train=40"), is_named("reviews.csv")
    (True, False)
    """
    return data.partition(":")[0] in named_sets()
