"""Scores from any library in one call: the same questions, verdict and report as an audit's."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from holdfast.core.errors import BadSetting
from holdfast.data.scores.brought import Brought, Predict
from holdfast.data.scores.file import read_scores
from holdfast.data.scores.given import bring
from holdfast.measure.question import Question
from holdfast.report.explained import write_page
from holdfast.report.html import render
from holdfast.report.live import heard
from holdfast.report.notebook import render_cell
from holdfast.report.own_page import OPTION, check_own_page
from holdfast.study.answer import Answer
from holdfast.study.brought import judge_brought
from holdfast.study.engine import Listener
from holdfast.study.findings import Findings, without_text


@dataclass(frozen=True)
class Judged:
    """What was found about scores: the answer, and everything that a report shows; ``page`` is where that
    was written."""

    findings: Findings = field(repr=False)
    seconds: float = field(compare=False)
    page: Path | None = None

    @property
    def answer(self) -> Answer:
        """The verdict on every explainer, and what to do."""
        return self.findings.answer

    @property
    def verdict(self) -> str:
        """The verdict in a word."""
        return self.answer.verdict

    @property
    def questions(self) -> tuple[Question, ...]:
        """The chain of questions, of the explainer that decides."""
        return self.answer.rows[0].questions

    def report(self, path: Path | str = "report.html", text: bool = True) -> Path:
        """Write the report, and say where it is; without ``text`` no example is shown.

        Another file than a report of Holdfast is never written over.
        """
        page = check_own_page(Path(path))
        return write_page(render(self.findings if text else without_text(self.findings)), page, OPTION)

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast judge --json``, as ``holdfast audit --json`` has it."""
        page = None if self.page is None else str(self.page)
        return self.answer.to_json() | {"report": page, "seconds": round(self.seconds, 3)}

    def __str__(self) -> str:
        return f"{self.answer.headline} {self.answer.do}".rstrip()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return render_cell(self.findings, self.page)


def judge(
    scores: Any,
    mask: Any = None,
    tokens: Any = None,
    probabilities: Any = None,
    labels: Any = None,
    untrained: Any = None,
    predict: Predict | None = None,
    target: Any = None,
    classes: Sequence[str] | None = None,
    signed: bool | None = None,
    listen: Listener | None = None,
) -> Judged:
    """Ask of scores from any library what an audit asks of its own, as far as what is given allows.

    ``scores`` of several models, which are the same but for the seed they were trained with, for the same
    examples and the same classes: (members, examples, positions) in an array, a tensor or a list with one
    table for each member, lists of different lengths, or explanations of shap; of several explainers a
    mapping of their names to such scores. ``mask`` (examples, positions) is True where a position exists.
    ``tokens`` are the words of each example, or one list of names for all. ``signed`` says that a negative
    score speaks against (default: if there is one).

    ``probabilities`` (members, examples, classes), or (members, examples) for the second of two classes, and
    ``labels`` let it ask whether the models learned, and whether their confidence is right. ``untrained`` are
    scores of networks that were never trained, (networks, examples, positions): one more impostor.
    ``predict`` is called with a boolean array (members, examples, positions) that is True where a position is
    left in, and returns probabilities: then it is asked whether what is explained matters to the models.
    ``target`` is the class that each example's scores are for (default: the one that the probabilities
    favour); ``classes`` are names. What is not given, its question is not asked, and the answer says so.
    A notebook shows how far it is; ``listen(stage, done, total)`` hears it instead.

    >>> import numpy
    >>> draw = numpy.random.default_rng(0)
    >>> words = draw.exponential(size=(200, 12)) ** 3
    >>> print(judge(words * draw.uniform(0.99, 1, size=(10, 200, 12))))
    As far as it was asked, this explanation holds (hold 0.99 [0.99, 0.99], the only one asked; 10 of 10 \
pairs of re-trained models name the same strongest position). Not asked: whether the models learned and \
whether it matters to the model. Give probabilities and labels and predict, from Python, and the rest is \
asked.
    """
    given = {
        "mask": mask, "tokens": tokens, "probabilities": probabilities, "labels": labels,
        "untrained": untrained, "predict": predict, "target": target, "classes": classes, "signed": signed,
    }  # fmt: skip
    said = [f"{name}=…" for name, value in given.items() if value is not None]
    return _judged(bring(scores, **given), f"holdfast.judge({', '.join(['scores', *said])})", listen)


def judge_file(
    path: Path | str,
    report: Path | str | None = None,
    text: bool = True,
    listen: Listener | None = None,
) -> Judged:
    """Judge the scores in a file, and write the report, by default beside it: ``NAME-report.html``.

    Where nobody named a file for the report, and none can be written there, there is none.
    """
    source = Path(path)
    page = check_own_page(source.with_name(f"{source.stem}-report.html") if report is None else Path(report))
    answer = _judged(read_scores(source), f"holdfast judge {source.name}", listen)
    try:
        return replace(answer, page=answer.report(page, text))
    except BadSetting:
        if report is not None:
            raise
        return answer


def _judged(brought: Brought, command: str, listen: Listener | None) -> Judged:
    began = time.monotonic()
    with heard(listen) as hears:
        findings = judge_brought(brought, command, hears)
    return Judged(findings, time.monotonic() - began)
