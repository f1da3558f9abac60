"""Several runs of one study as one: their tables, claims of all of them together, figures and report.

Runs may differ in data, models, repairs and optimiser; a family stands in one of them. Models, and data,
may train for other epochs and in other batches than the rest, which is noted; a model trains alike on the
same data. Runs of another optimiser are judged by themselves, and figures name it with the data.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from holdfast.commands.plan import study_of
from holdfast.commands.reproduce import save_figures
from holdfast.core.errors import BadRun, BadSetting
from holdfast.core.files import write
from holdfast.core.settings import label, split_label
from holdfast.report.csvs import claims_csv, published_csv, read_published, rows_csv
from holdfast.report.html import render_page
from holdfast.study.findings import Findings, without_text
from holdfast.study.findings_file import read_findings
from holdfast.study.measurement import Measurement
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit

PUBLISHED = "published.csv"


def join(runs: Sequence[Path | str], out: Path | str, text: bool = True) -> Path:
    """Write the tables, figures and report of all runs to ``out``; without ``text`` no word of the data."""
    folders, out = [Path(run) for run in runs], Path(out)
    findings = [read_findings(folder) for folder in folders]
    findings = findings if text else [without_text(one) for one in findings]
    studies = {one.plan["study"] for one in findings}
    if len(studies) != 1 or "audit" in studies:
        raise BadSetting(f"expected runs of one study, but got {', '.join(sorted(studies))}")
    groups = _groups(folders, findings)
    study = study_of(studies.pop())
    plans = [Plan.from_json(group.plan) for group in groups]
    each = [study.claims(group) for group in groups]
    claims = [
        replace(claim, where=_with(claim.where, plan)) if place else claim
        for place, (some, plan) in enumerate(zip(each, plans, strict=True))
        for claim in some
    ]
    write(out / "claims.csv", _joined([claims_csv(some, p) for some, p in zip(each, plans, strict=True)]))
    write(out / "rows.csv", _joined([rows_csv(g.rows, p) for g, p in zip(groups, plans, strict=True)]))
    write(out / PUBLISHED, published_csv(study.published(groups[0])))
    write(out / "plans.json", json.dumps([one.plan for one in findings], indent=1, sort_keys=True).encode())
    whole = _whole(groups, plans)
    page = study.page(whole, claims, read_published(out / PUBLISHED))
    notes = (*whole.notes, *_settings(findings), *save_figures(page.sections, out)[1])
    html = render_page(study.title, page.intro, page.sections, notes, whole.command)
    write(out / "report.html", html.encode())
    return out / "report.html"


def _groups(runs: Sequence[Path], findings: Sequence[Findings]) -> list[Findings]:
    """The runs of one way to train, as one; those with Adam first, as documents print it."""
    by_fit: dict[str, list[tuple[Path, Findings]]] = {}
    for run, one in zip(runs, findings, strict=True):
        by_fit.setdefault(one.plan["fit"]["optimiser"], []).append((run, one))
    for some in by_fit.values():
        _alike(some)
        _once(some)
    ordered = sorted(by_fit, key=lambda optimiser: split_label(optimiser)[0] != "adam")
    return [_one([one for _, one in by_fit[optimiser]]) for optimiser in ordered]


def _alike(some: Sequence[tuple[Path, Findings]]) -> None:
    """Refuse a model that two runs train on the same data, but not alike."""
    trained: dict[tuple[str, str], tuple[Path, object]] = {}
    for run, findings in some:
        for where in {(row.data, row.model) for row in findings.rows if row.model}:
            other, fit = trained.setdefault(where, (run, findings.plan["fit"]))
            if fit != findings.plan["fit"]:
                raise BadRun(
                    f"{run} and {other} both train {where[1]} on {where[0]}, but with different settings"
                )


def _settings(findings: Sequence[Findings]) -> list[str]:
    """What trained for how long and in which batches, where not all did alike."""
    by_fit: dict[Fit, dict[str, None]] = {}
    for one in findings:
        fit = Plan.from_json(one.plan).fit
        models = {f"{row.model} on {row.data}": None for row in one.rows if row.model}
        by_fit.setdefault(fit, {}).update(models)
    return [
        f"At most {fit.epochs} epochs, batches of {fit.batch}, {fit.patience} epochs without a better score, "
        f"{label(fit.optimiser)}: {', '.join(models)}."
        for fit, models in by_fit.items()
        if len(by_fit) > 1
    ]


def _once(some: Sequence[tuple[Path, Findings]]) -> None:
    """Refuse a family that two runs have, and data that are not the same in two runs."""
    where: dict[tuple[str, ...], Path] = {}
    digests: dict[str, tuple[str, Path]] = {}
    for run, findings in some:
        for family in {(row.data, row.model, row.repair) for row in findings.rows}:
            if family in where:
                raise BadRun(f"{run} and {where[family]} both have {', '.join(family)}: give one of them")
            where[family] = run
        for source, digest in zip(findings.plan["data"], findings.plan["digests"], strict=True):
            other = digests.setdefault(source["data"], (digest, run))
            if other[0] != digest:
                raise BadRun(f"{run} and {other[1]} have different data under the name {source['data']}")


def _one(findings: Sequence[Findings]) -> Findings:
    return replace(
        findings[0],
        command="\n".join(one.command for one in findings),
        rows=tuple(row for one in findings for row in one.rows),
        examples=tuple(example for one in findings for example in one.examples),
        notes=tuple(dict.fromkeys(note for one in findings for note in one.notes)),
        pictures=tuple(picture for one in findings for picture in one.pictures),
    )


def _whole(groups: Sequence[Findings], plans: Sequence[Plan]) -> Findings:
    """All together, as figures show them."""
    named = [
        replace(group, rows=tuple(_named(row, plan) if place else row for row in group.rows))
        for place, (group, plan) in enumerate(zip(groups, plans, strict=True))
    ]
    return _one(named)


def _named(row: Measurement, plan: Plan) -> Measurement:
    return replace(row, data=_with(row.data, plan))


def _with(name: str, plan: Plan) -> str:
    return f"{name} ({label(plan.fit.optimiser)})"


def _joined(files: Sequence[bytes]) -> bytes:
    """One file under one heading."""
    rest = [file.split(b"\n", 1)[1] for file in files[1:]]
    return b"".join([files[0], *rest])
