"""How the document (Chormai) names its cells and data, and how we do."""

from collections.abc import Iterable, Sequence

from holdfast.core.settings import split_label
from holdfast.study.table import Row

METHODS = ("sensitivity", "guided_backprop", "simple_taylor", "deep_taylor", "lrp")
DEPTH = ("shallow", "deep", "deep_v2", "convdeep")
GATES = ("deep", "deep_sd", "rlstm", "rlstm_sd")
LITERAL = ("convdeep", "conv+deep", "rlstm_sd", "convrlstm_sd", "conv+rlstm_sd")
CELLS = tuple(dict.fromkeys((*DEPTH, *GATES, *LITERAL)))
GATED = ("rlstm", "rlstm_sd", "convrlstm", "convrlstm_sd", "conv+rlstm", "conv+rlstm_sd")
MAJORITY = ("mnist-maj", "fashion-maj", "digits-maj")
CENTRED = {"mnist": "1", "digits": "1", "fashion-mnist": "Trouser"}
FOLD = "fold "
FOLDS = 3  # fewer folds give no interval
_TRUE = ("true", "yes", "on", "1")


def cell_of(model: str) -> str:
    """The document's name of a cell: ``-sd`` is stationary dropout, another first bias is the same cell; what
    else was set stays to be seen.

    >>> cell_of("rlstm:stationary=true"), cell_of("conv+deep:bias=0.001"), cell_of("deep:dropout=0.5")
    ('rlstm_sd', 'conv+deep', 'deep:dropout=0.5')
    """
    name, settings = split_label(model)
    stationary = settings.pop("stationary", "false").lower() in _TRUE
    settings.pop("bias", None)
    rest = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{name}{'_sd' if stationary else ''}{f':{rest}' if rest else ''}"


def data_of(data: str) -> str:
    """The name of a data set without its settings.

    >>> data_of("mnist:steps=7"), data_of("mnist-maj:folds=7")
    ('mnist', 'mnist-maj')
    """
    return data.partition(":")[0]


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


def majority(rows: Iterable[Row]) -> list[Row]:
    """The rows of majority data."""
    return [row for row in rows if is_majority(row.data)]


def counted(members: Sequence[str]) -> list[str]:
    """Which members an average is over: the folds, as in the document, or everyone where folds are too few.

    >>> counted(["0", "1", "fold 0", "fold 1", "fold 2"]), counted(["0", "1", "fold 0", "fold 1"])
    (['fold 0', 'fold 1', 'fold 2'], ['0', '1', 'fold 0', 'fold 1'])
    """
    folds = [name for name in members if name.startswith(FOLD)]
    return folds if len(folds) >= FOLDS else list(members)


def cosines_of_members(rows: Iterable[Row]) -> list[Row]:
    """The cosine of every member that counts, on majority data."""
    found = [row for row in majority(rows) if row.quantity == "cosine" and row.by == "member"]
    kept = counted(list(dict.fromkeys(row.bin for row in found)))
    return [row for row in found if row.bin in kept]
