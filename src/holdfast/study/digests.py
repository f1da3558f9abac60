"""What identifies the data of a plan: their SHA-256, of the files or of the run that has them."""

from dataclasses import replace
from pathlib import Path

from holdfast.core.catalogue import make
from holdfast.core.errors import BadData, BadRun
from holdfast.core.settings import label
from holdfast.data.source import digest, load, reads
from holdfast.study.difference import difference
from holdfast.study.perturbing import check_changes
from holdfast.study.plan import Plan
from holdfast.study.preflight import preflight
from holdfast.study.store import Store
from holdfast.train.brought import check_repair


def with_digests(
    plan: Plan, data_dir: Path | None, fresh: bool = False, run: Path | str | None = None
) -> Plan:
    """The plan with the digests of its data: from here on another file is another plan.

    A model that cannot read its data, or that a repair cannot be used with, is refused before there is a run.
    ``fresh`` reads the data, tries to explain some and perturbs them too: what is wrong must show before an
    older run is removed; ``strict`` sources are read too, as a finished run would not read them again. Where
    files are not there, but the ``run`` of this very plan has the data, those are meant.
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
                made = make("repairs", repair)
                check_repair(own, made)
                made.teachers(own)
    pairs = [text.partition(" with ") for text in plan.without]
    plan = replace(
        plan,
        models=tuple(map(pinned, plan.models)),
        per_data=tuple(tuple(map(pinned, models)) for models in plan.per_data),
        without=tuple(f"{pinned(model)}{joint}{repair}" for model, joint, repair in pairs),
    )
    if datasets:
        preflight(plan, datasets)
        check_changes(plan, datasets, data_dir)
    return replace(plan, digests=digests)


def pinned(model: str) -> str:
    """The written form of a model as plans have it: its files, where it has some, by their SHA-256.

    >>> pinned("cnn:filters=8")
    'cnn:filters=8'
    """
    given = make("models", model)
    known = given.pinned()
    return model if known is given else label(known)


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
