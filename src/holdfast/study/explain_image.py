"""Explaining one image with every seed of a finished run: from a file, or of the run's own test split."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadRun, BadSetting, Failed, HoldfastError
from holdfast.core.records import Batch, Explanation
from holdfast.core.schema import SCHEMA
from holdfast.data.image.dataset import ImageDataset
from holdfast.data.image.given import read_image
from holdfast.measure.localisation import share
from holdfast.study.explain import LoadedFamily, check_kind, load_family
from holdfast.study.findings import Heat
from holdfast.study.new_example import new_heat

FLOOR = "random"


@dataclass(frozen=True)
class ImageHeat:
    """One explainer's maps of one image, pixels row by row, and where the consensus has its weight.

    ``speaks_for`` and ``against`` are shares of each strip, which add up to 1 over both; ``right`` is every
    seed's share of positive relevance on the blocks that decide (None where it has none), empty where those
    are not known.
    """

    heat: Heat
    speaks_for: tuple[float, ...]
    against: tuple[float, ...]
    right: tuple[float | None, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values, those of ``heat`` among them."""
        values = asdict(self)
        del values["heat"]
        return self.heat.to_json() | values

    @property
    def strips(self) -> tuple[float, ...]:
        """How much of all weight lies on each strip."""
        return tuple(a + b for a, b in zip(self.speaks_for, self.against, strict=True))

    @property
    def known(self) -> tuple[float, ...]:
        """The shares on the blocks that decide of the seeds that have one."""
        return tuple(value for value in self.right if value is not None)


