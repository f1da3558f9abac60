"""A realistic study that never ran: ten seeds, five explainers, two repairs, six sentences."""

import math
import random
from collections import Counter
from dataclasses import replace
from typing import Any

from holdfast.measure.question import Question, not_asked
from holdfast.measure.survives import word_of
from holdfast.study.answer import Answer, Decides, ExplainerVerdict, Members
from holdfast.study.findings import Example, Findings, Heat
from holdfast.study.headline import headline, ranked
from holdfast.study.measurement import Measurement
from tests.report.pictures import audited

SEEDS = tuple(range(10))
EXPLAINERS = ("attention", "gradient", "gradient_input", "integrated_gradients", "leave_one_out")
SIGNED = {"gradient_input", "integrated_gradients", "leave_one_out"}
REPAIRS = ("none", "aswa")
COMPARISONS = ("jensen_shannon", "kl", "jaccard", "spearman")
HOLD = {
    "attention": (0.3, 0.44),
    "gradient": (0.62, 0.68),
    "gradient_input": (0.55, 0.61),
    "integrated_gradients": (0.64, 0.8),
    "leave_one_out": (0.21, 0.38),
}
SENTENCES = (
    ("the pacing is slow but the cast is a joy to watch", (9,), "positive"),
    ("not a single scene in this film is dull", (0, 8), "positive"),
    ("a clumsy , tedious story with one good song", (1, 3), "negative"),
    ("I expected little and got even less from this thin plot", (7, 9), "negative"),
    ("brilliant", (0,), "positive"),
    (
        "the camera lingers on the harbour for minutes at a time , and while some viewers will call that "
        "patience , others will call it a dreadful bore that never finds its way back to "
        "the people it began with",
        (29, 30),
        "negative",
    ),
)


def verdict_of(low: float, high: float) -> str:
    return word_of(low, high) or "undecided"


def make_findings(data: str = "planted", model: str = "cnn") -> Findings:
    """The study; the same one every time."""
    draw = random.Random(7)
    rows = [
        row
        for place, repair in enumerate(REPAIRS)
        for part in (_quality, _holds, _others)
        for row in part(draw, data, model, repair, place)
    ]
    examples = tuple(_example(draw, data, model, *sentence) for sentence in SENTENCES)
    return Findings(
        title=f"{model} on {data}",
        command=f"holdfast audit {data} --model {model} --repair none,aswa --seeds 10",
        plan={
            "data": {"name": data, "rows": 4000, "split": [0.8, 0.1, 0.1]},
            "model": f"{model}:attention=additive",
            "repairs": list(REPAIRS),
            "seeds": list(SEEDS),
            "explainers": list(EXPLAINERS),
            "epochs": 8,
            "engine": "one-thread workers, one member at a time",
        },
        answer=make_answer(data, model),
        rows=tuple(rows),
        examples=examples,
        notes=(
            "12 texts were longer than 200 tokens and were cut.",
            "Seed 4 diverged in epoch 2 and was left out.",
        ),
    )


def imaged(seeds: tuple[int, ...] = (0, 1, 2, 3, 4), **more: Any) -> Findings:
    """The study, had it been of images."""
    findings = make_findings("digits-maj")
    rows = tuple(row for row in findings.rows if row.by != "length")
    return replace(
        findings, rows=rows, examples=(), pictures=tuple(audited(seeds=seeds, **more)), kind="image"
    )


def make_answer(data: str = "planted", model: str = "cnn", **changes: Any) -> Answer:
    """The answer of an audit whose integrated gradients with aswa hold."""
    families = [(repair, name) for repair in reversed(REPAIRS) for name in EXPLAINERS]
    rows = ranked([make_row(data, model, repair, name) for repair, name in families])
    macro = {"mean": 0.868, "sd": 0.012, "n": 9}
    quality = {
        "metric": "accuracy",
        "mean": 0.871,
        "sd": 0.011,
        "n": 9,
        "chance": 0.5,
        "chance_is": "always predicting the most common class",
        "f1": {"macro": macro, "by_class": {"negative": 0.851, "positive": 0.885}},
    }
    first = rows[0]
    answer = Answer(
        verdict=first.verdict,
        between=first.between,
        headline=headline(rows, "word"),
        reason=first.reason,
        do=f"Try a repair: holdfast audit {data} --model {model} --repair none,aswa --seeds 10",
        decides=Decides(first.model, first.repair, first.explainer),
        rows=tuple(rows),
        quality=quality,
        members=Members(9, ({"seed": 4, "why": "its loss was not finite in epoch 2"},)),
    )
    return replace(answer, **changes)


