"""The answer of an audit as JUnit XML: one test case for each explainer and question."""

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from holdfast.core.plain import printable
from holdfast.measure.question import TITLES, Question
from holdfast.study.answer import Answer, ExplainerVerdict

SKIPPED = ("undecided", "not asked", "warning")


def junit(answer: Answer) -> str:
    """A failed question is a failure; an undecided one, one that was not asked, and a warning are skipped."""
    questions = [question for row in answer.rows for question in row.questions]
    failed = sum(question.answer == "failed" for question in questions)
    skipped = sum(question.answer in SKIPPED for question in questions)
    counts = f'tests="{len(questions)}" failures="{failed}" errors="0" skipped="{skipped}"'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="holdfast" {counts}>',
        f'  <testsuite name="holdfast audit" {counts}>',
        "    <properties>",
        *(_property(name, value) for name, value in _about(answer)),
        "    </properties>",
        *(line for row in answer.rows for line in _cases(row)),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _about(answer: Answer) -> Iterator[tuple[str, str]]:
    yield "verdict", answer.verdict
    yield "headline", answer.headline
    yield "do", answer.do


def _property(name: str, value: str) -> str:
    return f'      <property name="{name}" value={_quoted(value)}/>'


def _cases(row: ExplainerVerdict) -> Iterator[str]:
    place = ".".join((row.data, row.model, row.repair, row.explainer))
    for question in row.questions:
        case = f"    <testcase classname={_quoted(place)} name={_quoted(TITLES[question.name])}"
        inner = _outcome(question)
        yield f"{case}>{inner}</testcase>" if inner else f"{case}/>"


def _outcome(question: Question) -> str:
    because = question.because or question.answer
    if question.answer == "failed":
        kind = _quoted(question.words[0] if question.words else question.answer)
        return f"<failure message={_quoted(because)} type={kind}/>"
    if question.answer in SKIPPED:
        return f"<skipped message={_quoted(f'{question.answer}: {because}')}/>"
    return ""


def _quoted(text: str) -> str:
    """An attribute; what XML cannot hold, such as control characters, is written out."""
    return quoteattr(printable(text))
