"""Probes over a family of a study: how far predictions drop without what explanations point at."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.errors import WRONG, Failed, HoldfastError
from holdfast.measure.matters import Matters, matters
from holdfast.measure.probes.base import MapProbe, Probe
from holdfast.measure.probes.drops import Drops, drops
from holdfast.measure.reduce import Interval, mean_over_members, over_instances
from holdfast.study.attending import map_rows
from holdfast.study.measurement import Measurement
from holdfast.study.modality import modality
from holdfast.study.result import FamilyResult, family_of

Advance = Callable[[float], None]


class Probed(NamedTuple):
    """Rows of probes, and why others could not be run."""

    rows: list[Measurement]
    failed: dict[str, str]


def dropped(
    family: FamilyResult,
    probe: Probe,
    explainers: Sequence[str],
    advance: Advance = lambda share: None,
    alone: bool = True,
) -> Drops:
    """How far every member's prediction of each explained row drops: in the order of these explainers, in
    random order and, where it is asked for, in that of what each part is worth ``alone``."""
    split, trained = family.dataset.splits["test"], family_of(family)
    explanations = {name: family.explanations[name] for name in explainers}
    return drops(
        trained, probe, split, family.rows, family.target, explanations, advance=advance, alone=alone
    )


def matters_of(family: FamilyResult, advance: Advance = lambda share: None) -> dict[str, Matters | None]:
    """Whether what each explainer points at matters to the model, by the probe that suits the inputs."""
    names = tuple(name for name in family.explanations if name != "random")
    measured = dropped(family, make("probes", modality(family.dataset.task.kind).probe), names, advance)
    best = measured.random if measured.alone is None else measured.alone
    return {name: matters(measured.by[name], measured.random, best) for name in names}


def probe_rows(family: FamilyResult, probes: Sequence[str], row: Callable[..., Measurement]) -> Probed:
    """What each probe measures of a family; ``row`` makes a row of its table. One that fails is named, and
    the others go on."""
    rows, failed = list[Measurement](), dict[str, str]()
    for text in probes:
        try:
            rows += _rows(family, text, row)
        except (HoldfastError, *WRONG) as error:
            failed[text] = f"{type(error).__name__}: {error}"
    return Probed(rows, failed)


def _rows(family: FamilyResult, text: str, row: Callable[..., Measurement]) -> Iterator[Measurement]:
    probe = make("probes", text)
    if isinstance(probe, MapProbe):
        yield from map_rows(family, probe, row)
        return
    found = dropped(family, probe, tuple(family.explanations))
    if not all(bool(table.isfinite().all()) for table in (*found.by.values(), found.random)):
        raise Failed("its curves are not all finite numbers")
    sign = 1.0 if probe.higher_is_better else -1.0
    yield row("drop_random", _mean(found.random).within(*probe.bounds), probe=text)
    for name, table in found.unflipped.items():
        yield row("drop_unflipped", _mean(table), explainer=name, probe=text)
    if found.alone is not None:
        yield row("drop_leave_one_out", _mean(found.alone).within(*probe.bounds), probe=text)
    for name in family.explanations:
        own = found.by[name]
        yield row("drop", _mean(own).within(*probe.bounds), explainer=name, probe=text)
        yield row("drop_gain", _mean(sign * (own - found.random)), explainer=name, probe=text)
        alone = found.alone
        measured = None if alone is None else matters(sign * own, sign * found.random, sign * alone)
        if measured is not None:
            yield row("drop_share", measured.share, explainer=name, probe=text)


def _mean(table: Float[Tensor, "M K"]) -> Interval:
    return mean_over_members(over_instances(table))
