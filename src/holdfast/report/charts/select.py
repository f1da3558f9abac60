"""Picking rows out of a study's table, for figures and tables alike."""

import re
from collections.abc import Callable, Iterable, Sequence

from holdfast.study.headline import NAMES
from holdfast.study.measurement import FamilyKey, Measurement

Setting = tuple[str, str]
SHORT = {
    "kl": "KL",
    "tvd": "TVD",
    "ndcg_log": "NDCG (log)",
    "ndcg_lin": "NDCG (lin)",
    "jensen_shannon": "Jensen–Shannon",
    "f1": "F1",
    "macro_f1": "macro-F1",
    **NAMES,
    "roc_auc": "ROC-AUC",
    "recall": "recall@10 %",
    "recall_sd": "recall@10 % sd",
}
ZEROS = (
    "KL and Jeffreys count a score of exactly 0 as 1e-12, so zeros can dominate: 1 % of the weight where the "
    "other explanation has 0 adds 0.23 nats."
)
TURNING = dict.fromkeys(
    (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
)  # marks that change the direction of text


def select(rows: Iterable[Measurement], quantity: str, by: str = "all", **where: str) -> list[Measurement]:
    """The rows of one quantity in one cut, with every field of ``where`` as given.

    >>> rows = [Measurement("d", "cnn", "none", "hold", 0.8, explainer="attention")]
    >>> len(select(rows, "hold", explainer="attention")), len(select(rows, "hold", by="length"))
    (1, 0)
    """
    return [
        row
        for row in rows
        if row.quantity == quantity and row.by == by and all(getattr(row, k) == v for k, v in where.items())
    ]


def judged(rows: Iterable[Measurement]) -> list[Measurement]:
    """The rows without those of random scores, which are no explanation."""
    return [row for row in rows if "random" not in (row.explainer, row.other_explainer)]


def settings(rows: Iterable[Measurement]) -> list[Setting]:
    """Each (data, model), once, in the order they appear."""
    return list(dict.fromkeys((row.data, row.model) for row in rows))


def within(rows: Iterable[Measurement], setting: Setting) -> list[Measurement]:
    """The rows of one (data, model)."""
    return [row for row in rows if (row.data, row.model) == setting]


def key(*parts: str) -> str:
    """A name for files and identifiers: letters, digits and hyphens only.

    >>> key("hold", "confidence", "sst2/<b>")
    'hold-confidence-sst2-b'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", "-".join(part for part in parts if part)).strip("-")


def suffix(setting: Setting, several: Sequence[Setting]) -> str:
    """How a title names its setting; nothing where there is only one."""
    return f" ({setting[1]} on {setting[0]})" if len(several) > 1 else ""


def differing(families: Iterable[FamilyKey]) -> Callable[[FamilyKey], str]:
    """How to name a family among others: by what differs between them, and not at all where there is one.

    >>> named = differing([FamilyKey("d", "cnn", "none"), FamilyKey("d", "cnn", "aswa")])
    >>> named(FamilyKey("d", "cnn", "aswa"))
    'aswa'
    """
    kept = list(dict.fromkeys(families))
    places = [i for i in range(3) if len({family[i] for family in kept}) > 1]
    return lambda family: ", ".join(repair_name(family[i]) if i == 2 else family[i] for i in places)


def repair_name(name: str) -> str:
    """A repair as a figure names it."""
    return "no repair" if name == "none" else name


def words(name: str) -> str:
    """A method's name as a person says it, its settings in brackets; code outside the package stays as it is.

    >>> words("leave_one_out"), words("shapley:samples=256"), words("mine.py:My_Own,k=3")
    ('leave one out', 'shapley (samples=256)', 'mine.py:My_Own,k=3')
    """
    head, colon, rest = name.partition(":")
    if "." in head:
        return name
    return SHORT.get(head, head.replace("_", " ")) + (f" ({rest})" if colon else "")


def heading(name: str) -> str:
    """The same, to begin a line with.

    >>> heading("jensen_shannon"), heading("kl")
    ('Jensen–Shannon', 'KL')
    """
    text = words(name)
    return text[:1].upper() + text[1:]


def remark(comparisons: Iterable[str]) -> str:
    """What a reader of these comparisons must know, to be appended to a caption.

    >>> remark(["jaccard", "kl:floor=1e-6"]) == f" {ZEROS}", remark(["jaccard"])
    (True, '')
    """
    return f" {ZEROS}" if {name.partition(":")[0] for name in comparisons} & {"kl", "jeffreys"} else ""


def short(text: str, most: int = 40) -> str:
    """A token, cut to ``most`` characters and without marks that change the direction of the text around it.

    >>> short("a" * 50, 5), short("\N{RIGHT-TO-LEFT OVERRIDE}abc")
    ('aaaa…', 'abc')
    """
    text = text.translate(TURNING)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def place(row: Measurement) -> float:
    """Where a row stands on its axis: ``at``, else the bin read as a number, else 0."""
    if row.at is not None:
        return row.at
    try:
        return float(row.bin)
    except ValueError:
        return 0.0
