"""How a module of somebody's own is made and called, and what it answers with."""

import inspect
from typing import Any, NamedTuple

import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.core.errors import WRONG, BadSetting
from holdfast.core.plain import printable, short
from holdfast.data.base import Task
from holdfast.data.reading import listed

AUTO, NONE = "auto", "none"
OF_CLASSES = {"classes", "num_classes", "n_classes", "labels", "num_labels", "n_labels"}
OF_WORDS = {
    "vocabulary",
    "vocab",
    "vocabulary_size",
    "vocab_size",
    "n_vocab",
    "num_embeddings",
    "num_words",
    "n_words",
}


class Call(NamedTuple):
    """The keywords of the ids and of the mask, each empty where it is the first argument or not taken;
    ``hides`` says that the mask is True where nothing is."""

    ids: str
    mask: str
    hides: bool

    def __call__(self, module: nn.Module, ids: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"]) -> Any:
        """What the module answers."""
        given: dict[str, Tensor] = {self.ids: ids} if self.ids else {}
        if self.mask:
            given[self.mask] = ~mask if self.hides else mask
        return module(**given) if self.ids else module(ids, **given)


def call_of(module: nn.Module, ids: str, mask: str, hides: bool) -> Call:
    """By its signature: unless it is said, the mask is the one argument of ``forward`` that is named so.

    >>> class Net(nn.Module):
    ...     def forward(self, words, attention_mask=None): ...
    >>> call_of(Net(), "", "auto", False)
    Call(ids='', mask='attention_mask', hides=False)
    """
    taken = inspect.signature(module.forward).parameters
    free = any(one.kind is one.VAR_KEYWORD for one in taken.values())
    for option, name in (("ids", ids), ("mask", "" if mask in (AUTO, NONE) else mask)):
        if name and name not in taken and not free:
            raise BadSetting(
                f"expected {option} to name an argument of {_name(module)}.forward, but got {short(name)}: "
                f"they are {listed(taken)}"
            )
    if mask == NONE:
        return Call(ids, "", False)
    if mask != AUTO:
        return Call(ids, mask, hides)
    named = [name for name in taken if "mask" in name.lower()]
    if len(named) > 1:
        raise BadSetting(
            f"{_name(module)}.forward takes {listed(named)}: say which is the mask of the words, mask=…"
        )
    return Call(ids, named[0] if named else "", hides)


def sizes_of(task: Task) -> tuple[int, int]:
    """How many ids there are, of a tokenizer of somebody's own up to the largest, and how many classes.

    >>> sizes_of(Task(9, ("no", "yes")))
    (9, 2)
    """
    return (task.vocabulary if task.ids is None else int(task.ids.max()) + 1), len(task.classes)


def made(cls: type[nn.Module], task: Task) -> nn.Module:
    """A module of this class for a task: it is given the size of the vocabulary and the number of classes,
    by the names of its arguments, else in this order."""
    taken = [
        one for name, one in inspect.signature(cls).parameters.items() if one.kind is not one.VAR_KEYWORD
    ]
    given, left = dict[str, int](), list(sizes_of(task))
    for one in (one for one in taken if one.kind is not one.VAR_POSITIONAL):
        known = _by_name(one.name, task)
        if known is None and one.default is one.empty:
            known = left[0] if left else None
            if known is None:
                raise BadSetting(
                    f"{cls.__name__}({', '.join(own.name for own in taken)}): expected a class that needs a "
                    "vocabulary size and a number of classes at most, so give the others defaults"
                )
        if known is not None:
            given[one.name] = known
            if known in left:
                left.remove(known)
    try:
        return cls(**given)
    except WRONG as error:
        said = printable(short(f"{type(error).__name__}: {error}"))
        how = ", ".join(f"{name}={value}" for name, value in given.items())
        raise BadSetting(f"{cls.__name__}({how}) cannot be made: {said}") from error


def logits_of(answer: Any, rows: int, classes: int, name: str) -> Float[Tensor, "B C"]:
    """The logits in what a module answered: itself, ``.logits``, or the first of several; the one logit of
    two classes becomes (0, z)."""
    if isinstance(answer, tuple | list) and answer:
        answer = answer[0]
    if isinstance(answer, dict):
        answer = answer.get("logits")
    logits = getattr(answer, "logits", answer)
    if not isinstance(logits, Tensor):
        raise BadSetting(
            f"{name}: expected logits, or an object with .logits, but got {type(logits).__name__}: "
            "let forward return them"
        )
    came = tuple(logits.shape)
    if classes == 2 and came in ((rows,), (rows, 1)):
        return F.pad(logits.reshape(rows, 1), (1, 0))
    if came != (rows, classes):
        raise BadSetting(
            f"{name}: expected logits of shape ({rows}, {classes}), one for each of {rows} texts and "
            f"{classes} classes, but got {came}: check the classes, and that forward returns logits"
        )
    return logits


def _by_name(name: str, task: Task) -> int | None:
    for names, value in zip((OF_WORDS, OF_CLASSES), sizes_of(task), strict=True):
        if name in names:
            return value
    return None


def _name(module: nn.Module) -> str:
    return type(module).__name__
