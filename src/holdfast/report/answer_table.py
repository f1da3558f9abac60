"""The answer of an audit on a terminal: the headline, what to do, and every explainer's questions."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from holdfast.core.plain import printable
from holdfast.measure.question import Question, ends, places
from holdfast.study.answer import Answer, ExplainerVerdict
from holdfast.study.headline import family_name, said

COLOURS = {"holds": "green", "undecided": "yellow", "shaky": "yellow", "does not hold": "red"}
MARKS = {"passed": "✓", "failed": "✗", "undecided": "?", "not asked": "–"}
TONES = {"passed": "green", "failed": "red", "undecided": "yellow", "not asked": "dim"}
COLUMNS = ("says something", "survives a seed", "matters", "verdict")
SHOWN = 4  # classes on one line


def answer_table(answer: Answer) -> RenderableType:
    """What an audit answers, for a terminal."""
    several = len({(row.model, row.repair) for row in answer.rows}) > 1
    table = plain_table(*(("family",) if several else ()), "explainer", *COLUMNS)
    for row in answer.rows:
        family = (Text(family_name(row)),) if several else ()
        table.add_row(*family, Text(said(row.explainer)), *map(_answered, row.questions[1:]), _worded(row))
    gone = [Text(f"Seed {out['seed']} is left out: {out['why']}.") for out in answer.members.left_out]
    return Group(
        styled(answer.verdict.upper()),
        Text(answer.headline),
        Text(answer.reason),
        *([Text(answer.do, style="bold")] if answer.do else []),
        table,
        Text(
            "✓ passed, ✗ failed, ? undecided, – not asked. Hold: 1 the same again, 0 an impostor.",
            style="dim",
        ),
        Text(_quality(answer)),
        *_f1(answer.quality.get("f1")),
        *gone,
    )


def plain_table(*columns: str) -> Table:
    """A table without lines."""
    table = Table(box=None, padding=(0, 2), pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def styled(word: str) -> Text:
    """A verdict in its colour."""
    return Text(word, style=f"bold {COLOURS.get(word.lower(), 'dim')}")


def _answered(question: Question) -> Text:
    mark = Text(MARKS[question.answer], style=TONES[question.answer])
    if question.value is None:
        return mark
    return mark.append(f" {places(question.value)}{ends(question.low, question.high)}", style="default")


def _worded(row: ExplainerVerdict) -> Text:
    return styled(row.verdict)


def _quality(answer: Answer) -> str:
    quality = answer.quality
    called, mean, sd = str(quality["metric"]).capitalize(), 100 * quality["mean"], 100 * quality["sd"]
    chance = f"{100 * quality['chance']:.1f} % by {quality['chance_is']}"
    return f"{called} {mean:.1f} % ± {sd:.1f} over {answer.members.trained} seeds ({chance})."


def _f1(measured: Mapping[str, Any] | None) -> list[Text]:
    """Macro-F1, and the F1 of each class; where there are many classes, of the worst."""
    if measured is None:
        return []
    each, which = list(measured["by_class"].items()), ""
    if len(each) > SHOWN:
        each, which = sorted(each, key=lambda pair: pair[1])[:SHOWN], "the lowest, "
    named = ", ".join(f"{printable(name)}: {100 * value:.1f} %" for name, value in each)
    return [Text(f"Macro-F1 {100 * measured['macro']['mean']:.1f} %; {which}{named}.")]
