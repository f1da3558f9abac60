"""Holdfast: can I trust this explanation?

The names are imported when they are first used, so that ``import holdfast`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from holdfast.commands.audit import audit
    from holdfast.commands.compare import compare
    from holdfast.commands.explain import explain
    from holdfast.commands.join import join
    from holdfast.commands.judge import judge
    from holdfast.commands.reproduce import reproduce
    from holdfast.core.catalogue import make
    from holdfast.core.errors import HoldfastError
    from holdfast.core.records import Batch, Edit, Explanation, Member, Trace
    from holdfast.data.source import Source, load
    from holdfast.measure.stability import stability
    from holdfast.models.adapters.adapt import adapt, family
    from holdfast.train.family import Family
    from holdfast.train.fit import Fit

_HOMES = {
    "Batch": "holdfast.core.records",
    "Edit": "holdfast.core.records",
    "Explanation": "holdfast.core.records",
    "Family": "holdfast.train.family",
    "Fit": "holdfast.train.fit",
    "HoldfastError": "holdfast.core.errors",
    "Member": "holdfast.core.records",
    "Source": "holdfast.data.source",
    "Trace": "holdfast.core.records",
    "adapt": "holdfast.models.adapters.adapt",
    "audit": "holdfast.commands.audit",
    "compare": "holdfast.commands.compare",
    "explain": "holdfast.commands.explain",
    "family": "holdfast.models.adapters.adapt",
    "join": "holdfast.commands.join",
    "judge": "holdfast.commands.judge",
    "load": "holdfast.data.source",
    "make": "holdfast.core.catalogue",
    "reproduce": "holdfast.commands.reproduce",
    "stability": "holdfast.measure.stability",
}

__all__ = [
    "Batch",
    "Edit",
    "Explanation",
    "Family",
    "Fit",
    "HoldfastError",
    "Member",
    "Source",
    "Trace",
    "__version__",
    "adapt",
    "audit",
    "compare",
    "explain",
    "family",
    "join",
    "judge",
    "load",
    "make",
    "reproduce",
    "stability",
]


# The folder of explainers has the name of a function. Whoever imports a folder first also gives its name to
# the package, where it would hide the function: so it is imported here, and its name taken away.
import_module("holdfast.explain")
del globals()["explain"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'holdfast' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
