"""The answer of an audit on a terminal: the headline, what to do, and every explainer's questions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from holdfast.core.plain import printable
from holdfast.measure.question import Question, ends, places
from holdfast.report.marks import LEGEND, MARKS, columns, quality_line, split_command
from holdfast.study.answer import Answer
from holdfast.study.headline import family_name, said, subject

COLOURS = {"holds": "green", "undecided": "yellow", "shaky": "yellow", "does not hold": "red"}
TONES = {"passed": "green", "failed": "red", "undecided": "yellow", "not asked": "dim", "warning": "yellow"}
OF_MODELS = ("learned", "calibrated")  # the same for every explainer: told once, below
WIDE = 110  # so many columns hold the interval of every question; fewer that of the hold
SHOWN = 4  # classes on one line
BREAKS = 24  # a longer word of a name is broken


@dataclass(frozen=True)
class AnswerTable:
    """What an audit answers, for a terminal of any width."""

    answer: Answer

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        answer = self.answer
        yield styled(answer.verdict.upper())
        yield Text(printable(answer.headline))
        yield Text(printable(answer.reason))
        yield from (Text(printable(one)) for one in answer.worth)
        yield from _do(answer.do)
        if answer.rows:
            yield _questions(answer, options.max_width >= WIDE)
            yield Text(f"{LEGEND}; a hold of 1 is the same again", style="dim")
        yield _quality(answer)
        yield from _confidence(answer)
        yield from _f1(answer.quality.get("f1"))
        for out in answer.members.left_out:
            yield Text(printable(f"Seed {out['seed']} is left out: {out['why']}."))


def answer_table(answer: Answer) -> RenderableType:
    """What an audit answers, for a terminal."""
    return AnswerTable(answer)


def plain_table(*columns: str) -> Table:
    """A table without lines."""
    table = Table(box=None, padding=(0, 2), pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def styled(word: str) -> Text:
    """A verdict in its colour."""
    return Text(word, style=f"bold {COLOURS.get(word.lower(), 'dim')}")


def _do(do: str) -> Iterator[Text]:
    """A command stands on a line of its own, which is not broken: it can be copied."""
    sentence, command = split_command(do)
    if sentence:
        yield Text(printable(sentence), style="bold")
    if command:
        yield Text(f"  {printable(command)}", style="bold", no_wrap=True, overflow="ignore")


def _questions(answer: Answer, wide: bool) -> Table:
    several = len({(row.data, row.model, row.repair) for row in answer.rows}) > 1
    table = plain_table()
    table.padding = (0, 1)
    if several:
        names = ["family", *map(family_name, answer.rows)]
        table.add_column("family", overflow="fold", min_width=longest_word(names))
    names = ["explainer", *(said(row.explainer) for row in answer.rows)]
    table.add_column("explainer", overflow="fold", min_width=longest_word(names))
    titles = columns(answer)
    shown = [name for name in titles if name not in OF_MODELS]
    for column in (*(titles[name] if wide or name != "says" else name for name in shown), "verdict"):
        table.add_column(column, no_wrap=True)
    for row in answer.rows:
        family = (Text(printable(family_name(row))),) if several else ()
        answers = [_cell(row.question(name), wide) for name in shown]
        table.add_row(*family, Text(printable(said(row.explainer))), *answers, styled(row.verdict))
    return table


def longest_word(names: Iterable[str]) -> int:
    """So many columns break no word, where a terminal has them."""
    return min(max(len(word) for name in names for word in name.split()), BREAKS)


def _cell(question: Question | None, wide: bool) -> Text:
    if question is None:
        return Text()
    mark = Text(MARKS[question.answer], style=TONES[question.answer])
    if question.value is None:
        return mark
    between = ends(question.low, question.high) if wide or question.name == "survives" else ""
    return mark.append(f" {places(question.value)}{between}", style="default")


def _quality(answer: Answer) -> Text:
    """How good the models are, with the mark of whether they learned."""
    learned = None if answer.row is None else answer.row.question("learned")
    mark = Text() if learned is None else Text(f"{MARKS[learned.answer]} ", style=TONES[learned.answer])
    return mark.append(printable(quality_line(answer)), style="default")


def _confidence(answer: Answer) -> Iterator[Text]:
    """Whether the confidence is right where it is used."""
    question = None if answer.row is None else answer.row.question("calibrated")
    if question is not None:
        mark = Text(f"{MARKS[question.answer]} ", style=TONES[question.answer])
        yield mark.append(printable(f"Confidence{subject(answer)}: {question.because}."), style="default")


def _f1(measured: Mapping[str, Any] | None) -> Iterator[Text]:
    """Macro-F1, and the F1 of each class; where there are many classes, of the worst."""
    if measured is None:
        return
    each, which = list(measured["by_class"].items()), ""
    if len(each) > SHOWN:
        each, which = sorted(each, key=lambda pair: pair[1])[:SHOWN], "the lowest, "
    named = ", ".join(f"{printable(name)}: {100 * value:.1f} %" for name, value in each)
    yield Text(f"Macro-F1 {100 * measured['macro']['mean']:.1f} %; {which}{named}.")