def no_answer() -> Answer:
    """An answer about nothing."""
    empty = {"between": (), "headline": "", "reason": "", "do": "", "decides": None, "rows": ()}
    return Answer(verdict="undecided", quality={}, members=Members(0), **empty)


def make_row(data: str, model: str, repair: str, name: str) -> ExplainerVerdict:
    """One explainer; whether it matters was not asked."""
    hold = HOLD[name][REPAIRS.index(repair)]
    low, high = hold - 0.06, hold + 0.06
    word = verdict_of(low, high)
    between = ("shaky", "holds") if word == "undecided" else ()
    answer = {"holds": "passed", "undecided": "undecided"}.get(word, "failed")
    held = f"hold {hold} [{low:.2f}, {high:.2f}] over 10 seeds, against another input"
    questions = (
        Question("learned", "passed", 0.871, 0.85, 0.89, 0.5),
        Question("says", "passed", 0.6, 0.5, 0.7, 0.1),
        Question("survives", answer, hold, low, high, 0.7, because=held),
        not_asked("matters", "no deletion was measured"),
    )
    against = {"shuffled": hold + 0.1, "another input": hold}
    about = {"nearest": "another input", "hold": hold, "low": low, "high": high, "against": against}
    shape = {"concentration": 0.36, "even": 0.13, "same_strongest": hold}
    odd = "; odd seeds up to 26 % would not have been seen" if word == "holds" else ""
    reason = f"It is so: {held}{odd}."
    return ExplainerVerdict(data, model, repair, name, word, between, reason, questions, **about, **shape)


def _quality(draw: random.Random, data: str, model: str, repair: str, place: int) -> list[Measurement]:
    mean, spread = 0.871 - 0.004 * place, 0.012 - 0.005 * place
    row = lambda quantity, value, **more: Measurement(data, model, repair, quantity, value, **more)  # noqa: E731
    rows = [
        row("accuracy", mean, low=mean - 0.008, high=mean + 0.008, n=10),
        row("macro_f1", mean - 0.003, low=mean - 0.011, high=mean + 0.005, n=10),
        row("f1", mean - 0.02, low=mean - 0.03, high=mean, n=10, by="label", label="negative", at=0.0),
        row("f1", mean + 0.014, low=mean, high=mean + 0.03, n=10, by="label", label="positive", at=1.0),
        row("roc_auc", mean + 0.06, low=mean + 0.056, high=mean + 0.064, n=10),
        row("accuracy_sd", spread, low=spread / 1.5, high=spread * 1.8, n=10),
        row("deviation", 0.07 - 0.03 * place, low=0.06 - 0.03 * place, high=0.08 - 0.03 * place, n=400),
    ]
    rows += [row("accuracy", draw.gauss(mean, spread), by="member", member=str(seed)) for seed in SEEDS]
    for k in range(10):
        at = 0.05 + k / 10
        value = (0.02 + 0.11 * math.sin(math.pi * at)) * (1 - 0.45 * place)
        cut = {"by": "confidence", "bin": f"{k / 10:.1f}", "at": at}
        rows.append(row("deviation", value, low=value * 0.85, high=value * 1.15, n=40, **cut))
    for k in range(5):
        at = 0.55 + k / 10
        cut = {"by": "confidence", "bin": f"{at:.2f}", "at": at, "n": 30 + 60 * k}
        right = at - 0.05 + 0.03 * place
        rows.append(row("reliability", right, low=right - 0.05, high=right + 0.05, **cut))
        for name, apart in (("negative", -0.04), ("positive", 0.05)):
            rows.append(row("reliability_by_class", right + apart, label=name, **cut))
    values = {"ece": 0.061 - 0.02 * place, "ece_calibrated": 0.02, "overconfidence": 0.05 - 0.06 * place,
              "mce": 0.14, "ace": 0.07, "nll": 0.35 - 0.03 * place, "brier": 0.19}  # fmt: skip
    for quantity, value in values.items():
        for by in ("all", "examples"):
            rows.append(row(quantity, value, low=value - 0.01, high=value + 0.01, n=10, by=by))
    return rows


