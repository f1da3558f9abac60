"""What is typed of checkpoints of transformers: those to fine-tune, and those that are fine-tuned already."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from holdfast.core.admit import admit
from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.plain import short
from holdfast.core.settings import split_list

ALONE = ("dropped",)  # what a single checkpoint's explanations should survive


def trained(models: tuple[str, ...] | None, train: str | None) -> tuple[str, ...] | None:
    """The models with how much of a checkpoint is fine-tuned, where that was said by itself.

    >>> trained(("hf:path=minilm",), "all"), trained(("cnn",), None)
    (('hf:path=minilm,trains=all',), ('cnn',))
    """
    if train is None:
        return models
    made = [(text, make("models", text)) for text in models or ()]
    wrong = [text for text, one in made if all(field.name != "trains" for field in fields(one))]
    if wrong or not made:
        came = wrong[0] if wrong else "no model"
        raise BadSetting(
            f"--train says how much of a checkpoint is fine-tuned, but got {came}: choose --model hf:FOLDER "
            "or bert:path=FOLDER, or leave it out"
        )
    return tuple(admit("models", replace(one, trains=train)) for _, one in made)


def of_checkpoints(checkpoints: str | Sequence[str] | None, models: Any) -> Any:
    """The model whose members are these checkpoints, or the models where there are none.

    >>> of_checkpoints("runs/one,runs/two", None)
    'checkpoints:folders=runs/one+runs/two'
    """
    if checkpoints is None:
        return models
    folders = split_list(checkpoints) if isinstance(checkpoints, str) else tuple(checkpoints)
    if models is not None:
        raise BadSetting("expected --model or --checkpoints, but got both: leave one of them out")
    if bad := [folder for folder in folders if "+" in folder or "=" in folder]:
        raise BadSetting(
            f"expected folders without + or = in their names, but got {short(bad[0])}: rename it"
        )
    return f"checkpoints:folders={'+'.join(folders)}"


def perturbations_of(given: Sequence[str] | None, seeds: int) -> tuple[str, ...]:
    """Of a single checkpoint no other seed can be asked; a small change of the input can.

    >>> perturbations_of(None, 1), perturbations_of((), 1), perturbations_of(None, 10)
    (('dropped',), (), ())
    """
    if given is None:
        return ALONE if seeds == 1 else ()
    return tuple(given)
