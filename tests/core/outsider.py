"""Methods outside the package, as somebody would write them, in a file or an installed package."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holdfast.core import outside
from holdfast.core.plugins import plugins

EXPLAINER = '''
"""Somebody's own explainer."""

from dataclasses import dataclass
from typing import ClassVar

from holdfast.explain.base import Explainer, place
from holdfast.explain.slope import slope


@dataclass(frozen=True)
class Mine(Explainer):
    """The slope to some power."""

    signed: ClassVar[bool] = False

    k: int = 2

    def scores(self, run, batch, target, noise=None):
        return place(slope(run, batch, target, run.embed(batch)).abs(), batch) ** self.k
'''
REPAIR = '''
"""Somebody's own repair."""

from dataclasses import dataclass

from holdfast.train.repair import Repair


@dataclass(frozen=True)
class Slow(Repair):
    """Learn more slowly."""

    by: float = 0.5

    def rate(self, epoch, epochs):
        return self.by
'''
MODEL = '''
"""Somebody's own model."""

from dataclasses import dataclass

from holdfast.models.text.average import Average


@dataclass(frozen=True)
class Mean(Average):
    """An average of words."""

    hidden: int = 4
'''
COMPARISON = '''
"""Somebody's own comparison."""

from dataclasses import dataclass
from typing import ClassVar

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.distribution import distribution


@dataclass(frozen=True)
class Largest(Comparison):
    """The largest difference of the scores made distributions."""

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = False

    def prepare(self, scores, mask, signed):
        return distribution(scores, mask, signed)

    def between(self, a, b, mask):
        return (a - b).abs().amax(-1)
'''
PROBE = '''
"""Somebody's own probe."""

from dataclasses import dataclass

from holdfast.measure.probes.deletion import Deletion


@dataclass(frozen=True)
class FewWords(Deletion):
    """The first few words are taken away."""

    steps: int = 3
    fill: str = "hole"
'''
FILES = {"mine": EXPLAINER, "slow": REPAIR, "means": MODEL, "largest": COMPARISON, "words": PROBE}


def write_files(folder: Path) -> Path:
    """Every one of them as a file of the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    return folder


def write_package(folder: Path, points: str) -> Path:
    """An installed package ``theirs`` with its entry points, as pip leaves it."""
    write_files(folder / "theirs")
    (folder / "theirs" / "__init__.py").touch()
    about = folder / "theirs-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.2\n", "utf-8")
    (about / "entry_points.txt").write_text(points, "utf-8")
    return folder


@contextmanager
def forgotten() -> Iterator[None]:
    """What is loaded in this block is not known after it."""
    import sys

    modules, known = set(sys.modules), dict(outside._LOADED)
    plugins.cache_clear()
    try:
        yield
    finally:
        for name in set(sys.modules) - modules:
            if name.endswith(".py") or name.partition(".")[0] == "theirs":
                del sys.modules[name]
        outside._LOADED.clear()
        outside._LOADED.update(known)
        plugins.cache_clear()
