"""How the correlations come about: after every epoch, of the seeds whose weights were kept on the way."""

from collections.abc import Iterator, Mapping, Sequence

import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation
from holdfast.core.settings import split_label
from holdfast.measure.along_training import along_training
from holdfast.measure.reduce import mean_over_members
from holdfast.studies.rollout.measures import SPEARMAN
from holdfast.studies.rollout.names import FIRST, GRADIENT, PAIRS, ROLLOUT, SHAPLEY
from holdfast.studies.rollout.numbers import row
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult
from holdfast.train.family import Family
from holdfast.train.job import stack

FOLLOWED = 60  # users at most, and at most a quarter of those explained
RANKINGS = (GRADIENT, FIRST, ROLLOUT, SHAPLEY)  # Figure 4.6

Stage = Mapping[str, Explanation]


def stages_of(family: FamilyResult) -> list[Stage]:
    """The explanations of some users after each epoch; nothing where no weights were kept."""
    kept = {member: snapshots for member in family.members if (snapshots := family.job.snapshots(member))}
    labels = [text for text in family.explanations if split_label(text)[0] in RANKINGS]
    count = min(FOLLOWED, max(1, len(family.rows) // 4))
    arguments = (family.dataset.splits["test"], family.rows[:count], family.target[:count])
    stages: list[Stage] = []
    for epoch in range(min(map(len, kept.values()), default=0)):
        stacked = stack([snapshots[epoch] for snapshots in kept.values()])
        parameters = {name: tensor.to(family.device) for name, tensor in stacked.items()}
        trained = Family(family.job.architecture, family.dataset.task, tuple(kept), parameters)
        stages.append({text: trained.explain(make("explainers", text), *arguments) for text in labels})
    return stages


def dynamics_rows(family: FamilyResult, stages: Sequence[Stage]) -> Iterator[Measurement]:
    """The correlations after each epoch (Baumhauer §4.1.4, Figure 4.6)."""
    compare = make("comparisons", SPEARMAN)
    named = [{split_label(text)[0]: one for text, one in stage.items()} for stage in stages]
    for one, other in PAIRS:
        if named and all({one, other} <= set(stage) for stage in named):
            correlations = along_training([(stage[one], stage[other]) for stage in named], compare)
            about = {"explainer": one, "other_explainer": other, "comparison": SPEARMAN}
            for epoch, values in enumerate(correlations, 1):
                yield row(family, "dynamics", mean_over_members(values), **(about | _at(epoch)))


def recall_rows(family: FamilyResult) -> Iterator[Measurement]:
    """What early stopping watched, recall@10 % on the validation item, after each epoch."""
    histories = [(family.job.note(member) or {}).get("history", []) for member in family.members]
    for epoch in range(min(map(len, histories), default=0)):
        values = [history[epoch] for history in histories]
        if all(value is not None for value in values):
            recall = mean_over_members(torch.tensor(values, dtype=torch.float64))
            yield row(family, "recall", recall, **_at(epoch + 1))


def _at(epoch: int) -> dict[str, object]:
    return {"by": "epoch", "bin": str(epoch), "at": float(epoch)}
