"""What was found, in the files of a run: ``results.parquet``, ``verdict.json`` and ``findings.json``."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from holdfast.core.files import read_json, write_json
from holdfast.data.source import reads
from holdfast.study.answer import Answer
from holdfast.study.findings import Example, Findings, Heat
from holdfast.study.measurement import read_measurements, write_measurements
from holdfast.study.picture import picture_from_json, picture_to_json
from holdfast.study.store import Store


def write_findings(store: Store, findings: Findings, whole: bool = False) -> None:
    """Write the table, the verdict and everything else that a report shows; what the run's plan tells of it
    only if the ``whole`` is wanted."""
    table = store.folder / "results.parquet"
    store.enter({table.name: write_measurements(table, list(findings.rows))})
    store.enter({"verdict.json": write_json(store.folder / "verdict.json", findings.answer.to_json())})
    rest: dict[str, Any] = {
        "title": findings.title,
        "command": findings.command,
        "notes": list(findings.notes),
        "examples": [asdict(one) for one in findings.examples],
        "pictures": [picture_to_json(one) for one in findings.pictures],
    }
    rest |= {"plan": findings.plan, "kind": findings.kind} if whole else {}
    store.keep("findings.json", json.dumps(rest, ensure_ascii=False, allow_nan=False).encode())


def read_findings(folder: Path) -> Findings:
    """Read back what :func:`write_findings` wrote."""
    store = Store(folder)
    store.check("findings.json", "verdict.json", "results.parquet")
    rest = read_json(folder / "findings.json")
    return Findings(
        title=rest["title"],
        command=rest["command"],
        plan=rest["plan"] if "plan" in rest else store.plan.to_json(),
        answer=Answer.from_json(read_json(folder / "verdict.json")),
        rows=tuple(read_measurements(folder / "results.parquet")),
        examples=tuple(_example(one) for one in rest["examples"]),
        notes=tuple(rest["notes"]),
        pictures=tuple(picture_from_json(one) for one in rest.get("pictures", [])),
        kind=rest["kind"] if "kind" in rest else reads(store.plan.data[0]),
    )


def _example(values: dict[str, Any]) -> Example:
    heats = tuple(
        Heat(**(heat | {"scores": tuple(map(tuple, heat["scores"])), "consensus": tuple(heat["consensus"])}))
        for heat in values["heats"]
    )
    plain: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
    return Example(**(plain | {"heats": heats}))
