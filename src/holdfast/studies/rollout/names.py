"""How the document (Baumhauer) names data, models and rankings, how we do, and what is the study's own."""

from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from typing import NamedTuple

from holdfast.core.catalogue import make
from holdfast.core.errors import HoldfastError
from holdfast.core.settings import split_label
from holdfast.study.measurement import Measurement

GRADIENT, FIRST, LAST, ROLLOUT = "gradient", "attention_first", "attention_last", "rollout"
SHAPLEY, LEFT_OUT, SIGNED = "shapley", "leave_one_out", "signed_attention"
HEADS = ("head 1", "head 2")
DATA = {"ml-1m": "ML-1M", "steam": "Steam", "amazon-beauty": "Beauty", "amazon-games": "Games"}
MODELS = {"sasrec": "SASRec", "bert4rec": "BERT4Rec"}
MASKED = {"ml-1m": 0.2, "steam": 0.4, "planted-plays": 0.2}  # γ of BERT4Rec; 0.6 for all others
PAIRS = (
    (GRADIENT, FIRST),
    (GRADIENT, LAST),
    (GRADIENT, ROLLOUT),
    (SHAPLEY, FIRST),
    (SHAPLEY, ROLLOUT),
)
SYMBOLS = {
    GRADIENT: "∇",
    FIRST: "α first",
    LAST: "α last",
    ROLLOUT: "rollout",
    SHAPLEY: "|Shapley|",
    LEFT_OUT: "leave one out",
    HEADS[0]: "head 1",
    HEADS[1]: "head 2",
}
WEAK, STRONG = 0.3, 0.7


class Shape(NamedTuple):
    """A kind of model, how many attention blocks it has, and how many heads each of them."""

    model: str
    blocks: int
    heads: int

    @property
    def short(self) -> str:
        """As the published table of recalls writes it."""
        return f"b{self.blocks}h{self.heads}"

    @property
    def words(self) -> str:
        """For a reader."""
        heads = "" if self.heads == 1 else f", h = {self.heads}"
        return f"{MODELS.get(self.model, self.model)}, b = {self.blocks}{heads}"


SHAPES = tuple(
    Shape(model, blocks, heads) for model in MODELS for blocks, heads in ((1, 1), (2, 1), (3, 1), (2, 2))
)


@cache
def shape_of(model: str) -> Shape | None:
    """The shape of a model as it is written; None for one without blocks, or that is not known any more.

    >>> shape_of("sasrec:blocks=3"), shape_of("gru4rec")
    (Shape(model='sasrec', blocks=3, heads=1), None)
    """
    try:
        made = make("models", model)
    except HoldfastError:
        return None
    known = {field.name for field in fields(made)}
    if not {"blocks", "heads"} <= known:
        return None
    return Shape(split_label(model)[0], made.blocks, made.heads)


def data_of(data: str) -> str:
    """The name of a data set without its settings.

    >>> data_of("ml-1m:holdout=validation")
    'ml-1m'
    """
    return data.partition(":")[0]


def model_of(shape: Shape, data: str) -> str:
    """The study's own model of that shape for a data set, in its written form.

    >>> model_of(Shape("bert4rec", 2, 1), "amazon-games")
    'bert4rec:blocks=2,heads=1,masked=0.6'
    """
    masked = f",masked={masked_for(data)}" if shape.model == "bert4rec" else ""
    return f"{shape.model}:blocks={shape.blocks},heads={shape.heads}{masked}"


def masked_for(data: str) -> float:
    """γ, the share of items that training masks."""
    return MASKED.get(data_of(data), 0.6)


def is_documented(row: Measurement) -> bool:
    """Whether a row is of the document's own settings: no repair, the validation item, a model as it has.

    >>> about = ("sasrec:blocks=1", "none", "recall", 0.8)
    >>> is_documented(Measurement("ml-1m:holdout=validation", *about))
    True
    >>> is_documented(Measurement("ml-1m:length=200,holdout=validation", *about))
    False
    """
    return row.repair == "none" and _documented(row.data, row.model)


@cache
def _documented(data: str, model: str) -> bool:
    (name, _, settings), shape = data.partition(":"), shape_of(model)
    if shape not in SHAPES or name not in DATA or settings != "holdout=validation":
        return False
    return bool(make("models", model) == make("models", model_of(shape, name)))


def is_plain(row: Measurement) -> bool:
    """Whether a row is of one of the document's shapes without a repair, on whatever data."""
    return row.repair == "none" and shape_of(row.model) in SHAPES


def strength(value: float) -> str:
    """The document's word for a correlation: weak < .3 ≤ moderate < .7 ≤ strong (§3.4.1).

    >>> strength(0.29), strength(-0.5), strength(0.7)
    ('weak', 'moderate', 'strong')
    """
    size = abs(value)
    return "weak" if size < WEAK else "moderate" if size < STRONG else "strong"


def pair_name(one: str, other: str) -> str:
    """A pair of rankings for a reader.

    >>> pair_name("gradient", "rollout")
    '∇ ~ rollout'
    """
    return f"{SYMBOLS.get(one, one)} ~ {SYMBOLS.get(other, other)}"


def data_name(data: str) -> str:
    """The document's name of a data set, with what else was set; how data were planted, the plan says.

    >>> data_name("ml-1m:holdout=validation"), data_name("ml-1m:length=200,holdout=validation")
    ('ML-1M', 'ML-1M (length=200)')
    """
    name, _, settings = data.partition(":")
    if name == "planted-plays":
        return name
    parts = [part for part in settings.split(",") if part]
    if not all("=" in part for part in parts):
        return data  # a file
    rest = ", ".join(part for part in parts if part != "holdout=validation")
    return DATA.get(name, name) + (f" ({rest})" if rest else "")


def model_name(model: str, repair: str = "none") -> str:
    """The shape of a model where it has one, else as it is written; with the repair."""
    shape = shape_of(model)
    return (model if shape is None else shape.words) + ("" if repair == "none" else f" ({repair})")


def by_place(rows: Iterable[Measurement]) -> list[Measurement]:
    """Rows in the order of the document: data, model, blocks, heads; others behind, as they came."""
    names = list(DATA)

    def place(row: Measurement) -> tuple[int, int]:
        name, shape = data_of(row.data), shape_of(row.model)
        return (
            names.index(name) if name in names else len(names),
            SHAPES.index(shape) if shape in SHAPES else len(SHAPES),
        )

    return sorted(rows, key=place)
