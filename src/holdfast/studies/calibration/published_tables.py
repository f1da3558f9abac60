"""Tables 3.1 and 3.2 of the document beside the measured: every number of them, run or not."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import stdev

from holdfast.measure.reduce import Interval
from holdfast.studies.calibration.plan import BALANCED, NEUMF, PRETRAINED, SIGMOID, THREE, TWO
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published, published_table

STUDY = "holdfast.studies.calibration"
SIZES, RANKS = "3.1", "3.2"
QUOTED = "quoted"
FAMILIES = {
    "DeepICF": (SIGMOID, "none"),
    "DeepICF+Pretrain": (SIGMOID, PRETRAINED),
    "NeuMF+Pretrain": (NEUMF, PRETRAINED),
    "DeepICF softmax": (TWO, "none"),
    "DeepICF class-weighted": (TWO, BALANCED),
    "DeepICF 3-output": (THREE, "none"),
}
COLUMNS = {"hr_at_10": "hr@10", "ndcg_at_10": "ndcg@10"}
NO_RATINGS = "not run: no ratings"


def published(rows: Iterable[Measurement]) -> list[Published]:
    """Every number of both tables; those of Table 3.2 in percent."""
    kept = [row for row in rows if row.data.startswith("ml-1m")]
    return [*_sizes(kept), *_ranks(kept)]


def _sizes(rows: Sequence[Measurement]) -> Iterator[Published]:
    ours = {row.bin: row.value for row in rows if row.quantity == "size"}
    for line in published_table(STUDY, "jain_table_3_1_movielens"):
        for column in ("interactions", "users", "items"):
            value = ours.get(f"{line['split']} {column}")
            known = None if value is None else Interval(value, None, None, 0)
            yield Published.beside(SIZES, line["split"], column, float(line[column]), known)


def _ranks(rows: Sequence[Measurement]) -> Iterator[Published]:
    for line in published_table(STUDY, "jain_table_3_2_recommenders"):
        model, repair = FAMILIES[line["model"]]
        said = f"{line['model']} ({QUOTED})" if line["source"].startswith(QUOTED) else line["model"]
        note = NO_RATINGS if model == THREE and rows else ""
        for column, quantity in COLUMNS.items():
            mine = [row for row in rows if (row.model, row.repair, row.quantity) == (model, repair, quantity)]
            whole = next((row for row in mine if (row.by, row.bin) == ("among", "sampled")), None)
            interval = None if whole is None else whole.interval
            name = quantity.upper()
            yield Published.beside(RANKS, said, name, float(line[column]), interval, 100.0, note)
            if line[_sd(column)]:
                each = [row.value for row in mine if row.by == "member"]
                yield Published.beside(
                    RANKS, said, f"{name} sd", float(line[_sd(column)]), _spread(each), 100.0
                )


def _sd(column: str) -> str:
    return column.replace("_at_10", "_sd")


def _spread(values: Sequence[float]) -> Interval | None:
    return Interval(stdev(values), None, None, len(values)) if len(values) > 1 else None
