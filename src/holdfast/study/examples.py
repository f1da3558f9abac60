"""Sentences to look at: the same text as every seed sees it."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Explanation
from holdfast.data.text import TextDataset
from holdfast.measure.verdict import Scale, hold_each
from holdfast.study.cell import Cell
from holdfast.study.findings import Example, Heat

LONGEST = 40


def examples(cell: Cell, scales: dict[str, Scale], count: int = 6) -> list[Example]:
    """Sentences from the firmest to the least firm by the first explainer, evenly spaced."""
    if not isinstance(cell.dataset, TextDataset):
        return []
    first = next(iter(scales))
    chosen = spaced(hold_each(scales[first]).value, cell.mask.sum(1), count)
    return [example(cell, cell.dataset, scales, int(place)) for place in chosen]


def example(cell: Cell, dataset: TextDataset, scales: dict[str, Scale], place: int) -> Example:
    """One explained test row as a record."""
    row = int(cell.rows[place])
    classes = dataset.task.classes
    split = dataset.splits["test"]
    tokens = tuple(dataset.tokens("test", row))
    truth = split.truth(cell.rows[place : place + 1], len(tokens))
    return Example(
        data=cell.data,
        model=cell.model,
        repair=cell.repair,
        tokens=tokens,
        label=classes[int(split.targets[row])],
        target=classes[int(cell.target[place])],
        probabilities=tuple(_rounded(cell.explained[:, place])),
        seeds=tuple(member.seed for member in cell.members),
        heats=tuple(
            heat(explanation, scales[name], place)
            for name, explanation in cell.explanations.items()
            if name != "random"
        ),
        rationale=None if truth is None else tuple(bool(mark) for mark in truth[0]),
    )


def heat(explanation: Explanation, scale: Scale, place: int) -> Heat:
    """One explainer's scores of one text, each member's normalised to a sum of 1."""
    length = int(explanation.mask[place].sum())
    own = explanation.scores[:, place, :length].double()
    own = own / own.abs().sum(1, keepdim=True).clamp(min=1e-12)
    holds = hold_each(scale)
    interval, verdict = holds.interval(place), holds.verdict(place)
    return Heat(
        explainer=explanation.method,
        signed=explanation.signed,
        scores=tuple(tuple(_rounded(member)) for member in own),
        consensus=tuple(_rounded(own.mean(0))),
        hold=None if interval is None else round(interval.value, 4),
        low=None if interval is None or interval.low is None else round(interval.low, 4),
        high=None if interval is None or interval.high is None else round(interval.high, 4),
        verdict=verdict.word,
    )


def spaced(values: Float[Tensor, "K"], lengths: Int[Tensor, "K"], count: int) -> list[int]:
    """Places from the largest value to the smallest, evenly spaced, of rows that are not too long."""
    fitting = (lengths <= LONGEST).nonzero()[:, 0] if bool((lengths <= LONGEST).any()) else lengths.argsort()
    ordered = fitting[values[fitting].argsort(descending=True, stable=True)].tolist()
    places = torch.linspace(0, len(ordered) - 1, min(count, len(ordered))).round().long().tolist()
    return [ordered[place] for place in dict.fromkeys(places)]


def _rounded(values: Float[Tensor, "N"]) -> list[float]:
    """Four decimals: what a heat map can show, and no more bytes than that."""
    return [round(value, 4) for value in values.tolist()]
