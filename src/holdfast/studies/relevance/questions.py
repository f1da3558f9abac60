"""What the document (Chormai §4.3.3, §4.4.4, §5) says of its cells, as numbers made of mean cosines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.studies.relevance.cosines import Means
from holdfast.studies.relevance.names import CELLS, DEPTH, GATED, METHODS
from holdfast.study.measurement import Measurement

LEAST = 0.01  # of cosine: a smaller difference of two cells is none
# the same difference from the first to the last of four cells at equal distances: its slope, its deviation
LEAST_SLOPE = LEAST / 3
LEAST_APART = LEAST * (5 / 27) ** 0.5
# the document's experiments leave simple Taylor out
COMPARED = tuple(name for name in METHODS if name != "simple_taylor")
PROPAGATE, REST = ("deep_taylor", "lrp"), ("sensitivity", "guided_backprop")
OURS = "ours: the document does not say so"
DROPPED = {"fashion-maj": "yes (Figure 4.17)", "mnist-maj": "hardly (Figure 4.17)"}


@dataclass(frozen=True)
class Question:
    """A claim, the cells it is about, and the numbers that answer it, of mean cosines per cell.

    Of several numbers (``parts``: one for each method, or rival) all must be above 0. An effect below
    ``least`` does not matter. ``methods`` are fixed where a claim is about certain ones, ``data`` where it is
    about one data set.
    """

    claim: str
    published: str
    cells: tuple[str, ...]
    numbers: Callable[[Means], Float[Tensor, "P"]]
    least: float = LEAST
    parts: tuple[str, ...] = ()
    methods: tuple[str, ...] | None = None
    data: str | None = None


def questions(rows: Sequence[Measurement]) -> list[Question]:
    """Every question about the cells of these rows."""
    cells = tuple(sorted({row.model for row in rows} & {*CELLS, *GATED}))
    methods = tuple(name for name in COMPARED if any(row.explainer == name for row in rows))
    return [
        Question("deeper cells are explained better", "yes (Figure 4.12)", DEPTH, slope, LEAST_SLOPE),
        Question(
            "the R-LSTM is explained better than the deep cell, by every method",
            "yes (Figure 4.17)",
            ("deep", "rlstm"),
            gain_by_method,
            parts=methods,
        ),
        *(_best(cells) if set(CELLS) <= set(cells) else ()),  # "of all" wants all
        *_dropout(list(dict.fromkeys(row.data for row in rows))),
        Question(
            "literal connections hurt the ConvR-LSTM-SD",
            "yes, considerably (Figure 4.20)",
            ("conv+rlstm_sd", "convrlstm_sd"),
            gain,
        ),
        Question(
            "literal connections hurt the ConvDeep",
            "not consistently (Figure 4.20)",
            ("conv+deep", "convdeep"),
            gain,
        ),
        Question(
            "deep Taylor and LRP depend most on the cell",
            "yes (Figure 4.12, Appendix 2)",
            DEPTH,
            sensitivity,
            LEAST_APART,
            tuple(f"{one} over {other}" for one in PROPAGATE for other in REST),
            (*REST, *PROPAGATE),
        ),
    ]


def _best(cells: tuple[str, ...]) -> list[Question]:
    first = "convrlstm_sd"
    others = tuple(cell for cell in cells if cell != first)
    return [
        Question(
            "the ConvR-LSTM-SD is the best explained of all cells",
            "yes, by its heat maps (§5); its cosine is almost that of the R-LSTM-SD (§4.4.4)",
            (first, *others),
            above_others,
            parts=tuple(f"over {cell}" for cell in others),
        ),
        Question(
            "an R-LSTM is the best explained of all cells",
            OURS,
            cells,
            partial(best, gates=torch.tensor([cell in GATED for cell in cells])),
        ),
    ]


def _dropout(data: Sequence[str]) -> list[Question]:
    """The document says it of one data set and not of the other."""
    both = "on FashionMNIST-MAJ, hardly on MNIST-MAJ (Figure 4.17)"
    cells = ("rlstm", "rlstm_sd")
    return [
        Question("stationary dropout helps the R-LSTM", DROPPED.get(name, both), cells, gain, data=name)
        for name in data
    ]


def slope(means: Means) -> Float[Tensor, "1"]:
    """Least squares over the places 0, 1, 2, 3: what one step deeper adds."""
    places = torch.arange(means.shape[1], dtype=means.dtype)
    places = places - places.mean()
    return (means.mean((0, 2)) * places).sum(0, keepdim=True) / places.square().sum()


def gain(means: Means) -> Float[Tensor, "1"]:
    """The second cell over the first."""
    return gain_by_method(means).mean(0, keepdim=True)


def gain_by_method(means: Means) -> Float[Tensor, "X"]:
    """The second cell over the first, by each method."""
    each = means.mean(0)
    return each[1] - each[0]


def above_others(means: Means) -> Float[Tensor, "C1"]:
    """The first cell over each of the others."""
    each = means.mean((0, 2))
    return each[:1] - each[1:]


def best(means: Means, gates: Tensor) -> Float[Tensor, "1"]:
    """The best of the cells with gates over the best of the others."""
    each = means.mean((0, 2))
    return (each[gates].max() - each[~gates].max())[None]


def sensitivity(means: Means) -> Float[Tensor, "4"]:
    """How far the cells lie apart (standard deviation of their means) under deep Taylor and LRP, over how far
    they do under each of the others."""
    apart = means.std(1).mean(0)
    rest, propagate = apart[: len(REST)], apart[len(REST) :]
    return (propagate[:, None] - rest).flatten()
