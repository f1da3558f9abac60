"""Explaining one row with every seed of a finished run: of a file, or of the run's own test rows."""

from dataclasses import dataclass, replace
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.data.features.dataset import FeatureDataset, FeatureSplit
from holdfast.data.features.given import read_row
from holdfast.study.explain import LoadedFamily, check_kind, load_family
from holdfast.study.findings import Example, Heat
from holdfast.study.new_example import new_heat


@dataclass(frozen=True, eq=False)
class _Asked:
    """The row's values, its number, its class where that is known, and its place in the test split, where it
    is of that."""

    values: Float[Tensor, "T"]
    row: int
    label: str = ""
    own: int | None = None

    @property
    def batch(self) -> Batch:
        """It alone, without a class."""
        split = FeatureSplit(self.values[None], torch.zeros(1, dtype=torch.long))
        return replace(split.batch(torch.tensor([0])), targets=None)


def explain_row(
    run: Path,
    path: Path | None = None,
    row: int | None = None,
    model: str | None = None,
    repair: str | None = None,
    explainers: tuple[str, ...] | None = None,
) -> Example:
    """Every seed's explanation of a row for the class that the seeds together favour.

    ``row`` chooses one of the file ``path`` (default: the first); without a file, one of the run's own test
    rows.
    """
    check_kind(run, "features")
    if path is None and row is None:
        raise BadSetting(
            f"{run} is a run on features: give a table with rows to explain, or --row for a test row"
        )
    loaded = load_family(run, model, repair)
    dataset, job = FeatureDataset.narrow(loaded.dataset), loaded.job
    asked = (
        _tested(dataset, row or 0) if path is None else _Asked(read_row(path, dataset, row or 0), row or 0)
    )
    probabilities = loaded.probabilities(asked.batch)
    target = probabilities.mean(0).argmax(-1)
    return Example(
        data=dataset.name,
        model=job.model,
        repair=job.repair,
        tokens=dataset.told(asked.values),
        label=asked.label,
        target=dataset.task.classes[int(target)],
        probabilities=tuple(probabilities[:, 0, int(target)].tolist()),
        seeds=tuple(member.seed for member in loaded.family.members),
        heats=tuple(_heat(loaded, one, asked, target) for one in explainers or loaded.explainers[:1]),
    )


def _heat(loaded: LoadedFamily, written: str, asked: _Asked, target: Int[Tensor, "1"]) -> Heat:
    explanation = loaded.explain(written, asked.batch, target, asked.row)
    return new_heat(explanation, loaded.measure(written, explanation, asked.batch, asked.row, asked.own))


def _tested(dataset: FeatureDataset, row: int) -> _Asked:
    split = dataset.splits["test"]
    if not 0 <= row < len(split):
        raise BadSetting(
            f"the test split of {dataset.name}: expected --row from 0 to {len(split) - 1}, but got {row}"
        )
    return _Asked(split.values[row], row, dataset.task.classes[int(split.targets[row])], row)