@dataclass(frozen=True)
class ImageExample:
    """One image as every seed sees it; ``pixels`` are from 0 to 1, row by row.

    ``source`` says where it came from, ``white`` which number is white there; ``label`` is its class where
    that is known; ``truth`` says which of the images side by side decide; ``left_out`` names explainers of
    the run that cannot explain it, and why.
    """

    data: str
    model: str
    repair: str
    source: str
    white: int
    row: int
    label: str
    target: str
    probabilities: tuple[float, ...]
    seeds: tuple[int, ...]
    height: int
    width: int
    pixels: tuple[float, ...]
    heats: tuple[ImageHeat, ...]
    truth: tuple[bool, ...] | None = None
    left_out: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast explain --json``."""
        whole = {"schema": SCHEMA} | asdict(self)
        whole["heats"] = [one.to_json() for one in self.heats]
        whole["left_out"] = [{"explainer": name, "why": why} for name, why in self.left_out]
        return whole


@dataclass(frozen=True, eq=False)
class _Question:
    """What is explained: the image as models read it and as it is drawn, and what is known of it; ``own`` is
    its row in the test split, where it is of that."""

    batch: Batch
    picture: Float[Tensor, "H W"]
    source: str
    white: int
    row: int
    label: str = ""
    truth: Float[Tensor, "1 K"] | None = None
    own: int | None = None


def explain_image(
    run: Path,
    path: Path | None = None,
    row: int | None = None,
    model: str | None = None,
    repair: str | None = None,
    explainers: tuple[str, ...] | None = None,
) -> ImageExample:
    """Every seed's explanation of an image for the class that the seeds together favour.

    ``row`` chooses an image of the file ``path`` (default: the first); without a file, one of the run's own
    test split. Explainers are the run's own unless they are named.
    """
    check_kind(run, "image")
    if path is None and row is None:
        raise BadSetting(f"{run} is a run on images: give a .npz or .npy file, or --row for a test image")
    loaded = _seeds(run, load_family(run, model, repair))
    dataset, job = ImageDataset.narrow(loaded.dataset), loaded.job
    question = _tested(dataset, row or 0) if path is None else _given(dataset, path, row or 0)
    probabilities = loaded.probabilities(question.batch)
    target = probabilities.mean(0).argmax(-1)
    favoured = dataset.task.classes[int(target)]
    if favoured != question.label:  # which blocks show another class says nothing of this one
        question = replace(question, truth=None)
    heats, left_out = _heats(loaded, dataset, question, target, explainers)
    height, width = question.picture.shape
    return ImageExample(
        data=dataset.name,
        model=job.model,
        repair=job.repair,
        source=question.source,
        white=question.white,
        row=question.row,
        label=question.label,
        target=favoured,
        probabilities=tuple(probabilities[:, 0, int(target)].tolist()),
        seeds=tuple(member.seed for member in loaded.family.members),
        height=height,
        width=width,
        pixels=_short(question.picture.flatten()),
        heats=heats,
        truth=None if question.truth is None else tuple(bool(mark) for mark in question.truth[0]),
        left_out=left_out,
    )


def _seeds(run: Path, loaded: LoadedFamily) -> LoadedFamily:
    """Seeds alone: folds of a cross-validation trained on other data."""
    kept = [member for member in loaded.family.members if member.fold is None]
    if len(kept) < 2:
        raise BadRun(f"{run}: {len(kept)} of its seeds trained well, but two are needed")
    return replace(loaded, family=loaded.family.select(kept))


def _tested(dataset: ImageDataset, row: int) -> _Question:
    split = dataset.splits["test"]
    if not 0 <= row < len(split):
        raise BadSetting(
            f"the test split of {dataset.name}: expected --row from 0 to {len(split) - 1}, but got {row}"
        )
    rows = torch.tensor([row])
    return _Question(
        split.batch(rows),
        dataset.images("test", rows)[0],
        f"test image {row} of {dataset.name}",
        split.top,
        row,
        dataset.task.classes[int(split.targets[row])],
        None if split.majority is None else split.majority[rows].float(),
        own=row,
    )


def _given(dataset: ImageDataset, path: Path, row: int) -> _Question:
    image = read_image(path, dataset, row)
    batch = image.batch(dataset.splits["test"].steps)
    return _Question(batch, image.pixels, f"image {row} of {path.name}", image.white, row)


def _heats(
    loaded: LoadedFamily,
    dataset: ImageDataset,
    question: _Question,
    target: Int[Tensor, "1"],
    explainers: tuple[str, ...] | None,
) -> tuple[tuple[ImageHeat, ...], tuple[tuple[str, str], ...]]:
    """Every explainer's maps; of the run's own, one that fails is named and the rest goes on."""
    names = tuple(name for name in loaded.explainers if name != FLOOR) or loaded.explainers
    heats, left_out = [], []
    for written in explainers or names:
        try:
            explanation = loaded.explain(written, question.batch, target, question.row)
        except HoldfastError as error:
            if explainers:
                raise
            left_out.append((written, str(error)))
        else:
            held = loaded.measure(written, explanation, question.batch, question.row, question.own)
            heats.append(_heat(explanation, new_heat(explanation, held), dataset, question))
    if not heats:
        raise Failed("; ".join(why for _, why in left_out))
    return tuple(heats), tuple(left_out)


def _heat(explanation: Explanation, heat: Heat, dataset: ImageDataset, question: _Question) -> ImageHeat:
    scores = explanation.scores[:, 0].double()
    scores = scores / scores.abs().sum(1, keepdim=True).clamp(min=1e-300)
    consensus = scores.mean(0)
    strongest = torch.zeros_like(consensus)
    strongest[heat.strongest] = 1.0
    heat = replace(
        heat,
        scores=tuple(_short(dataset.image(member).flatten()) for member in scores),
        consensus=_short(dataset.image(consensus).flatten()),
        strongest=int(dataset.image(strongest).flatten().argmax()),
    )
    weight = consensus.abs().sum().clamp(min=1e-300)
    positive, negative = (dataset.time(part.clamp(min=0.0)) / weight for part in (consensus, -consensus))
    return ImageHeat(heat, _short(positive), _short(negative), _right(explanation, dataset, question.truth))


def _right(
    explanation: Explanation, dataset: ImageDataset, truth: Float[Tensor, "1 K"] | None
) -> tuple[float | None, ...]:
    """Each seed's share on the blocks that decide, of positive relevance (Chormai §4.3.2)."""
    if truth is None:
        return ()
    values, known = share(dataset.block_sums(explanation.scores[:, 0].double().clamp(min=0.0)), truth)
    pairs = zip(values.tolist(), known.tolist(), strict=True)
    return tuple(_rounded(value) if exists else None for value, exists in pairs)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _short(values: Tensor) -> tuple[float, ...]:
    """Four digits that count: of thousands of pixels, each has little."""
    numbers: Sequence[float] = values.double().tolist()
    return tuple(float(f"{value:.4g}") for value in numbers)
