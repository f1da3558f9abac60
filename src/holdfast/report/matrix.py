"""Every explainer against every question of the chain, as one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holdfast.measure.calibrated import TOLERANCE
from holdfast.measure.matters import LITTLE, MATTERS
from holdfast.measure.question import HOLDS as SCALED
from holdfast.measure.question import Name, Question, not_asked
from holdfast.measure.says import KEPT
from holdfast.measure.survives import HOLDS, MEMBERS, SHAKY
from holdfast.report.charts.select import words
from holdfast.report.impostors import IMPOSTORS, impostor
from holdfast.report.marks import MARKS, columns
from holdfast.report.modality import Unit
from holdfast.report.page import Span
from holdfast.report.texts import Badge, badge, percent
from holdfast.study.answer import Answer, ExplainerVerdict
from holdfast.study.headline import family_name

ROUNDED_DOWN: tuple[Name, ...] = ("says", *SCALED, "matters")  # as the verdict compares them with limits
TONES = {"passed": "good", "failed": "poor", "undecided": "fair", "not asked": "none", "warning": "fair"}
TITLES: dict[Name, str] = {
    "learned": "learned",
    "says": "says something",
    "survives": "survives another seed",
    "survives_change": "survives a change",
    "matters": "matters",
    "calibrated": "confidence right",
}

CHANGED: Name = "survives_change"
CHANGE = TITLES[CHANGED]


@dataclass(frozen=True)
class Answered:
    """One question of one explainer: its mark, the answer in a word, the value and its interval."""

    mark: str
    tone: str
    answer: str
    span: Span


@dataclass(frozen=True)
class Line:
    """One explainer; ``decides`` marks the one that the headline is about."""

    explainer: str
    decides: bool
    questions: tuple[Answered, ...]
    badge: Badge
    nearest: str
    top: str
    even: str
    strongest: str
    reason: str


@dataclass(frozen=True)
class Group:
    """The explainers of one family; ``name`` is empty where there is only one."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Matrix:
    """``columns`` are the questions, ``readings`` say in a sentence what each column means; ``alone`` says
    that there is a single member."""

    groups: tuple[Group, ...]
    columns: tuple[str, ...]
    top: str
    strongest: str
    readings: tuple[tuple[str, str], ...]
    alone: bool = False


def matrix(answer: Answer, unit: Unit) -> Matrix:
    """The rows of an answer in their order, together by family."""
    families: dict[tuple[str, str, str], list[ExplainerVerdict]] = {}
    for row in answer.rows:
        families.setdefault((row.data, row.model, row.repair), []).append(row)
    several = len({family[0] for family in families}) > 1
    names = [name for name in TITLES if name in columns(answer)]
    groups = [
        Group(
            _named(rows[0], several) if len(families) > 1 else "",
            tuple(_line(row, answer, names) for row in rows),
        )
        for rows in families.values()
    ]
    return Matrix(
        tuple(groups),
        tuple(TITLES[name] for name in names),
        f"top tenth of the {unit.many}",
        f"same strongest {unit.name}",
        tuple(one for one in readings(answer.quality, unit) if one[0] != CHANGE or CHANGED in names),
        answer.members.trained == 1,
    )


def readings(quality: Mapping[str, object], unit: Unit) -> tuple[tuple[str, str], ...]:
    """What each column means, in a sentence."""
    known = ", ".join(f"{name} ({impostor(name, unit)})" for name in IMPOSTORS)
    by = f", {quality['chance_is']}" if quality.get("chance_is") else ""
    meant = f" ({unit.metric})" if unit.metric else ""
    return (
        (
            TITLES["learned"],
            f"Are the models right more often than chance{by}? The {quality.get('metric', 'accuracy')} over "
            f"seeds{meant}; explanations of models that have not learned mean nothing.",
        ),
        (
            TITLES["says"],
            "Does the consensus of all seeds still mark something? The share of a single seed's contrast "
            f"that is left in it, beyond noise; below {KEPT:g}, or with nearly even weights, it says "
            "nothing.",
        ),
        (
            TITLES["survives"],
            f"The hold, measured against the nearest impostor: {known}. From {HOLDS} with its whole interval "
            f"and {MEMBERS} seeds it holds, below {SHAKY} it does not, between them it is shaky.",
        ),
        (
            CHANGE,
            "How much of the explanation is left when the input changes a little, by the same seed: 1 is the "
            f"same again, 0 as far as that of an unrelated input. Limits as before: {HOLDS} and {SHAKY}. Of "
            "several changes the worst answers.",
        ),
        (
            TITLES["matters"],
            f"How much further the prediction falls when the strongest {unit.many} are taken away first than "
            f"in random order, as a share of what leave-one-out's order gains: more than {MATTERS} is "
            f"needed, below {LITTLE} it matters little.",
        ),
        (
            TITLES["calibrated"],
            f"Confidence − accuracy where it is furthest: above 0 the models are surer than right. A warning "
            f"where the whole interval, over seeds and test examples, lies more than {TOLERANCE} from 0, "
            "undecided where only the value does; it never changes the verdict.",
        ),
        (
            f"top tenth of the {unit.many}",
            f"The share of the weight on the strongest tenth of the {unit.many}, and what even weights would "
            "have: near it, a map marks nothing.",
        ),
        (f"same strongest {unit.name}", f"How often two seeds name the same strongest {unit.name}."),
    )


def _named(row: ExplainerVerdict, several: bool) -> str:
    return f"{family_name(row)} on {row.data}" if several else family_name(row)


def _line(row: ExplainerVerdict, answer: Answer, names: Sequence[Name]) -> Line:
    questions = [row.question(name) for name in names]
    return Line(
        words(row.explainer),
        row is answer.row,
        tuple(_answered(question) for question in questions),
        badge(row.verdict),
        row.nearest or "",
        percent(row.concentration, 0),
        percent(row.even, 0),
        percent(row.same_strongest, 0),
        row.reason,
    )


def _answered(question: Question | None) -> Answered:
    if question is None:
        return _answered(not_asked("matters", ""))
    share = question.name == "learned"
    ends = (question.value, question.low, question.high)
    about = {"scaled": question.name in SCALED, "share": share, "down": question.name in ROUNDED_DOWN}
    answer = question.answer
    return Answered(MARKS[answer], TONES[answer], answer, Span(*ends, **about))
