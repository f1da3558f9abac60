"""Findings with markup wherever a text can come from outside."""

import dataclasses

from holdfast.study.answer import Members
from holdfast.study.findings import Example, Findings, Heat
from holdfast.study.measurement import Measurement
from tests.report.synthetic import make_answer, make_findings, make_row

HOSTILE = (
    "</style></svg></title><script>alert(1)</script><img src=x onerror=alert(1)>\"onload='x()' {{7*7}} &amp;"
)


def hostile() -> Findings:
    """Markup wherever a text can come from outside."""
    base = make_findings(data=HOSTILE, model=HOSTILE)
    rows = [
        dataclasses.replace(
            row, explainer=row.explainer and HOSTILE, label=HOSTILE if row.by == "label" else row.label
        )
        for row in base.rows
    ]
    rows.append(
        Measurement(HOSTILE, HOSTILE, HOSTILE, "word", 0.1, by="word", bin=f"1:{HOSTILE}", sentence=HOSTILE)
    )
    heat = Heat(HOSTILE, True, ((0.5, -0.5),) * 2, (0.5, -0.5), 0.5, 0.4, 0.6, HOSTILE, 0, 2)
    example = Example(HOSTILE, HOSTILE, HOSTILE, (HOSTILE, "b"), HOSTILE, "x", (0.1, 0.2), (0, 1), (heat,))
    row = make_row(HOSTILE, HOSTILE, "none", "attention")
    named = {
        "repair": HOSTILE,
        "explainer": HOSTILE,
        "verdict": HOSTILE,
        "reason": HOSTILE,
        "nearest": HOSTILE,
    }
    answer = make_answer(
        verdict=HOSTILE,
        headline=HOSTILE,
        reason=HOSTILE,
        do=f"{HOSTILE} holdfast audit {HOSTILE}",
        rows=(dataclasses.replace(row, **named), row),
        quality=base.answer.quality | {"metric": HOSTILE, "chance_is": HOSTILE},
        members=Members(2, ({"seed": HOSTILE, "why": HOSTILE},)),
    )
    return Findings(HOSTILE, HOSTILE, {HOSTILE: [HOSTILE]}, answer, tuple(rows), (example,), (HOSTILE,))
