"""Models that somebody brought as a function: what they say, and how far it falls with positions left out."""

from dataclasses import replace

from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.data.scores.answers import names_of, probabilities_of
from holdfast.data.scores.brought import Brought
from holdfast.measure.matters import Matters, matters
from holdfast.measure.probes.asked_drops import Ask, asked_drops

ANSWER = "what predict returns"
SAME = 0.01
"""How far the same models may be from the probabilities that were given, which may be in half precision."""


def completed(brought: Brought) -> Brought:
    """The same with the probabilities that the function gives, where none were given; where some were, it
    must give the same, or it is of other models or of other examples."""
    if brought.predict is None:
        return brought
    said, given = ask_of(brought)(_everything(brought)), brought.probabilities
    if given is None:
        aim = brought.first.target if brought.told else said.mean(0).argmax(-1)
        _check_classes(brought, said.shape[-1])
        classes = brought.classes or names_of(None, said.shape[-1])
        explanations = {name: replace(one, target=aim) for name, one in brought.explanations.items()}
        return replace(brought, probabilities=said, explanations=explanations, classes=classes)
    if said.shape != given.shape:
        raise BadSetting(f"expected {ANSWER} of shape {tuple(given.shape)}, but got {tuple(said.shape)}")
    apart = float((said - given).abs().max())
    if apart > SAME:
        raise BadSetting(
            "expected predict to give the probabilities that were given when every position is left in, but "
            f"they are up to {apart:.2f} apart: both must be of the same models and examples, in their order"
        )
    return brought


def matters_of_brought(brought: Brought) -> dict[str, Matters | None]:
    """Whether what each explainer points at matters to the models; nothing where they cannot be asked."""
    if brought.falls is not None:
        by, random, alone = brought.falls
        return {name: matters(drop, random, alone) for name, drop in by.items()}
    if brought.predict is None or brought.probabilities is None:
        return {}
    found = asked_drops(ask_of(brought), brought.probabilities, brought.explanations)
    best = found.random if found.alone is None else found.alone
    return {name: matters(drop, found.random, best) for name, drop in found.by.items()}


def ask_of(brought: Brought) -> Ask:
    """The function that was brought, its answers checked."""
    predict, count = brought.predict, len(brought.mask)
    assert predict is not None

    def ask(keep: Bool[Tensor, "M B T"]) -> Float[Tensor, "M B C"]:
        said = probabilities_of(predict(keep.numpy().copy()), ANSWER)
        if said.shape[:2] != (len(brought.members), count):
            raise BadSetting(
                f"expected {ANSWER} to be of {len(brought.members)} members for {count} examples, but got "
                f"shape {tuple(said.shape)}"
            )
        return said

    return ask


def _everything(brought: Brought) -> Bool[Tensor, "M B T"]:
    return brought.mask.expand(len(brought.members), *brought.mask.shape)


def _check_classes(brought: Brought, count: int) -> None:
    """What was said of classes before anybody knew how many there are."""
    most = max(int(table.max()) for table in (brought.labels, brought.first.target) if table is not None)
    if len(brought.classes) not in (0, count) or most >= count:
        raise BadSetting(
            f"expected {ANSWER} to be of every class that classes, labels and target name, but got {count}"
        )
