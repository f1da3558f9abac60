"""From an ``nn.Module`` to a model, and from its state dicts to a family."""

import inspect
import json
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from holdfast.core.errors import BadSetting
from holdfast.core.files import sha256
from holdfast.core.outside import Part, part_of
from holdfast.models.adapters.calling import AUTO
from holdfast.models.adapters.drawn import undrawn
from holdfast.models.adapters.layers import embedding_name, layer
from holdfast.models.adapters.module import Adapted, Origin, Read
from holdfast.models.adapters.state_dicts import digests, state_dict
from holdfast.models.base import Model


def adapt(
    module: nn.Module | type[nn.Module],
    embedding: str = "",
    attention: str = "",
    *,
    ids: str = "",
    mask: str = AUTO,
    hides: bool = False,
    pad: int | None = None,
    missing: int | None = None,
    read: Read = "mean",
    fresh: Callable[[], nn.Module] | None = None,
) -> Adapted:
    """A text classifier of your own as a model to train and audit: ``holdfast.audit(data, adapt(Net))``.

    ``module`` is a class that is given a vocabulary size and a number of classes, or a module, whose layers
    are drawn anew for each seed. The settings are those of :class:`Adapted`; ``fresh`` makes a new module
    where layers cannot draw all parameters by themselves.
    """
    how = (embedding, attention, ids, mask, hides, pad, missing, read)
    if isinstance(module, type):
        return _architecture(module)(*how)  # type: ignore[arg-type]
    _check(module, embedding, attention)
    return _of(Origin(module, (), fresh))(*how)


def family(
    module: nn.Module,
    files: Sequence[str | os.PathLike[str]],
    embedding: str = "",
    attention: str = "",
    *,
    ids: str = "",
    mask: str = AUTO,
    hides: bool = False,
    pad: int | None = None,
    missing: int | None = None,
    read: Read = "mean",
    fresh: Callable[[], nn.Module] | None = None,
) -> Adapted:
    """State dicts of one module as members that are trained already: ``holdfast.audit(data, family(…))``.

    ``files`` are safetensors. The rest is as :func:`adapt` has it; ``fresh`` makes the untrained
    modules that explanations are held against.
    """
    if isinstance(module, type):
        raise BadSetting(
            f"expected a module, but got the class {module.__name__}: give {module.__name__}(…), made as it "
            "was when its state dicts were saved"
        )
    _check(module, embedding, attention)
    if isinstance(files, str | os.PathLike) or not len(files):
        raise BadSetting("expected a list of .safetensors files, one for each seed")
    paths = [Path(path) for path in files]
    origin = Origin(module, tuple(zip(paths, digests(paths), strict=True)), fresh)
    for path, digest in origin.files:
        state_dict(path, digest, module, embedding_name(module, embedding))
    return _of(origin)(embedding, attention, ids, mask, hides, pad, missing, read)


def fitted(cls: type) -> type:
    """The architecture of a class of modules; any other class is what it is."""
    own = issubclass(cls, nn.Module) and not issubclass(cls, Model)
    return _architecture(cls) if own else cls


@cache
def _architecture(cls: Any) -> type[Adapted]:
    """The one of modules of this class."""
    return _class(Origin(cls), lambda: part_of(cls))


def _of(origin: Origin) -> type[Adapted]:
    """That of one module, which no other process has; known by the code of its class and by what stays of its
    numbers."""
    part, module = part_of(origin.cls), origin.module
    assert isinstance(module, nn.Module)
    shapes = [(name, str(tensor.dtype), tuple(tensor.shape)) for name, tensor in module.state_dict().items()]
    stays = {name: _bytes(tensor) for name, tensor in _staying(origin, module).items()}
    files = [digest for _, digest in origin.files]
    about = [part.sha256, repr(module), shapes, stays, files, _code(origin.fresh)]
    local = part._replace(name=_capital(part.name), sha256=_digest(about), path=None, local=True)
    cls = _class(origin, lambda: local._replace(cls=cls))
    return cls


def _class(origin: Origin, part: Callable[[], Part]) -> type[Adapted]:
    """A class of its own, which plans know by its ``part``."""
    about = {"origin": origin, "part": part, "__doc__": Adapted.__doc__, "__module__": __name__}
    return type(origin.name, (Adapted,), about)


def _digest(about: Any) -> str:
    return sha256(json.dumps(about, sort_keys=True).encode())


def _staying(origin: Origin, module: nn.Module) -> dict[str, Tensor]:
    """What neither a file nor a draw changes."""
    buffers, known = dict(module.named_buffers()), module.state_dict()
    if origin.files:
        return {name: tensor for name, tensor in buffers.items() if name not in known}
    return {} if origin.fresh is not None else buffers | {name: known[name] for name in undrawn(module)}


def _bytes(tensor: Tensor) -> str:
    return sha256(tensor.detach().cpu().double().contiguous().numpy().tobytes())


def _code(fresh: Callable[[], nn.Module] | None) -> str:
    """What draws untrained modules, where its source is to be had."""
    try:
        return "" if fresh is None else inspect.getsource(fresh)
    except (OSError, TypeError):
        return repr(getattr(fresh, "__qualname__", ""))


def _capital(name: str) -> str:
    """As names of classes are told from settings: with a capital."""
    module, _, cls = name.rpartition(":")
    return f"{module}:{cls[:1].upper()}{cls[1:]}"


def _check(module: Any, embedding: str, attention: str) -> None:
    """Refuse what is no module, or lacks a layer, where it is named."""
    if not isinstance(module, nn.Module):
        raise BadSetting(f"expected an nn.Module or a class of them, but got {type(module).__name__}")
    embedding_name(module, embedding)
    if attention:
        layer(module, attention, "attention")
