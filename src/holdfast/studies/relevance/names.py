"""How the document (Chormai) names its cells and data, how we do, and which settings are the study's own."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from holdfast.core.errors import BadRun
from holdfast.core.settings import split_label
from holdfast.study.measurement import Measurement

METHODS = ("sensitivity", "guided_backprop", "simple_taylor", "deep_taylor", "lrp")
DEPTH = ("shallow", "deep", "deep_v2", "convdeep")
GATES = ("deep", "deep_sd", "rlstm", "rlstm_sd")
LITERAL = ("convdeep", "conv+deep", "rlstm_sd", "convrlstm_sd", "conv+rlstm_sd")
CELLS = tuple(dict.fromkeys((*DEPTH, *GATES, *LITERAL)))
GATED = ("rlstm", "rlstm_sd", "convrlstm", "convrlstm_sd", "conv+rlstm", "conv+rlstm_sd")
CENTRED = {"mnist": "1", "digits": "1", "fashion-mnist": "Trouser"}
SMALL_BIAS = 0.001  # the study's own first bias on the digits
FOLD = "fold "
FOLDS = 3  # fewer folds give no interval
_TRUE = ("true", "yes", "on", "1")

Label = tuple[str, str, str]  # data, model and repair as they are written


@cache
def cell_of(model: str) -> str:
    """The document's name of a cell: ``-sd`` is stationary dropout, the small first bias that the study has
    on the digits is the same cell; what else was set stays to be seen.

    >>> cell_of("rlstm:stationary=true"), cell_of("conv+deep:bias=0.001"), cell_of("deep:bias=0.1")
    ('rlstm_sd', 'conv+deep', 'deep:bias=0.1')
    """
    name, settings = split_label(model)
    stationary = settings.pop("stationary", "false").lower() in _TRUE
    if has_small_bias(model):
        settings.pop("bias")
    rest = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{name}{'_sd' if stationary else ''}{f':{rest}' if rest else ''}"


@cache
def has_small_bias(model: str) -> bool:
    """Whether the first bias is the one that the study has on the digits."""
    return split_label(model)[1].get("bias") == str(SMALL_BIAS)


def data_of(data: str) -> str:
    """The name of a data set without its settings.

    >>> data_of("mnist:steps=7"), data_of("mnist-maj:folds=7")
    ('mnist', 'mnist-maj')
    """
    return data.partition(":")[0]


@cache
def images_of(data: str) -> str:
    """The name of a data set without how its images are cut: what is left decides which images there are.

    >>> images_of("mnist:steps=7"), images_of("mnist-maj:steps=6,limit=600")
    ('mnist', 'mnist-maj:limit=600')
    """
    name, settings = split_label(data)
    rest = ",".join(f"{key}={value}" for key, value in settings.items() if key not in ("steps", "folds"))
    return f"{name}:{rest}" if rest else name


@cache
def steps_of(data: str) -> int:
    """Into how many strips the images are cut.

    >>> steps_of("mnist:steps=7"), steps_of("mnist"), steps_of("fashion-maj")
    (7, 4, 12)
    """
    written = split_label(data)[1].get("steps", "")
    return int(written) if written.isdecimal() else 12 if is_majority(data) else 4


def is_majority(data: str) -> bool:
    """Whether three images stand side by side, two of one class, so that the truth is known."""
    return data_of(data).endswith("-maj")


def place_of(cell: str) -> tuple[int, str]:
    """A key that sorts cells in the document's order, others behind."""
    return (CELLS.index(cell) if cell in CELLS else len(CELLS), cell)


def majority(rows: Iterable[Measurement]) -> list[Measurement]:
    """The rows of majority data."""
    return [row for row in rows if is_majority(row.data)]


def counted(members: Sequence[str]) -> list[str]:
    """Which members an average is over: the folds, as in the document, or everyone where folds are too few.

    >>> counted(["0", "1", "fold 0", "fold 1", "fold 2"]), counted(["0", "1", "fold 0", "fold 1"])
    (['fold 0', 'fold 1', 'fold 2'], ['0', '1', 'fold 0', 'fold 1'])
    """
    folds = [name for name in members if name.startswith(FOLD)]
    return folds if len(folds) >= FOLDS else list(members)


def as_documented(rows: Iterable[Measurement]) -> list[Measurement]:
    """The rows of the study's own settings, under the document's names of cells: no repair, all images, the
    document's lengths, cells as they are (on the digits: with the small bias, where that was trained).

    >>> rows = [Measurement("digits-maj", "deep:bias=0.001", "none", "cosine", 0.5)]
    >>> [row.model for row in as_documented(rows)]
    ['deep']
    >>> as_documented([Measurement("mnist-maj:steps=6", "deep", "none", "cosine", 0.5)])
    []
    """
    kept = [
        row for row in rows if row.repair == "none" and _documented_data(row.data) and _documented_cell(row)
    ]
    small = {(row.data, cell_of(row.model)) for row in kept if has_small_bias(row.model)}
    named = [(row, cell_of(row.model)) for row in kept]
    return [
        replace(row, model=cell)
        for row, cell in named
        if has_small_bias(row.model) == ((row.data, cell) in small)
    ]


def shown(labels: Iterable[Label]) -> dict[Label, str]:
    """A name of the cell for everything that was trained, another one for each of a data set: the document's
    where it is the only one, else what was written; with the repair.

    >>> list(shown([("mnist-maj", "deep", "none"), ("mnist-maj", "deep:bias=0.1", "aswa")]).values())
    ['deep', 'deep:bias=0.1 (aswa)']
    """
    known = dict.fromkeys(labels)
    shared = Counter((data, cell_of(model)) for data, model in dict.fromkeys(key[:2] for key in known))
    short = {
        (data, model): cell_of(model) if shared[data, cell_of(model)] == 1 else model
        for data, model, _ in known
    }
    return {key: short[key[:2]] + ("" if key[2] == "none" else f" ({key[2]})") for key in known}


def once(rows: Iterable[Measurement]) -> list[Measurement]:
    """The same rows; two that say the same of the same are an error, as one would hide the other."""
    kept: dict[tuple[str, ...], Measurement] = {}
    for row in rows:
        key = (*row.family, *row.what, *row.part)
        if key in kept:
            part = " ".join(filter(None, row.part))
            raise BadRun(
                f"expected one {row.quantity} of {row.model} on {row.data} by {part}, "
                "but there are two: name every data set and model once"
            )
        kept[key] = row
    return list(kept.values())


def label_of(row: Measurement) -> Label:
    """What was trained, as it is written."""
    return row.family


def _documented_data(data: str) -> bool:
    return images_of(data) == data_of(data) and (steps_of(data) == 12 or not is_majority(data))


def _documented_cell(row: Measurement) -> bool:
    return ":" not in cell_of(row.model) and (
        data_of(row.data).startswith("digits") or not has_small_bias(row.model)
    )
