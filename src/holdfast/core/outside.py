"""Code outside the package: a file, a module, or a class or an object in one of them.

It is loaded because somebody named it in this very process, and for no other reason. Names that stand in a
run folder are only looked up among what was loaded.
"""

import dataclasses
import importlib
import importlib.abc
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from holdfast.core.errors import BadSetting, TheirError
from holdfast.core.files import sha256
from holdfast.core.plain import printable, short
from holdfast.core.settings import mentions

HOW = "expected package.module:Class that Python can import, or ./file.py:Class"


class Part(NamedTuple):
    """A class outside the package. ``name`` is ``module:Class``, as plans have it, with no folder in it;
    ``sha256`` is of its code; ``path`` where its file is, if it was named by a file; ``local`` says that no
    other process could load it."""

    name: str
    cls: type
    sha256: str
    path: Path | None = None
    local: bool = False

    @property
    def module(self) -> str:
        """The module, or the name of the file."""
        return self.name.partition(":")[0]


class Thing(NamedTuple):
    """Any object outside the package, named as a :class:`Part` is; of a whole module without a colon."""

    name: str
    value: Any
    sha256: str
    path: Path | None = None


_LOADED: dict[str, Part] = {}  # as sys.modules is, for what other processes and plans call by name


def keep(part: Part) -> None:
    """From now on the part is known by its name."""
    _LOADED[part.name] = part


def loaded(name: str) -> Part | None:
    """What was loaded under this name, if anything."""
    return _LOADED.get(name)


def loaded_in(labels: Iterable[str]) -> list[Part]:
    """What was loaded of the methods that are written."""
    return [part for part in _LOADED.values() if any(mentions(label, part.name) for label in labels)]


def load(written: str) -> Part:
    """Load ``package.module:Class`` or ``./file.py:Class``; of a file that file only."""
    found, name = load_object(written, "class"), written.partition(":")[2]
    if not name or not inspect.isclass(found.value):
        kind = type(found.value).__name__
        raise BadSetting(f"{written}: expected a class, but '{short(name)}' is of type {kind}")
    return Part(found.name, found.value, found.sha256, found.path)


def load_object(written: str, what: str = "object") -> Thing:
    """Load ``package.module:name`` or ``./file.py:name``, or without a name the whole module; ``what`` is
    expected there."""
    home, _, name = written.partition(":")
    path = Path(home) if home.endswith(".py") else None
    module = _module(home) if path is None else _file(path)
    value: Any = module
    for step in filter(None, name.split(".")):
        if step not in getattr(value, "__dict__", ()):
            raise BadSetting(f"{written}: there is no {what} '{short(name)}' in {home}")
        value = vars(value)[step]
    where = None if path is None else path.resolve()
    return Thing(":".join(filter(None, (module.__name__, name))), value, _digest(module), where)


def reload_object(name: str, path: str, digest: str) -> Any:
    """The same object in a worker process; ``path`` is empty for a module."""
    module, _, inner = name.partition(":")
    found = load_object(":".join(filter(None, (path or module, inner))))
    if found.sha256 != digest:
        raise BadSetting(f"the code of {name} has changed since the work began: run the same command again")
    return found.value


def call(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call somebody's function; whatever it raises becomes a :class:`TheirError` that says where."""
    try:
        return function(*arguments)
    except (Exception, SystemExit) as error:
        raise TheirError(f"{name} raised {_said(error)}") from error


def part_of(cls: type) -> Part:
    """The part that an instance's class is; one that cannot be imported by its name is ``local``. A class
    that was made of another has a function ``part`` that tells."""
    if (told := vars(cls).get("part")) is not None:
        return told()  # type: ignore[no-any-return]
    module = sys.modules.get(cls.__module__)
    if module is not None and cls.__module__ != "__main__" and vars(module).get(cls.__qualname__) is cls:
        known = _LOADED.get(f"{cls.__module__}:{cls.__qualname__}")
        path = None if known is None else known.path
        return Part(f"{cls.__module__}:{cls.__qualname__}", cls, _digest(module), path)
    name = f"{cls.__module__}:{cls.__qualname__.replace('<locals>.', '')}"
    return Part(name, cls, sha256(_source(cls).encode()), local=True)


def reload(name: str, path: str, digest: str) -> None:
    """Load in a worker process what the one that started it has loaded; ``path`` is empty for a module."""
    cls = reload_object(name, path, digest)
    keep(Part(name, cls, digest, Path(path) if path else None))


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise BadSetting(f"there is no module '{short(name)}': {HOW}") from error
        raise _refused(name, error) from error
    except (Exception, SystemExit) as error:
        raise _refused(name, error) from error


def _file(path: Path) -> ModuleType:
    """The module of a file, under the file's name; run again where the file has changed."""
    if not path.is_file():
        raise BadSetting(f"there is no file '{short(path)}': {HOW}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadSetting(f"cannot read '{short(path)}': {error.strerror}") from error
    before = sys.modules.get(path.name)
    loader = None if before is None or before.__spec__ is None else before.__spec__.loader
    if before is not None and isinstance(loader, _Loader) and loader.data == data:
        return before
    if isinstance(loader, _Loader) and loader.path != str(path.resolve()):
        raise BadSetting(f"there are two files called {path.name} with different code: rename one of them")
    return _run(path.name, _Loader(str(path.resolve()), data))


def _run(name: str, loader: "_Loader") -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, loader.path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses and type hints look for it
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _refused(name, error) from error
    return module


class _Loader(importlib.abc.ExecutionLoader):
    """Runs the very bytes that were read, and leaves no other file beside them."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path, self.data = path, data

    def get_filename(self, fullname: str) -> str:
        return self.path

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self.data)


def _refused(name: str, error: BaseException) -> BadSetting:
    """What its code raised when it was loaded, and in which line of which file."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        where = f"{Path(error.filename).name} line {error.lineno}"
        said = f"{type(error).__name__}: {printable(short(error.msg))}"
        return BadSetting(f"cannot load {name}: {where} raised {said}")
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name} line {frame.lineno}"
    return BadSetting(f"cannot load {name}: {where} raised {_what(error)}")


def _said(error: BaseException) -> str:
    """What was raised, and in which line of which file outside this one, if in any."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
    where = f" ({Path(frames[-1].filename).name} line {frames[-1].lineno})" if frames else ""
    return f"{_what(error)}{where}"


def _what(error: BaseException) -> str:
    return ": ".join(filter(None, (type(error).__name__, printable(short(error)).strip())))


def _digest(module: ModuleType) -> str:
    loader = None if module.__spec__ is None else module.__spec__.loader
    if isinstance(loader, _Loader):
        return sha256(loader.data)
    file = getattr(module, "__file__", None)
    return sha256(Path(file).read_bytes() if file is not None and Path(file).is_file() else b"")


def _source(cls: type) -> str:
    """What the class says; where that is not to be had, as in an interpreter, its fields and its code."""
    try:
        return inspect.getsource(cls)
    except (OSError, TypeError):
        fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
        codes = [(n, f.__code__) for n, f in vars(cls).items() if inspect.isfunction(f)]
        return repr([(f.name, str(f.type)) for f in fields]) + "".join(
            f"{name} {code.co_code.hex()} {code.co_names}" for name, code in codes
        )
