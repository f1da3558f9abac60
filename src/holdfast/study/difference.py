"""What makes two plans different runs."""

import json
from typing import Any, Protocol, Self


class RunPlan(Protocol):
    """A plan as the run store sees it: plain values, and which of them identify the run."""

    @property
    def identity(self) -> dict[str, Any]: ...

    def to_json(self) -> dict[str, Any]: ...

    @classmethod
    def from_json(cls, values: Any) -> Self: ...


def difference(one: RunPlan, other: RunPlan) -> str | None:
    """The first field in which the runs of two plans differ, with both values; None if it is one run, of
    whatever size."""
    a, b = one.identity, other.identity
    for name in a:
        if name == "outside" and a[name] != b[name]:
            return _changed(a[name], b[name])
        if a[name] != b[name]:
            return f"{name}: {_short(a[name])} there, {_short(b[name])} here"
    return None


def _changed(stored: dict[str, str], here: dict[str, str]) -> str:
    """The first of the methods outside the package whose code differs."""
    name = next(name for name in sorted({**stored, **here}) if stored.get(name) != here.get(name))
    codes = (side.get(name, "none")[:8] for side in (stored, here))
    return "the code of {}: SHA-256 {}… there, {}… here".format(name, *codes)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "…"
