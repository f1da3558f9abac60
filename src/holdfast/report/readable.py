"""Models as a reader wants them named: checkpoints by their folder, without the digest that pins them."""

import re
from dataclasses import replace

from holdfast.study.answer import Answer
from holdfast.study.findings import Findings

DIGEST = re.compile(r"(?:,|(?<=:))sha256=[\w+]+,?")


def readable(findings: Findings) -> Findings:
    """The findings with those names, where they tell the models apart; what is typed keeps the digests."""
    models = findings.plan.get("models", [])
    short = [unpinned(model) for model in models]
    if short == models or len({*short}) < len(short):
        return findings
    rows = [
        replace(row, model=unpinned(row.model), other_model=unpinned(row.other_model))
        for row in findings.rows
    ]
    return replace(
        findings,
        title=unpinned(findings.title),
        answer=_answer(findings.answer),
        rows=tuple(rows),
        examples=tuple(replace(one, model=unpinned(one.model)) for one in findings.examples),
        pictures=tuple(replace(one, model=unpinned(one.model)) for one in findings.pictures),
        notes=tuple(map(unpinned, findings.notes)),
    )


def unpinned(text: str) -> str:
    """A label, or a sentence with labels, without digests.

    >>> unpinned("Training of hf:path=minilm,sha256=05317c8a3c3439ba,train=all stopped.")
    'Training of hf:path=minilm,train=all stopped.'
    >>> unpinned("checkpoints:folders=one+two,sha256=05317c8a+c3439ba0")
    'checkpoints:folders=one+two'
    """
    return DIGEST.sub(lambda found: "," if found[0][0] == "," and found[0][-1] == "," else "", text)


def _answer(answer: Answer) -> Answer:
    decides = answer.decides
    return replace(
        answer,
        headline=unpinned(answer.headline),
        reason=unpinned(answer.reason),
        decides=None if decides is None else replace(decides, model=unpinned(decides.model)),
        rows=tuple(replace(row, model=unpinned(row.model)) for row in answer.rows),
        worth=tuple(map(unpinned, answer.worth)),
    )
