"""The document's numbers (Baumhauer Tables 3.1, 3.2 and 4.1 to 4.6) beside the measured.

What was not run stands there too, with nothing measured.
"""

import math
from collections.abc import Iterable, Iterator

from holdfast.measure.reduce import Interval
from holdfast.studies.rollout.measures import FROM_0, FROM_1, SPEARMAN, TOP
from holdfast.studies.rollout.names import (
    DATA,
    FIRST,
    GRADIENT,
    HEADS,
    LAST,
    MODELS,
    ROLLOUT,
    SHAPES,
    SHAPLEY,
    Shape,
    data_of,
    is_documented,
    shape_of,
)
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published, published_table

SIZES, RECALL, ENTROPY, TOP_HEAVY = "3.1", "3.2", "4.5", "4.6"
CORRELATIONS = {
    "4.1": ("table_4_1_b1", 1, 1),
    "4.2": ("table_4_2_b2", 2, 1),
    "4.3": ("table_4_3_b3", 3, 1),
    "4.4": ("table_4_4_heads", 2, 2),
}
RANKINGS = {
    "grad": GRADIENT,
    "shap": SHAPLEY,
    "first": FIRST,
    "last": LAST,
    "rollout": ROLLOUT,
    "head1": HEADS[0],
    "head2": HEADS[1],
}
NAMES = {text: name for name, text in DATA.items()}
KINDS = {text: name for name, text in MODELS.items()}
SD = " sd"
Lookup = dict[tuple[str, Shape, str, str, str, str], Measurement]


def published(rows: Iterable[Measurement]) -> list[Published]:
    """Every published number, with the measured one where the study's own settings were run."""
    lookup: Lookup = {}
    for row in rows:
        if row.by == "all" and is_documented(row):
            shape = shape_of(row.model)
            assert shape is not None
            key = (data_of(row.data), shape, row.quantity, row.explainer, row.other_explainer, row.comparison)
            lookup[key] = row
    return [
        *_sizes(lookup),
        *_recalls(lookup),
        *_correlations(lookup),
        *_entropies(lookup),
        *_top_heavy(lookup),
    ]


def _sizes(lookup: Lookup) -> Iterator[Published]:
    for line in _table("table_3_1_datasets"):
        data = NAMES[line["dataset"]]
        for column in ("users", "items", "actions", "median_per_item", "median_per_user", "density"):
            about = (column, "", "", "")
            row = next(
                (lookup[data, shape, *about] for shape in SHAPES if (data, shape, *about) in lookup), None
            )
            yield Published.beside(
                SIZES,
                line["dataset"],
                column,
                float(line[column].removesuffix("%").replace(",", "")),
                _ours(row),
            )


def _recalls(lookup: Lookup) -> Iterator[Published]:
    for line in _table("table_3_2_recall"):
        for column in ("b1h1", "b2h1", "b3h1", "b2h2"):
            shape = Shape(KINDS[line["model"]], int(column[1]), int(column[3]))
            row = lookup.get((NAMES[line["dataset"]], shape, "recall", "", "", ""))
            yield Published.beside(RECALL, _name(line), column, float(line[column]), _ours(row))


def _correlations(lookup: Lookup) -> Iterator[Published]:
    for table, (name, blocks, heads) in CORRELATIONS.items():
        for line in _table(name):
            shape = Shape(KINDS[line["model"]], blocks, heads)
            for column in [column for column in line if "~" in column]:
                one, other = (RANKINGS[part] for part in column.split("~"))
                about = (one, other, SPEARMAN)
                data = NAMES[line["dataset"]]
                yield from _both(
                    lookup, table, _name(line), column, line[column], (data, shape, "correlation", *about)
                )


def _entropies(lookup: Lookup) -> Iterator[Published]:
    """The document does not say of which models: taken are those of the deletion, b = 2."""
    for line in _table("table_4_5_attention_entropy"):
        shape = Shape(KINDS[line["model"]], 2, 1)
        for said, data in NAMES.items():
            name = f"{line['model']} {said}"
            yield from _both(
                lookup, ENTROPY, name, "bits", line[said], (data, shape, "entropy", FIRST, "", "")
            )


def _top_heavy(lookup: Lookup) -> Iterator[Published]:
    """Under each first rank, as the document mixes them."""
    for line in _table("table_4_6_ndcg"):
        data, shape, name = NAMES[line["dataset"]], Shape(KINDS[line["model"]], 1, 1), _name(line)
        about = (SHAPLEY, FIRST)
        columns = {"spearman": ("correlation", *about, SPEARMAN), "jaccard_top3": ("top", *about, TOP)}
        for column, key in columns.items():
            yield from _both(lookup, TOP_HEAVY, name, column, line[column], (data, shape, *key))
        for first, words in ((FROM_0, "from 0"), (FROM_1, "from 1")):
            for kind in ("log", "lin"):
                key = ("top", *about, f"ndcg_{kind}{first}")
                column = f"mu_{kind}"
                yield from _both(
                    lookup, TOP_HEAVY, name, f"{column} {words}", line[column], (data, shape, *key)
                )
            row = lookup.get((data, shape, "wilcoxon", *about, f"ndcg_lin{first}"))
            p = math.log10(float(line["wilcoxon_p"]))
            ours = None if row is None else Interval(math.log10(row.value), None, None, row.n)
            yield Published.beside(TOP_HEAVY, name, f"log10 p {words}", round(p, 2), ours)


def _both(
    lookup: Lookup, table: str, name: str, column: str, said: str, key: tuple[str, Shape, str, str, str, str]
) -> Iterator[Published]:
    """The mean and the deviation over users."""
    mean, sd = (float(part) for part in said.split("±"))
    data, shape, quantity, *about = key
    one, other, comparison = about
    wide = lookup.get((data, shape, f"{quantity}_sd", one, other, comparison))
    yield Published.beside(table, name, column, mean, _ours(lookup.get(key)))
    yield Published.beside(table, name, column + SD, sd, _ours(wide))


def _ours(row: Measurement | None) -> Interval | None:
    return None if row is None else row.interval


def _name(line: dict[str, str]) -> str:
    return f"{line['model']} {line['dataset']}"


def _table(name: str) -> list[dict[str, str]]:
    return published_table("holdfast.studies.rollout", f"baumhauer_{name}")
