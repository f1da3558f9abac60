"""Write the tables and figures of ``how-the-verdict-works.md`` from runs of ``holdfast audit``.

python docs/verdict/fill.py RUN...   # runs.csv, from the verdicts of these runs
python docs/verdict/fill.py          # figures, and what stands between <!-- name --> and <!-- end -->
"""

import csv
import json
import re
import sys
from pathlib import Path

import altair

HERE = Path(__file__).parent
PAGE = HERE.parent / "how-the-verdict-works.md"
BLOCK = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
IMPOSTORS = ("shuffled", "another input", "untrained order")
COLOURS = ("#0072b2", "#d55e00", "#009e73")
Line = dict[str, str]


def collect(runs: list[Path]) -> None:
    """The verdict of every explainer of these runs, as one table."""
    lines = []
    for run in runs:
        answer = json.loads((run / "verdict.json").read_text(encoding="utf-8"))
        for row in answer["rows"]:
            asked = {question["name"]: question for question in row["questions"]}
            lines.append(
                {name: row[name] for name in ("data", "model", "repair", "explainer", "verdict")}
                | {name: _short(row["against"].get(name)) for name in IMPOSTORS}
                | {name: _short(row[name]) for name in ("hold", "low", "high", "same_strongest")}
                | {name: _short(row[name]) for name in ("concentration", "even")}
                | {"says": _short(asked["says"]["value"]), "matters": _short(asked["matters"]["value"])}
                | {f"matters_{end}": _short(asked["matters"][end]) for end in ("low", "high")}
                | {"learned": _short(asked["learned"]["value"]), "members": answer["members"]["trained"]}
            )
    with (HERE / "runs.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def read(name: str) -> list[Line]:
    """The lines of one of the files."""
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def runs_table() -> str:
    """What was measured, one line for each explainer."""
    heads = (
        "run", "explainer", "hold", *(f"against {name}" for name in IMPOSTORS), "same strongest",
        "top tenth", "matters", "verdict",
    )  # fmt: skip
    rows = [list(heads), ["---"] * len(heads)]
    for line in read("runs"):
        model = line["model"] + ("" if line["repair"] == "none" else f", {line['repair']}")
        rows.append(
            [
                f"{line['data']}, {model} ({float(line['learned']):.0%})".replace("%", " %"),
                line["explainer"].replace("_", " ").partition(":")[0],
                f"{two(line['hold'])} [{two(line['low'])}, {two(line['high'])}]",
                *(two(line[name]) for name in IMPOSTORS),
                two(line["same_strongest"]),
                f"{two(line['concentration'])} ({two(line['even'])})",
                f"{two(line['matters'])} [{two(line['matters_low'])}, {two(line['matters_high'])}]",
                line["verdict"],
            ]
        )
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def simulation_table() -> str:
    """Coverage and wrong verdicts of each kind of members, over all cases of ten members or more."""
    rows = [["members", "covered", "groups seen", "said to hold", "wrongly, where mixed"], ["---"] * 5]
    lines = [line for line in read("simulation") if int(line["members"]) >= 10]
    for kind in dict.fromkeys(line["kind"] for line in lines):
        own = [line for line in lines if line["kind"] == kind]
        shares = [_range([line[name] for line in own]) for name in ("covered", "groups", "said to hold")]
        wrong = [line["wrongly, where mixed"] for line in own if line["wrongly, where mixed"]]
        rows.append([kind, *shares, f"at most {max(map(float, wrong)):.2f}" if wrong else "–"])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _range(values: list[str]) -> str:
    numbers = [float(value) for value in values]
    return f"{min(numbers):.2f} to {max(numbers):.2f}"


def two(value: str) -> str:
    """Two places with a real minus."""
    return f"{float(value):.2f}".replace("-", "−") if value else "–"


def figure() -> None:
    """The hold against each impostor, one panel for each run."""
    records = [
        {
            "run": f"{line['data']}, {line['model']}",
            "explainer": line["explainer"].replace("_", " ").partition(":")[0],
            "impostor": name,
            "hold": float(line[name]),
        }
        for line in read("runs")
        if line["repair"] == "none"
        for name in IMPOSTORS
    ]
    runs = list(dict.fromkeys(record["run"] for record in records))
    panels = [
        altair.Chart(altair.Data(values=[r for r in records if r["run"] == run]), title=run)
        .mark_point(filled=True, size=70, opacity=0.9)
        .encode(
            x=altair.X("hold:Q", title="hold (1: the same again)", scale=altair.Scale(domain=[0, 1])),
            y=altair.Y("explainer:N", title=None, sort=None),
            color=altair.Color(
                "impostor:N",
                scale=altair.Scale(domain=list(IMPOSTORS), range=list(COLOURS)),
                title="against",
            ),
            shape=altair.Shape(
                "impostor:N",
                scale=altair.Scale(domain=list(IMPOSTORS), range=["circle", "square", "triangle-up"]),
                title="against",
            ),
        )
        .properties(width=250, height=130)
        for run in runs
    ]
    chart = altair.concat(*panels, columns=2).configure(background="white", font="Liberation Sans")
    chart = chart.configure_axis(labelFontSize=13, titleFontSize=13, labelLimit=200)
    chart.configure_legend(orient="top", labelFontSize=13, titleFontSize=13).save(HERE / "impostors.svg")


TABLES = {"runs": runs_table, "simulation": simulation_table}


def main() -> None:
    """Collect runs, or write figures and page."""
    if len(sys.argv) > 1:
        collect([Path(argument) for argument in sys.argv[1:]])
        return
    figure()
    text = PAGE.read_text(encoding="utf-8")
    filled = BLOCK.sub(lambda match: f"{match[1]}{TABLES[match[2]]()}{match[3]}", text)
    PAGE.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
