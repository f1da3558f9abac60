"""What differs between kinds of data is one small file per layer: ``<layer>/modalities/<name>.py``.

A modality (text, image, interaction) is known by its name, and nothing else asks which one it has. A layer's
base class (``<layer>/modality.py``) says what can differ there. There is no registry: a new file is a new
modality.
"""

import importlib
import inspect
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any

from holdfast.core.errors import UnknownName


@cache
def modalities(base: type) -> dict[str, Any]:
    """What each file beside a layer's base class says, by the name of the modality.

    >>> from holdfast.data.modality import Modality
    >>> list(modalities(Modality))
    ['features', 'image', 'interaction', 'text']
    """
    home = f"{base.__module__.rpartition('.')[0]}.modalities"
    names = [info.name for info in pkgutil.iter_modules(importlib.import_module(home).__path__)]
    return {name: _class(importlib.import_module(f"{home}.{name}"), base)() for name in names}


def modality_of(base: type, kind: str) -> Any:
    """What the file of one modality says."""
    known = modalities(base)
    if kind not in known:
        raise UnknownName("modality", kind, known)
    return known[kind]


def _class(module: ModuleType, base: type) -> type:
    """The class of a file that derives from the base."""
    classes = [
        cls for cls in vars(module).values() if inspect.isclass(cls) and cls.__module__ == module.__name__
    ]
    (only,) = (cls for cls in classes if issubclass(cls, base))
    return only
