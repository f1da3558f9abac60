"""Which questions of the verdict do scores pass that never look at the model's answer?

For runs of ``holdfast audit``: the size of a word's or item's vector (``norm``), how far it moved in training
(``moved``), and for images the brightness of a pixel (``norm``). They know which words were trained, not what
the model does with them, and should not be shown as explanations. Where it is known what decides (planted
data), that truth stands beside them: it should pass *matters*.

    python benchmarks/blind.py RUN…
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation, Member
from holdfast.measure.question import ends, places
from holdfast.study.evidence import evidence_of
from holdfast.study.explain import load_family
from holdfast.study.judge import verdicts
from holdfast.study.probing import matters_of
from holdfast.study.result import FamilyResult, load
from holdfast.train.family import initial
from holdfast.train.untrained import EACH, UNTRAINED, draw_of

TABLE = "embedding.weight"


def sizes(family: FamilyResult, tables: list[Tensor]) -> Tensor:
    """The size of every position's vector, by each of the tables."""
    batch = family.dataset.splits["test"].batch(family.rows)
    if batch.pixels:
        return batch.inputs.flatten(1).abs().expand(len(tables), -1, -1)
    width = family.mask.shape[-1]
    each = [torch.nn.functional.embedding(batch.inputs, table).norm(dim=-1)[:, :width] for table in tables]
    return torch.stack(each) * family.mask


def blind(family: FamilyResult) -> FamilyResult:
    """The same family, explained by scores that know nothing of its answers."""
    architecture, task = make("models", family.model), family.dataset.task

    def started(member: Member) -> Tensor:
        return initial(architecture, task, member).get(TABLE, torch.zeros(1))

    trained = [family.job.parameters(member).get(TABLE, torch.zeros(1)) for member in family.members]
    fresh = [started(draw_of(group, draw)) for group in UNTRAINED for draw in range(EACH)]
    scores = {"norm": sizes(family, trained)}
    untrained = {"norm": sizes(family, fresh[::EACH])}
    if not family.dataset.splits["test"].batch(family.rows[:1]).pixels:
        moved = [end - started(member) for end, member in zip(trained, family.members, strict=True)]
        scores["moved"] = sizes(family, moved)
        untrained["moved"] = torch.zeros_like(untrained["norm"])
    truth = family.dataset.splits["test"].truth(family.rows)
    if truth is not None:
        known = truth[:, : family.mask.shape[-1]].double()
        scores["truth"] = known.expand(len(family.members), -1, -1) if known.dim() == 2 else known
    explanations = {
        name: Explanation(table.double(), family.mask, family.target, family.members, name, False)
        for name, table in scores.items()
    }
    return replace(family, explanations=explanations, untrained=untrained)


def lines(run: Path) -> Iterator[str]:
    """One line for each score of a run's first family."""
    loaded = load_family(run, None, None)
    members = loaded.family.members
    family = blind(load(loaded.job, members, members, loaded.dataset))
    evidence = evidence_of(family, matters_of(family))
    for row in verdicts(family, evidence):
        told = [f"{q.name} {q.answer} {places(q.value or 0)}{ends(q.low, q.high)}" for q in row.questions]
        yield f"{family.data}, {family.model}, {row.explainer}: {row.verdict} ({'; '.join(told)})"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        for line in lines(Path(argument)):
            print(line, flush=True)
