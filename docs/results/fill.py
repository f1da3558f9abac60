"""Write the tables of a study's pages from the CSV files beside them: what stands between ``<!-- name … -->``
and ``<!-- end -->``.

    holdfast report RUN... --out docs/results/seed-stability --no-text
    python docs/results/fill.py seed-stability
"""

import csv
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

HERE = Path(__file__).parent / sys.argv[1]
BLOCK = re.compile(r"(<!-- (\w+)((?: \S+)*) -->\n).*?(<!-- end -->)", re.DOTALL)
SIGNS = {"came out": "●", "too small to matter": "◐", "not decided": "◐", "did not come out": "○"}
REPAIRS = ("aswa", "naswa", "naswa:per=tensor")
QUANTITIES = {
    "accuracy": ("accuracy", "", ""),
    "sd of prediction": ("deviation", "", ""),
    "attention: KL": ("stability", "attention", "kl"),
    "attention: Jaccard, top 20 %": ("stability", "attention", "jaccard"),
    "attention: hold": ("hold", "attention", ""),
    "gradient: KL": ("stability", "gradient", "kl"),
    "gradient: hold": ("hold", "gradient", ""),
}

Line = dict[str, str]


def read(name: str) -> list[Line]:
    """The lines of one of the files."""
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table(heads: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    rows = [list(heads), *map(list, lines)]
    rows.insert(1, ["---"] * len(rows[0]))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def span(line: Line, scale: float, digits: int) -> str:
    """A number with its interval."""
    value, low, high = (line[name] and short(float(line[name]) * scale, digits) for name in ENDS)
    return f"{value} [{low}, {high}]" if low else value


ENDS = ("measured", "low", "high")


def short(value: float, digits: int) -> str:
    """A number with a real minus, and none before 0."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def outcome(line: Line) -> str:
    """What came of a claim: sign, word, number; a change of accuracy in points."""
    points = float(line["above"]) != 0
    number = span(line, 100, 1 if points else 0)
    return f"{SIGNS[line['answer']]} {line['answer']}: {number}{'' if points else ' %'}"


def heads(data: str, optimiser: str) -> list[Line]:
    """The claims of a data set that are of one change, without what stands below them."""
    place = (data, optimiser, "False")
    kept = [c for c in read("claims") if (c["data"], c["optimiser"], c["detail"]) == place]
    return [c for c in kept if c["repair"]]


def matrix(columns: dict[str, list[Line]], said: bool = False) -> str:
    """A row for each thing that is lowered, a column for each change."""
    things: dict[str, dict[str, Line]] = {}
    for name, lines in columns.items():
        for c in lines:
            things.setdefault(thing(c["claim"]), {})[name] = c
    there = [name for name, lines in columns.items() if lines]
    rows = []
    for name, own in things.items():
        first = [next(iter(own.values()))["published"]] if said else []
        rows.append([name, *first, *(outcome(own[c]) if c in own else "–" for c in there)])
    return table(["", *(["published"] if said else []), *there], rows)


def claims(data: str, optimiser: str, attention: str) -> str:
    """Each repair against none."""
    kept = [c for c in heads(data, optimiser) if (c["attention"], c["against"]) == (attention, "none")]
    return matrix({repair: [c for c in kept if c["repair"] == repair] for repair in REPAIRS}, said=True)


def contrasts(data: str, optimiser: str, attention: str) -> str:
    """NASWA against ASWA, its two filters, and dot against additive attention."""
    kept = heads(data, optimiser)
    own = [c for c in kept if c["attention"] == attention]
    both = ("naswa", "aswa"), ("naswa:per=tensor", "naswa")
    pairs = {f"{a} against {b}": [c for c in own if (c["repair"], c["against"]) == (a, b)] for a, b in both}
    dot = [c for c in kept if c["repair"] == "none"]
    return matrix(pairs | {"dot against additive": dot if attention == "additive" else []})


def thing(claim: str) -> str:
    """What a claim is about, whichever change."""
    pattern = r"(the (?:KL|Jaccard|deviation|spread).*?)(?: further than.*|, with.*| is lower.*)?$"
    found = re.search(pattern, claim)
    return found[1] if found else "accuracy, in points"


def near() -> str:
    """The published cuts of the same data and model."""
    kept = [c for c in read("claims") if "as published" in c["claim"]]
    return table(
        ["", "published", "came out?", "p (Holm)"],
        [[c["weakest"] or c["where"], c["published"], outcome(c), p(c["p_holm"])] for c in kept],
    )


def details(data: str, optimiser: str) -> str:
    """Every claim of a data set with both p."""
    kept = [c for c in read("claims") if (c["data"], c["optimiser"]) == (data, optimiser)]
    return table(
        ["claim", "where", "before → after", "came out?", "p (Holm)", "p of enough (Holm)"],
        [
            [
                c["claim"] if c["detail"] == "False" else "",
                c["where"],
                f"{float(c['before']):.3g} → {float(c['after']):.3g}" if c["before"] else "–",
                outcome(c),
                p(c["p_holm"]),
                p(c["p_worth_holm"]),
            ]
            for c in kept
        ],
    )


def p(text: str) -> str:
    """A p, as far as it matters."""
    return "–" if not text else "< 0.001" if float(text) < 0.001 else f"{float(text):.3f}"


def published() -> str:
    """Tables 4.2 and 4.3: what was run."""
    rows: dict[tuple[str, str], dict[str, Line]] = {}
    for line in read("published"):
        if line["table"] != "4.1" and line["measured"]:
            rows.setdefault((line["table"], line["row"]), {})[line["column"]] = line
    lines = [
        [
            *key,
            f"{own['accuracy']['published']} ± {own['sd']['published']}",
            span(own["accuracy"], 1, 2),
            span(own["sd"], 1, 2),
            *cuts(own.get("cut of sd")),
        ]
        for key, own in rows.items()
    ]
    return table(["table", "row", "published", "accuracy", "sd", "published cut of sd", "cut of sd"], lines)


def cuts(line: Line | None) -> tuple[str, str]:
    """Published and ours, in percent."""
    return ("", "") if line is None else (f"{float(line['published']):.0f} %", f"{span(line, 1, 0)} %")


def sizes() -> str:
    """Table 4.1: what was run."""
    kept = [line for line in read("published") if line["table"] == "4.1" and line["measured"]]
    lines = [
        [r["row"], r["column"], *(f"{float(r[k]):,.0f}" for k in ("published", "measured"))] for r in kept
    ]
    return table(["data", "", "published", "ours"], lines)


def numbers(data: str, optimiser: str) -> str:
    """Every family in numbers."""
    found: dict[tuple[str, str], dict[tuple[str, ...], Line]] = {}
    for r in read("rows"):
        if (r["data"], r["optimiser"], r["by"]) == (data, optimiser, "all"):
            own = found.setdefault((r["model"], r["repair"]), {})
            own[r["quantity"], r["explainer"], r["comparison"]] = r | {"measured": r["value"]}
    lines = [
        [*family, *(span(own[key], 1, 3) if key in own else "–" for key in QUANTITIES.values())]
        for family, own in found.items()
    ]
    return table(["model", "repair", *QUANTITIES], lines)


def layers(data: str, optimiser: str) -> str:
    """How alike seeds are at each layer."""
    found: dict[tuple[str, str], dict[str, Line]] = {}
    for r in read("rows"):
        if (r["data"], r["optimiser"], r["quantity"]) == (data, optimiser, "layer"):
            found.setdefault((r["model"], r["repair"]), {})[r["bin"]] = r | {"measured": r["value"]}
    names = list(dict.fromkeys(name for own in found.values() for name in own))
    lines = [[*family, *(span(own[name], 1, 3) for name in names)] for family, own in found.items()]
    return table(["model", "repair", *names], lines)


def asked(data: str) -> str:
    """Each claim of a data set: what was published, and how far ours meets it."""
    kept = [c for c in of_data("claims", data) if c["detail"] == "False"]
    return table(["claim", "published", data], [[c["claim"], c["published"], met(c)] for c in kept])


def of_data(name: str, data: str) -> list[Line]:
    """The lines of a data set, whatever its settings."""
    return [line for line in read(name) if line["data"].split(":")[0] == data]


def each(data: str) -> str:
    """Every claim of a data set with both p, then each family by itself."""
    return table(
        ["claim", "model", "came out?", "p (Holm)", "p of enough (Holm)"],
        [
            [
                c["claim"] if c["detail"] == "False" else "",
                c["where"] if c["detail"] == "True" else "",
                met(c),
                p(c["p_holm"]),
                p(c["p_worth_holm"]),
            ]
            for c in of_data("claims", data)
        ],
    )


def met(line: Line) -> str:
    """What came of a claim, and by which family it is decided."""
    weakest = f" ({line['weakest']})" if line["weakest"] else ""
    return f"{SIGNS[line['answer']]} {line['answer']}: {span(line, 1, 3)}{weakest}"


def ranks() -> str:
    """Table 3.2, run or not."""
    rows: dict[str, dict[str, Line]] = {}
    for line in read("published"):
        if line["table"] == "3.2":
            rows.setdefault(line["row"], {})[line["column"]] = line
    lines = [
        [name, *(part for column in ("HR@10", "NDCG@10") for part in beside(own, column))]
        for name, own in rows.items()
    ]
    return table(["", "HR@10, published", "HR@10", "sd", "NDCG@10, published", "NDCG@10", "sd"], lines)


def beside(own: dict[str, Line], column: str) -> tuple[str, str, str]:
    """A published number with its spread, ours, and our spread."""
    line, sd = own[column], own.get(f"{column} sd")
    said = line["published"] + (f" ± {sd['published']}" if sd else "")
    ours = span(line, 1, 2) if line["measured"] else line["note"]
    return said, ours, short(float(sd["measured"]), 2) if sd and sd["measured"] else ""


def families(data: str) -> str:
    """How well every family of a data set ranks."""
    columns = {
        "HR@10": ("hr@10", "sampled"),
        "NDCG@10": ("ndcg@10", "sampled"),
        "HR@10, best on test": ("hr@10_best", ""),
        "NDCG@10 there": ("ndcg@10_best", ""),
        "HR@10, all items": ("hr@10", "all items"),
        "NDCG@10, all items": ("ndcg@10", "all items"),
    }
    found = rows_of(data, {quantity for quantity, _ in columns.values()}, "bin", ("among", "all"))
    return grid(found, columns, 100, 2)


def classes(data: str) -> str:
    """How sure every family is of cases of one true class, beside how often it is right."""
    names = ("overconfidence_class", "overconfidence_calibrated", "overconfidence_beyond")
    heads = ("over-confidence", "of a calibrated model", "beyond it")
    labels = ("taken", "not taken")
    columns = {
        f"{label}: {head}": (name, label) for label in labels for name, head in zip(names, heads, strict=True)
    }
    return grid(rows_of(data, set(names), "label", None), columns, 1, 3)


def grid(
    found: dict[str, dict[tuple[str, str], Line]],
    columns: Mapping[str, tuple[str, str]],
    scale: float,
    digits: int,
) -> str:
    """A line for each family, with what is known of it."""
    lines = [
        [name, *(span(own[key], scale, digits) if key in own else "–" for key in columns.values())]
        for name, own in found.items()
        if own
    ]
    return table(["model", *columns], lines)


def rows_of(
    data: str, quantities: set[str], part: str, by: Iterable[str] | None
) -> dict[str, dict[tuple[str, str], Line]]:
    """Numbers of every family of a data set, by quantity and part; ``by`` says how the whole may be split."""
    found: dict[str, dict[tuple[str, str], Line]] = {}
    for r in of_data("rows", data):
        if r["quantity"] in quantities and (by is None or r["by"] in by):
            name = r["model"] + ("" if r["repair"] == "none" else f" ({r['repair']})")
            found.setdefault(name, {})[r["quantity"], r[part]] = r | {"measured": r["value"]}
    return found


SEED_STABILITY = (claims, contrasts, near, details, published, sizes, numbers, layers)
CALIBRATION = (asked, each, ranks, families, classes)
MAKERS: dict[str, Callable[..., str]] = {make.__name__: make for make in (*SEED_STABILITY, *CALIBRATION)}


def main() -> None:
    """Fill every page of a folder."""
    for path in sorted(HERE.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        filled = BLOCK.sub(lambda m: f"{m[1]}{MAKERS[m[2]](*m[3].split())}{m[4]}", text)
        path.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