def _holds(draw: random.Random, data: str, model: str, repair: str, place: int) -> list[Measurement]:
    rows = []
    for explainer in EXPLAINERS:
        base = HOLD[explainer][place]

        def row(
            quantity: str, value: float, half: float, name: str = explainer, **more: object
        ) -> Measurement:
            return Measurement(
                data, model, repair, quantity, value, value - half, value + half, explainer=name, **more
            )

        rows.append(row("hold", base, 0.06, n=400))
        for k in range(5):
            at = 0.1 + 0.2 * k
            value = base - 0.22 * math.sin(math.pi * at) + 0.1
            rows.append(row("hold", value, 0.07, by="confidence", bin=f"{0.2 * k:.1f}", at=at, n=80))
            rows.append(
                row(
                    "hold",
                    base + 0.1 - 0.05 * k,
                    0.06,
                    by="length",
                    bin=f"{5 * k}-{5 * k + 4}",
                    at=5.0 * k + 2,
                )
            )
            for comparison in ("kl", "jaccard"):
                cut = {"by": "confidence", "bin": f"{0.2 * k:.1f}", "at": at, "comparison": comparison}
                rows.append(row("stability", (1 - value) * 0.6, 0.04, n=80, **cut))
        for label, off in (("negative", -0.05), ("positive", 0.05)):
            rows.append(row("hold", base + off, 0.06, by="label", label=label, n=200))
        for comparison in COMPARISONS:
            value = base if comparison == "spearman" else (1 - base) * draw.uniform(0.3, 0.9)
            rows.append(row("stability", value, 0.03, comparison=comparison, n=400))
    return rows


def _others(draw: random.Random, data: str, model: str, repair: str, place: int) -> list[Measurement]:
    rows = []
    for i, first in enumerate(EXPLAINERS):
        for second in EXPLAINERS[i + 1 :]:
            for comparison in ("spearman", "jensen_shannon"):
                value = draw.uniform(0.1, 0.9)
                rows.append(
                    Measurement(
                        data,
                        model,
                        repair,
                        "agreement",
                        value,
                        explainer=first,
                        other_explainer=second,
                        comparison=comparison,
                    )
                )
    for explainer, value in (
        *((name, 0.6 + 0.3 * HOLD[name][place]) for name in EXPLAINERS),
        ("random", 0.501),
    ):
        rows.append(
            Measurement(
                data, model, repair, "truth", value, value - 0.02, value + 0.02, 400, explainer, "found"
            )
        )
    if place:
        for explainer in EXPLAINERS:
            value = HOLD[explainer][1] - HOLD[explainer][0]
            rows.append(
                Measurement(data, model, repair, "gain", value, value - 0.05, value + 0.05, 10, explainer)
            )
            rows.append(
                Measurement(data, model, repair, "change", 0.1, 0.08, 0.12, 10, explainer, "jensen_shannon")
            )
        rows.append(Measurement(data, model, repair, "cost", 0.004, -0.003, 0.011, 10))
    return rows


def _example(
    draw: random.Random, data: str, model: str, text: str, true: tuple[int, ...], label: str
) -> Example:
    tokens = tuple(text.split())
    heats = []
    for explainer in EXPLAINERS:
        hold = HOLD[explainer][0]
        scores = tuple(_scores(draw, tokens, true, explainer, 1 - hold) for _ in SEEDS)
        mean = tuple(sum(column) / len(SEEDS) for column in zip(*scores, strict=True))
        nothing = len(tokens) == 1
        heats.append(
            Heat(
                explainer,
                explainer in SIGNED,
                scores,
                mean,
                None if nothing else hold,
                None if nothing else hold - 0.1,
                None if nothing else hold + 0.1,
                "undecided" if nothing else verdict_of(hold - 0.1, hold + 0.1),
                *most_named(scores),
            )
        )
    probabilities = tuple(min(0.99, max(0.05, draw.gauss(0.8, 0.1))) for _ in SEEDS)
    marks = tuple(i in true for i in range(len(tokens)))
    return Example(data, model, "none", tokens, label, label, probabilities, SEEDS, tuple(heats), marks)


def most_named(scores: tuple[tuple[float, ...], ...]) -> tuple[int, int]:
    """The position that most members name as the strongest, and how many do."""
    return Counter(max(range(len(own)), key=lambda t: abs(own[t])) for own in scores).most_common(1)[0]


def _scores(
    draw: random.Random, tokens: tuple[str, ...], true: tuple[int, ...], explainer: str, noise: float
) -> tuple[float, ...]:
    raw = [(1.0 if i in true else 0.12) + draw.gauss(0, noise * 0.5) for i in range(len(tokens))]
    if explainer in SIGNED:
        return tuple(value - 0.15 for value in raw)
    total = sum(abs(value) for value in raw)
    return tuple(abs(value) / total for value in raw)
