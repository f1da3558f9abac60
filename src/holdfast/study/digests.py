"""What identifies the data of a plan: their SHA-256, of the files or of the run that has them."""

from dataclasses import replace
from pathlib import Path

from holdfast.core.catalogue import make
from holdfast.core.errors import BadData, BadRun
from holdfast.core.settings import label
from holdfast.data.source import digest, load, reads
from holdfast.study.plan import Plan
from holdfast.study.preflight import preflight
from holdfast.study.run_plan import difference
from holdfast.study.store import Store


def with_digests(
    plan: Plan, data_dir: Path | None, fresh: bool = False, run: Path | str | None = None
) -> Plan:
    """The plan with the digests of its data: from here on another file is another plan.

    A model that cannot read its data, or that a repair cannot be used with, is refused before there is a run.
    ``fresh`` reads the data and tries to explain some too: what is wrong must show before an older run is
    removed; ``strict`` sources are read too, as a finished run would not read them again. Where files are not
    there, but the ``run`` of this very plan has the data, those are meant.
    """
    read = [load(source, data_dir) for source in plan.data if fresh or source.strict]
    datasets = read if fresh else []
    try:
        digests = tuple(digest(source, data_dir) for source in plan.data)
    except BadData:
        kept = None if fresh or run is None else digests_of(Path(run), plan)
        if kept is None:
            raise
        digests = kept
    for number, source in enumerate(plan.data):
        for model in plan.models_of(number):
            own = make("models", model)
            own.check_kind(reads(source))
            for repair in plan.repairs_of(model):
                make("repairs", repair).teachers(own)
    plan = replace(plan, models=_pinned(plan.models), per_data=tuple(map(_pinned, plan.per_data)))
    if datasets:
        preflight(plan, datasets)
    return replace(plan, digests=digests)


def _pinned(models: tuple[str, ...]) -> tuple[str, ...]:
    """Models that have files, with the SHA-256 of these."""
    architectures = [(model, make("models", model)) for model in models]
    pinned = [(model, one, one.pinned()) for model, one in architectures]
    return tuple(model if new is one else label(new) for model, one, new in pinned)


def digests_of(run: Path, plan: Plan) -> tuple[str, ...] | None:
    """The digests of a run's own data; None unless it follows this plan and its data are as they were
    written."""
    store = Store(run)
    try:
        digests = store.plan.digests
    except BadRun:
        return None
    same = difference(store.plan, replace(plan, digests=digests)) is None
    sound = all(store.sound(store.data(number).name) for number in range(len(plan.data)))
    return digests if same and sound else None
