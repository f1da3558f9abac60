"""What the document (Baumhauer ch. 4) says of its rankings, as numbers that must be above 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from holdfast.studies.rollout.measures import FROM_0, FROM_1, SPEARMAN
from holdfast.studies.rollout.names import (
    DATA,
    FIRST,
    GRADIENT,
    LAST,
    ROLLOUT,
    SHAPLEY,
    STRONG,
    SYMBOLS,
    Shape,
    data_of,
    is_documented,
    is_plain,
    shape_of,
)
from holdfast.study.measurement import Measurement, QuantityKey

OURS = "ours: the document has one run of each"
MORE = 0.02  # of Spearman's correlation: a smaller difference of two rankings is none
LITTLE = 0.002  # of μ: the least difference published is .004


class Place(NamedTuple):
    """A family: data and model as they are written."""

    data: str
    model: str

    @property
    def shape(self) -> Shape:
        """What kind of model it is."""
        shape = shape_of(self.model)
        assert shape is not None
        return shape

    @property
    def words(self) -> str:
        """For a reader."""
        return f"{DATA.get(data_of(self.data), data_of(self.data))}, {self.shape.words}"


Term = tuple[float, Place, QuantityKey]


@dataclass(frozen=True)
class Part:
    """One number: a constant and a sum of measured means, each with a factor."""

    name: str
    terms: tuple[Term, ...]
    constant: float = 0.0


@dataclass(frozen=True)
class Question:
    """A claim that came out if the mean of its parts is above 0, or (``every``) if each of them is; an effect
    below ``least`` does not matter."""

    claim: str
    published: str
    parts: tuple[Part, ...]
    least: float = 0.0
    every: bool = False
    about: tuple[str, ...] = ()

    @property
    def data(self) -> tuple[str, ...]:
        """The data sets that it is about, for a reader."""
        names = (place.data for part in self.parts for _, place, _ in part.terms)
        return self.about or tuple(dict.fromkeys(DATA.get(data_of(name), name) for name in names))


def counts(row: Measurement) -> bool:
    """Whether a row can speak for or against the document: of its own settings, or of data it has not."""
    return is_documented(row) or (is_plain(row) and data_of(row.data) not in DATA)


def correlation(one: str, other: str) -> QuantityKey:
    """Of two rankings."""
    return QuantityKey("correlation", one, other, SPEARMAN)


def questions(places: Sequence[Place]) -> list[Question]:
    """Every question that these families can answer."""
    several = [p for p in places if p.shape.blocks > 1]
    traced = [p for p in places if p.shape.blocks > 1 or p.shape.model != "bert4rec"]
    single = [p for p in places if p.shape.blocks == 1]
    apart = [p for p in places if (p.shape.blocks, p.shape.heads) == (2, 1)]
    rollout, first, last = (correlation(GRADIENT, name) for name in (ROLLOUT, FIRST, LAST))
    every = [
        Question(
            "rollout correlates with gradients more strongly than attention of the first block",
            "yes, but for BERT4Rec, b = 3, on Beauty (§4.1.2)",
            _differences(traced, rollout, first),
            MORE,
        ),
        Question(
            "rollout correlates with gradients more strongly than attention of the last block",
            "yes (§4.1.2)",
            _differences(several, rollout, last),
            MORE,
        ),
        Question(
            "attention of the last block correlates with gradients less than that of the first",
            "yes, but for BERT4Rec, b = 2, on Steam (§4.1.2)",
            _differences(several, first, last),
            MORE,
        ),
        *_shapley(places),
        *_top_heavy(single),
        _entropy(apart),
        Question(
            "deleting items by any of the rankings moves predictions more than a random order",
            "yes (Figure 4.7)",
            tuple(
                Part(
                    f"{SYMBOLS[name]} on {p.words}",
                    ((1.0, p, QuantityKey("deletion", name, "", "jeffreys")),),
                )
                for p in apart
                for name in (FIRST, LAST, ROLLOUT, GRADIENT, SHAPLEY)
            ),
            every=True,
        ),
    ]
    return [question for question in every if question.parts]


def _differences(places: Sequence[Place], one: QuantityKey, other: QuantityKey) -> tuple[Part, ...]:
    return tuple(Part(place.words, ((1.0, place, one), (-1.0, place, other))) for place in places)


def _shapley(places: Sequence[Place]) -> list[Question]:
    """Weak to moderate, and never below 0."""
    pairs = [(p, correlation(SHAPLEY, name)) for p in places for name in (FIRST, ROLLOUT)]
    below = tuple(
        Part(f"{SYMBOLS[what.other_explainer]} on {p.words}", ((-1.0, p, what),), STRONG) for p, what in pairs
    )
    above = tuple(
        Part(f"{SYMBOLS[what.other_explainer]} on {p.words}", ((1.0, p, what),)) for p, what in pairs
    )
    return [
        Question(
            "attention and rollout correlate with |Shapley| weakly to moderately: below .7",
            "yes (Tables 4.1 to 4.3)",
            below,
            every=True,
        ),
        Question(
            "attention and rollout correlate with |Shapley| positively", "yes (§4.1.2)", above, every=True
        ),
    ]


def _top_heavy(places: Sequence[Place]) -> list[Question]:
    said = {FROM_0: "0", FROM_1: "1"}
    return [
        Question(
            f"μ_lin is above μ_log, ranks from {said[first]}: |Shapley| and attention agree more at the top",
            "yes, of mixed conventions (Table 4.6)",
            tuple(
                Part(p.words, ((1.0, p, QuantityKey("top_gain", SHAPLEY, FIRST, f"ndcg_lin{first}")),))
                for p in places
            ),
            LITTLE,
            every=True,
        )
        for first in (FROM_0, FROM_1)
    ]


def _entropy(places: Sequence[Place]) -> Question:
    """Of the models that the deletion is about: the document does not say which."""
    what = QuantityKey("entropy", FIRST)
    one, other = (
        {place.data: place for place in places if place.shape.model == model}
        for model in ("sasrec", "bert4rec")
    )
    return Question(
        "the attention of SASRec has a higher entropy than that of BERT4Rec (b = 2)",
        "yes (Table 4.5)",
        tuple(
            Part(DATA.get(data_of(data), data_of(data)), ((1.0, one[data], what), (-1.0, other[data], what)))
            for data in one
            if data in other
        ),
        every=True,
    )
