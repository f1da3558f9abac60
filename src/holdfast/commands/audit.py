"""The main job in one call: train many seeds, explain them, and say whether the explanations hold."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

from holdfast.commands.audited import RUNS, Audited, write_report
from holdfast.commands.checkpoints import of_checkpoints, trained
from holdfast.commands.plan import (
    AUDIT,
    AUTO,
    Folder,
    Methods,
    Names,
    Settings,
    Training,
    build_plan,
    methods,
)
from holdfast.commands.recipe import NAMES, Functions, audit_recipe, refuse
from holdfast.data.source import source_of
from holdfast.study.command import audit_command, in_folder
from holdfast.study.digests import with_digests
from holdfast.study.engine import Listener
from holdfast.study.findings_file import read_findings
from holdfast.study.growth import holds
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.run import run_study, write_results
from holdfast.study.store import locked_run
from holdfast.train.fit import Fit


class Asked(Settings, Functions, total=False):
    """What may be said of an audit by name."""


def audit(
    data: Any = "planted",
    models: Methods = None,
    repairs: Methods = None,
    seeds: int | None = None,
    explainers: Methods = None,
    comparisons: Methods = None,
    probes: Methods = None,
    perturb: Methods = None,
    fit: Fit | None = None,
    instances: int | None = 200,
    device: str = AUTO,
    out: Folder = None,
    fresh: bool = False,
    data_dir: Folder = None,
    vectors: str | None = AUTO,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
    train: Literal["head", "last", "all"] | Callable[[int], Any] | None = None,
    checkpoints: Names = None,
    **settings: Unpack[Asked],
) -> Audited:
    """Train ``seeds`` models (10, or all that come from files), explain the same examples with each, and
    judge whether the explanations agree.

    The same call again resumes, or answers at once. ``data`` is a name, a file, a :class:`Source`, a data
    frame (pandas, polars, Arrow) or columns by name (``{"text": [...], "label": [...]}``); what there is to
    say of it is given by name, as :class:`Source` has it (``text="review", label="stars"``). What is not said
    is as ``holdfast audit`` has it: models, explainers and training that suit the data, GloVe where it is
    installed, a GPU where there is one. Names may be written in one text (``"none,aswa"``); a method of your
    own is an object, ``package.module:Class`` or ``./file.py:Class``. ``perturb`` names changes of the input
    that explanations should survive; each costs as much as the explanations themselves. ``train`` says how
    much of a checkpoint is fine-tuned: its head, the last layer too, or all. ``checkpoints`` are folders of
    classifiers that are fine-tuned already: each is a member, and nothing is trained. Settings of the
    training are given one by one (``epochs=5``) or whole, as ``fit``.

    Anything else that can be trained again is audited by a recipe: ``train(seed)``, ``predict(model,
    inputs)`` and ``explain(model, inputs, target)``, and as far as there are such, ``remove``, ``untrained``,
    ``save`` and ``load``, or ``recipe="./mine.py:recipe"``. ``data`` are then ``(inputs, labels)`` or a
    mapping with them.
    """
    functions = {name: value for name, value in settings.items() if name in NAMES and value is not None}
    part = train if isinstance(train, str) else None
    if part is None and train is not None:
        functions = {"train": train} | functions
    if functions:
        own = {"models": models, "repairs": repairs, "explainers": explainers, "comparisons": comparisons}
        own |= {"probes": probes, "perturb": perturb, "fit": fit, "data_dir": data_dir}
        own |= {"train": part, "checkpoints": checkpoints}
        own |= {
            name: None if value == AUTO else value
            for name, value in (("device", device), ("vectors", vectors))
        }
        refuse(own | {name: value or None for name, value in settings.items() if name not in NAMES})
        rows = None if isinstance(data, str) and data == "planted" else data
        count = 10 if seeds is None else seeds
        return audit_recipe(functions, rows, count, instances, out, fresh, workers, listen)
    training = {name: value for name, value in settings.items() if name in Training.__annotations__}
    reading = {name: value for name, value in settings.items() if name not in (*training, *NAMES)}
    overrides = Overrides(
        source=source_of(data, **reading),
        models=trained(methods("models", of_checkpoints(checkpoints, models)), part),
        repairs=methods("repairs", repairs),
        explainers=methods("explainers", explainers),
        comparisons=methods("comparisons", comparisons),
        probes=methods("probes", probes),
        perturbations=methods("perturbations", perturb),
        seeds=seeds,
        instances=instances,
        device=device,
        base=fit,
        **training,  # type: ignore[arg-type]
    )
    plan = build_plan(AUDIT, overrides, vectors, data_dir)
    return carry_out(plan, out, fresh, data_dir, workers, listen)


def carry_out(
    plan: Plan,
    out: Folder = None,
    fresh: bool = False,
    data_dir: Folder = None,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
) -> Audited:
    """Carry out an audit's plan in its folder, and write its report."""
    began = time.monotonic()
    folder = None if data_dir is None else Path(data_dir)
    plan = with_digests(plan, folder, fresh, out)
    run = Path(out) if out is not None else RUNS / plan.name
    with locked_run(run, plan, fresh) as store:
        if not (store.follows(plan) and store.finished()):
            families = run_study(plan, store, folder, workers, listen)
            write_results(plan, store, audit_command(plan), families, listen)
            write_report(store, listen)
        found = read_findings(run)
        answer = replace(found.answer, do=in_folder(found.answer.do, out, plan.data[0].data))
        return Audited(run, answer, time.monotonic() - began, holds(found.notes))
