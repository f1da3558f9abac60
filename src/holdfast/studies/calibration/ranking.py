"""How well recommenders rank: sizes of the data, every seed, and the best epoch on the test items."""

from collections.abc import Iterator, Sequence

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.measure.pairing import over_members
from holdfast.measure.ranking import candidate_ranks, hr, ndcg
from holdfast.measure.reduce import as_interval, leave_out, mean_over_members, over_instances, spread
from holdfast.studies.calibration.measures import TOP, of_member, watched
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.notes import best_was_last
from holdfast.study.result import FamilyResult
from holdfast.train.evaluate import logits
from holdfast.train.family import template
from holdfast.train.job import stack

NAMES = {"hr@10": hr, "ndcg@10": ndcg}
UNFINISHED = "still_improving"


def ranking_rows(family: FamilyResult) -> Iterator[Measurement]:
    """Every seed's hit rate and NDCG, and those of the epoch that is best on the test items; and whether
    most seeds were still improving when training ended."""
    row = Measurer(family).row
    yield row(UNFINISHED, float(best_was_last(family)), n=len(family.members))
    ranks = candidate_ranks(family.probabilities, family.targets)
    for name, number in NAMES.items():
        for member, value in zip(family.members, number(ranks).tolist(), strict=True):
            yield row(name, value, **of_member(member))
    along = _along(family)
    if along is not None:
        best = hr(along).argmax(0)
        chosen = along[best, torch.arange(along.shape[1])]
        for name, number in NAMES.items():
            yield row(f"{name}_best", spread(number(chosen)))
        for epoch, values in enumerate(hr(along), 1):
            yield row("hr@10", mean_over_members(values), by="epoch", bin=str(epoch), at=float(epoch))


def _along(family: FamilyResult) -> Int[Tensor, "E M N"] | None:
    """The rank of every test item after each epoch that all seeds have; None where no weights were kept."""
    kept = [family.job.snapshots(member) for member in family.members]
    epochs = min(map(len, kept), default=0)
    if not epochs:
        return None
    model, split = template(family.job.architecture, family.dataset.task), family.dataset.splits["test"]
    stages = []
    for epoch in range(epochs):
        weights = {name: t.to(family.device) for name, t in stack([one[epoch] for one in kept]).items()}
        stages.append(candidate_ranks(logits(model, weights, split, stacked=True).cpu(), split.targets))
    return torch.stack(stages)


def size_rows(family: FamilyResult) -> Iterator[Measurement]:
    """The sizes of Table 3.1."""
    dataset, row = InteractionDataset.narrow(family.dataset), Measurer(family).row
    histories, split = dataset.histories, dataset.test
    tested = torch.zeros(len(histories.ids), dtype=torch.bool)
    tested[histories.ends - 1] = True
    users = len(histories)
    sizes = {
        "Full interactions": len(histories.ids),
        "Full users": users,
        "Full items": dataset.task.vocabulary - 1,
        "Train interactions": int((~tested).sum()),
        "Train users": int((histories.lengths > 1).sum()),
        "Train items": len(set(histories.ids[~tested].tolist())),
        "Test interactions": users,
        "Test users": users,
        "Test items": len(set(histories.ids[tested].tolist())),
        "Test negative pairs": int((split.candidates[:, 1:] > 0).sum()),
        "Shuffled negative pairs": len(watched(family)[0]) - users,
    }
    for name, count in sizes.items():
        yield row("size", float(count), by="split", bin=name)


def change_rows(families: Sequence[FamilyResult]) -> Iterator[Measurement]:
    """Seed by seed: how the first family of a data set stands against each other one."""
    for plain in families:
        if (plain.model, plain.repair) != (families[0].model, families[0].repair):
            continue
        for other in families:
            if other.data == plain.data and other is not plain:
                yield from _changes(plain, other)


def _changes(plain: FamilyResult, other: FamilyResult) -> Iterator[Measurement]:
    common = [member for member in plain.members if member in other.members]
    if len(common) < 2:
        return
    row, about = Measurer(other).row, {"other_model": plain.model, "other_repair": plain.repair}
    both = [one.only(common) for one in (plain, other)]
    explained = [one.explanations.get("attention") for one in both]
    if plain.model != other.model or any(one is None for one in explained) or len(common) < 3:
        return
    for text in TOP:
        comparison = make("comparisons", text)
        pairs = [over_members(one.to(other.device), comparison).cpu() for one in explained if one is not None]
        (a, left_a), (b, left_b) = (leave_out(over_instances(one.values), one) for one in pairs)
        yield row("top_shared_change", as_interval(a - b, left_a - left_b), comparison=text, **about)
