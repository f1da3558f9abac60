"""The main job in one call: train many seeds, explain them, and say whether the explanations hold."""

import time
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any, Literal, Unpack

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
from holdfast.data.source import source_of
from holdfast.report.html import render
from holdfast.study.answer import Answer
from holdfast.study.command import audit_command, in_folder
from holdfast.study.digests import with_digests
from holdfast.study.engine import Listener
from holdfast.study.findings_file import read_findings
from holdfast.study.growth import holds
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.run import run_study, write_results
from holdfast.study.store import Store, locked_run
from holdfast.train.fit import Fit

RUNS = Path("holdfast-runs")


@dataclass(frozen=True)
class Audited:
    """What an audit answered, and the folder with the rest; ``more`` is what the run holds beyond what was
    asked, in a sentence."""

    run: Path
    answer: Answer
    seconds: float = field(compare=False)
    more: str = ""

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast audit --json``."""
        return self.answer.to_json() | {"run": str(self.run), "seconds": round(self.seconds, 3)}

    def __str__(self) -> str:
        return f"{self.answer.headline} {self.answer.do}".rstrip()

    def _repr_html_(self) -> str:
        headline, do = (escape(text) for text in (self.answer.headline, self.answer.do))
        return f"<p><strong>{headline}</strong> {do}</p>"


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
    train: Literal["head", "last", "all"] | None = None,
    checkpoints: Names = None,
    **settings: Unpack[Settings],
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
    """
    training = {name: value for name, value in settings.items() if name in Training.__annotations__}
    reading = {name: value for name, value in settings.items() if name not in training}
    overrides = Overrides(
        source=source_of(data, **reading),
        models=trained(methods("models", of_checkpoints(checkpoints, models)), train),
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
        answer = replace(found.answer, do=in_folder(found.answer.do, out))
        return Audited(run, answer, time.monotonic() - began, holds(found.notes))


def write_report(store: Store, listen: Listener = lambda stage, done, total: None) -> None:
    """Draw the report of what was found."""
    listen("drawing", 0, 1)
    store.keep("report.html", render(read_findings(store.folder)).encode())
    listen("drawing", 1, 1)
