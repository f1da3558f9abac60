"""What somebody gives, checked and put into one record."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Explanation, Member
from holdfast.data.scores.answers import classes_of, names_of, probabilities_of
from holdfast.data.scores.brought import Brought, Predict
from holdfast.data.scores.tables import Table, numbers, table_of
from holdfast.data.scores.tokens import Tokens, tokens_of, tokens_of_shap

ONLY = "scores"
"""What an explainer is called that nobody named."""
FLOOR = "random"  # scores that are no explanation
ONE_IN = 5
"""Of so many examples one must end in zeros, or nothing is said of padding."""


def bring(
    scores: Any,
    mask: Any = None,
    tokens: Any = None,
    probabilities: Any = None,
    labels: Any = None,
    untrained: Any = None,
    predict: Predict | None = None,
    target: Any = None,
    classes: Sequence[str] | None = None,
    signed: bool | None = None,
    name: str = "scores",
    seeds: Sequence[int] | None = None,
) -> Brought:
    """The record of what is given; whatever does not fit is one clear sentence.

    ``seeds`` are the numbers of the members, where they have some; the rest is as ``holdfast.judge`` has it.

    >>> bring([[[1.0, 2.0], [3.0, 4.0]]], probabilities=[[0.1, 0.9]]).first.target
    tensor([0, 1])
    """
    by_name = (
        {str(key): one for key, one in scores.items()} if isinstance(scores, Mapping) else {ONLY: scores}
    )
    if not set(by_name) - {FLOOR}:
        raise BadSetting("expected the scores of one explainer at least, besides random, but got none")
    if predict is not None and not callable(predict):
        raise BadSetting(f"expected predict to be a function, but got {type(predict).__name__}")
    odds = None if probabilities is None else probabilities_of(probabilities)
    names = names_of(classes, None if odds is None else odds.shape[-1])
    aim = None if odds is None else odds.mean(0).argmax(-1)
    if target is not None:  # one class may be for all examples, whose number is not known yet
        aim = classes_of(target, "target", names, len(np.atleast_1d(np.asarray(target))))
    picks = None if aim is None else aim.numpy()
    tables = {key: table_of(one, _called(key), picks) for key, one in by_name.items()}
    first = _alike(tables)
    members, count, _ = first.values.shape
    given = tokens_of_shap(next(iter(by_name.values()))) if tokens is None else tokens_of(tokens)
    valid = mask_of(mask, first, given)
    if odds is not None and odds.shape[:2] != (members, count):
        raise BadSetting(
            f"expected probabilities of {members} members for {count} examples, as there are scores, but got "
            f"shape {tuple(odds.shape)}"
        )
    if target is not None:
        aim = classes_of(target, "target", names, count)
    truth = None if labels is None else classes_of(labels, "labels", names, count)
    who = tuple(map(Member, range(members) if seeds is None else seeds))
    about = (valid, torch.zeros(count, dtype=torch.long) if aim is None else aim, who)
    explanations = {}
    for key, table in tables.items():
        kept = finite(table.values, valid, _called(key))
        explanations[key] = Explanation(
            kept, *about, key, bool((kept < 0).any()) if signed is None else signed
        )
    return Brought(
        name=name,
        explanations=explanations,
        tokens=None if given is None else given.of(valid),
        probabilities=odds,
        labels=truth,
        classes=names,
        untrained=_untrained(untrained, explanations),
        predict=predict,
        told=target is not None,
        notes=_ending(first) if mask is None and (given is None or given.names is not None) else (),
    )


def finite(values: Tensor, mask: Bool[Tensor, "B T"], name: str) -> Tensor:
    """The same with 0 where no position exists; refused where a score is no number."""
    kept = torch.where(mask, values, 0.0)
    if not torch.isfinite(kept).all():
        raise BadSetting(
            f"expected {name} to be finite numbers, but some are NaN or infinite: mask or fix them"
        )
    return kept


def mask_of(mask: Any, table: Table, tokens: Tokens | None = None) -> Bool[Tensor, "B T"]:
    """Which positions exist: as it was given, as the lists are long, or else as there are tokens."""
    shape = tuple(table.values.shape[1:])
    if mask is None:
        return _by_tokens(table, tokens)
    array = numbers(mask, "mask")
    if array is None or array.shape != shape:
        came = "something else" if array is None else array.shape
        raise BadSetting(f"expected mask of shape (examples, positions), here {shape}, but got {came}")
    if not np.isin(array, (0, 1)).all():
        raise BadSetting("expected mask to be True or False, where a position exists, but got other numbers")
    valid = torch.from_numpy(np.array(array, dtype=bool))
    beyond = (valid & ~table.mask).any(1) if table.mask is not None else torch.zeros(1)
    if beyond.any():
        raise BadSetting(
            f"mask has positions without scores in example {int(beyond.nonzero()[0])}: expected False there"
        )
    return valid


def _by_tokens(table: Table, tokens: Tokens | None) -> Bool[Tensor, "B T"]:
    shape, lengths = table.values.shape[1:], None if tokens is None else tokens.lengths
    if table.mask is not None:
        return table.mask
    if lengths is None or len(lengths) != shape[0] or bool((lengths > shape[1]).any()):
        return torch.ones(shape, dtype=torch.bool)
    valid = torch.arange(shape[1]) < lengths[:, None]
    beyond = (~valid & (table.values.nan_to_num() != 0).any(0)).any(1)
    if beyond.any():
        row = int(beyond.nonzero()[0])
        raise BadSetting(
            f"example {row} has {int(lengths[row])} tokens, but scores at more positions: give a mask, "
            "True where a position exists"
        )
    return valid


def _called(key: str) -> str:
    return "scores" if key == ONLY else f"scores of {key}"


def _alike(tables: Mapping[str, Table]) -> Table:
    """The first table, if all are of the same members, examples and positions."""
    (name, first), *others = tables.items()
    for other, table in others:
        pair = (table.mask, first.mask)
        same = table.values.shape == first.values.shape and (pair[0] is None) == (pair[1] is None)
        if not same or (pair[0] is not None and pair[1] is not None and not torch.equal(pair[0], pair[1])):
            raise BadSetting(
                "expected the same members, examples and positions of every explainer, but those of "
                f"{name} ({', '.join(map(str, first.values.shape))}) and of {other} "
                f"({', '.join(map(str, table.values.shape))}) differ"
            )
    return first


def _untrained(given: Any, explanations: Mapping[str, Explanation]) -> dict[str, Float[Tensor, "G B T"]]:
    """Scores of untrained networks by explainer, on the same positions."""
    if given is None:
        return {}
    by_name = {next(iter(explanations)): given}
    if isinstance(given, Mapping):
        by_name = {str(key): one for key, one in given.items()}
    if not isinstance(given, Mapping) and len(explanations) > 1:
        raise BadSetting("expected untrained to be a mapping with the names of the explainers, as scores is")
    tables = {}
    for key, values in by_name.items():
        if key not in explanations:
            raise BadSetting(f"untrained: there are no scores of {key}")
        name, mask = "untrained" if key == ONLY else f"untrained of {key}", explanations[key].mask
        table = table_of(values, name).values
        if table.shape[1:] != mask.shape:
            wanted = f"(networks, {mask.shape[0]}, {mask.shape[1]})"
            raise BadSetting(f"expected {name} of shape {wanted}, but got {tuple(table.shape)}")
        tables[key] = finite(table, mask, name)
    return tables


def _ending(table: Table) -> tuple[str, ...]:
    """What to know of a table whose examples end in zeros, as padded ones do."""
    if table.mask is not None:
        return ()
    zeros = (table.values == 0).all(0).flip(-1).long().cumprod(-1).sum(-1)
    count, several = int((zeros > 0).sum()), int(zeros.max()) > int(zeros.min())
    if not several or count * ONE_IN < len(zeros):
        return ()
    return (
        f"In {count} of {len(zeros)} examples the scores of every member end in zeros, and no mask was "
        "given: if these positions are padding, give a mask, as they count as positions here.",
    )
