"""What a run's audit said of an explainer, to stand beside one example: a good-looking one may mislead."""

from collections.abc import Sequence
from pathlib import Path

from holdfast.core.errors import BadInput
from holdfast.core.files import read_json
from holdfast.measure.question import ends, places
from holdfast.measure.verdict import quoted
from holdfast.study.answer import Answer, ExplainerVerdict
from holdfast.study.headline import IS, said
from holdfast.study.store import Store

VERDICT = "verdict.json"


def in_run(run: Path, model: str, repair: str, explainer: str) -> str:
    """The run's verdict on an explainer of one family, in a sentence."""
    rows = _rows(run)
    if rows is None:
        return "What the audit of this run said cannot be read: run its command again."
    key = (model, repair, explainer)
    row = next((row for row in rows if (row.model, row.repair, row.explainer) == key), None)
    if row is None:
        return f"This run's audit did not ask about {said(explainer)}: how it does elsewhere is not known."
    return sentence(row)


def best_first(run: Path, model: str, repair: str, explainers: Sequence[str]) -> tuple[str, ...]:
    """A run's explainers in the order of its answer for one family, the one to show first; those that it does
    not judge follow as they came."""
    rows = [row.explainer for row in _rows(run) or () if (row.model, row.repair) == (model, repair)]
    return tuple(sorted(explainers, key=lambda one: rows.index(one) if one in rows else len(rows)))


def _rows(run: Path) -> Sequence[ExplainerVerdict] | None:
    try:
        Store(run).check(VERDICT)
        return Answer.from_json(read_json(run / VERDICT)).rows
    except BadInput:
        return None


def sentence(row: ExplainerVerdict) -> str:
    """A row of an answer as it is told beside one example.

    >>> about = ("d", "cnn", "none", "attention", "shaky", (), "", ())
    >>> sentence(ExplainerVerdict(*about, hold=0.55, low=0.5, high=0.6))
    'In this run attention is shaky (0.55 [0.50, 0.60]).'
    """
    if row.verdict == "not learned":
        return "In this run the models have not learned, so their explanations mean nothing."
    held = "" if row.hold is None else f" ({places(row.hold)}{ends(row.low, row.high)})"
    word = "holds" if row.passes else f"is undecided between {quoted(row.between)}"
    return f"In this run {said(row.explainer)} {IS.get(row.verdict, word)}{held}."
