"""The answer of an audit as Markdown: a summary for a pull request."""

import re
from collections.abc import Iterable

from holdfast.core.plain import printable
from holdfast.measure.question import Question, ends, places
from holdfast.report.marks import LEGEND, MARKS, columns, quality_line, split_command
from holdfast.study.answer import Answer, ExplainerVerdict
from holdfast.study.headline import family_name, said

LIVE = re.compile(r"([\\`*_{}\[\]()<>+!|~&$:-]|(?<=www)\.)", re.IGNORECASE)
"""What Markdown, or the page it is shown on, gives a meaning: markup, links, formulas."""
NAMES = re.compile(r"([@#])")
"""What a forge turns into a mention or a reference even where it is escaped."""


def markdown(answer: Answer) -> str:
    """Headline, what to do, and every explainer's questions as a table; nothing of the data is live."""
    several = len({(row.data, row.model, row.repair) for row in answer.rows}) > 1
    head = [*(["family"] if several else []), "explainer", *columns(answer).values(), "verdict"]
    lines = [
        f"### Holdfast: {escaped(answer.verdict)}",
        "",
        f"**{escaped(answer.headline)}** {_do(answer.do)}".rstrip(),
        "",
    ]
    if answer.rows:
        lines += [_row(head), _row(["---"] * len(head))]
        lines += [_row(_cells(row, several, columns(answer))) for row in answer.rows]
        over = "the test examples of one model" if answer.members.trained == 1 else "seeds"
        lines += ["", f"{LEGEND}, ! a warning. Values with their 95 % intervals over {over}.", ""]
    lines += [escaped(quality_line(answer))]
    lines += [line for one in answer.worth for line in ("", escaped(one))]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""``text`` as letters only: on one line, and without markup.

    >>> print(escaped("<b>*mine*</b> | a"))
    \<b\>\*mine\*\</b\> \| a
    """
    return NAMES.sub(r"\1<!-- -->", LIVE.sub(r"\\\1", printable(text)))


def _do(do: str) -> str:
    """A command is shown as one, so that it can be copied."""
    sentence, command = split_command(do)
    return " ".join(filter(None, (escaped(sentence), _code(printable(command)))))


def _code(text: str) -> str:
    """Between more backticks than it has in a row."""
    if not text:
        return ""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{text}{fence}" if fence == "`" else f"{fence} {text} {fence}"


def _cells(row: ExplainerVerdict, several: bool, names: Iterable[str]) -> list[str]:
    family = [escaped(family_name(row))] if several else []
    cells = [_cell(row.question(name)) for name in names]
    return [*family, escaped(said(row.explainer)), *cells, f"**{escaped(row.verdict)}**"]


def _cell(question: Question | None) -> str:
    mark = MARKS["not asked" if question is None else question.answer]
    if question is None:
        return mark
    if question.value is None:
        return mark
    return escaped(f"{mark} {places(question.value)}{ends(question.low, question.high)}")


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
