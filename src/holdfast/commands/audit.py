"""The main job in one call: train many seeds, explain them, and say whether the explanations hold."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from holdfast.core.admit import admit_all
from holdfast.data.source import Source
from holdfast.report.html import render
from holdfast.study.command import audit_command
from holdfast.study.engine import Listener
from holdfast.study.plan import Plan, defaults_for, infer_modality
from holdfast.study.run import read_findings, run_study, with_digests
from holdfast.study.store import Store, locked_run
from holdfast.train.fit import Fit

RUNS = Path("holdfast-runs")
Methods = Any | Sequence[Any]  # one or several, each a written form or an object


@dataclass(frozen=True)
class Audited:
    """What an audit answered: ``verdict`` is the answer in plain values, ``run`` the folder with the rest."""

    run: Path
    verdict: dict[str, Any]
    seconds: float = field(compare=False)

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast audit --json``."""
        return self.verdict | {"run": str(self.run), "seconds": round(self.seconds, 3)}

    def __str__(self) -> str:
        return str(self.verdict["reason"])

    def _repr_html_(self) -> str:
        word, reason = (escape(str(self.verdict[key])) for key in ("verdict", "reason"))
        return f"<p><strong>{word}</strong>. {reason}</p>"


def audit(
    data: str | Source = "planted",
    model: Methods | None = None,
    repair: Methods = "none",
    seeds: int = 10,
    explainer: Methods | None = None,
    comparison: Methods | None = None,
    fit: Fit | None = None,
    instances: int | None = 200,
    device: str = "cpu",
    out: Path | str | None = None,
    fresh: bool = False,
    data_dir: Path | str | None = None,
    listen: Listener = lambda stage, done, total: None,
) -> Audited:
    """Train ``seeds`` models, explain the same examples with each, and judge whether the explanations agree.

    The same call again resumes, or answers at once. ``data`` is a name, a file, or a :class:`Source` that
    also names columns. Model, explainers and comparisons are those that suit the data unless they are given:
    by name (``"cnn:filters=8"``), as ``package.module:Class`` or ``./file.py:Class``, or as objects.
    """
    models = None if model is None else admit_all("models", model)
    source = infer_modality(Source(data) if isinstance(data, str) else data, models)
    common = defaults_for(source, models)
    plan = Plan(
        data=(source,),
        models=common.models,
        repairs=admit_all("repairs", repair),
        seeds=seeds,
        explainers=admit_all("explainers", explainer or common.explainers),
        comparisons=admit_all("comparisons", comparison or common.comparisons),
        fit=fit or common.fit,
        instances=instances,
        device=device,
    )
    return carry_out(plan, out, fresh, data_dir, listen=listen)


def carry_out(
    plan: Plan,
    out: Path | str | None = None,
    fresh: bool = False,
    data_dir: Path | str | None = None,
    workers: int | None = None,
    listen: Listener = lambda stage, done, total: None,
) -> Audited:
    """Carry out an audit's plan in its folder, and write its report."""
    began = time.monotonic()
    folder = None if data_dir is None else Path(data_dir)
    plan = with_digests(plan, folder, fresh)
    run = Path(out) if out is not None else RUNS / plan.name
    with locked_run(run, plan, fresh) as store:
        if not store.finished():
            run_study(plan, store, audit_command(plan), folder, workers, listen)
            write_report(store, listen)
        return Audited(run, read_findings(run).verdict, time.monotonic() - began)


def write_report(store: Store, listen: Listener = lambda stage, done, total: None) -> None:
    """Draw the report of what was found."""
    listen("drawing", 0, 1)
    store.keep("report.html", render(read_findings(store.folder)).encode())
    listen("drawing", 1, 1)
