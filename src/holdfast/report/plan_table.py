"""The plan in a report: one setting per line."""

from dataclasses import fields

from holdfast.data.modality import modalities
from holdfast.data.source import Source
from holdfast.report.page import Table
from holdfast.report.texts import flat
from holdfast.study.findings import Findings


def plan_table(findings: Findings) -> Table:
    """Every setting, without the data options that do not apply to this modality."""
    known = modalities().get(findings.kind)
    unread = {field.name for field in fields(Source)} - set(known.reads if known is not None else ())
    lines = [line for line in flat(findings.plan) if not _is_option(line[0], unread)]
    return Table(("setting", "value"), tuple(lines), "The plan")


def _is_option(setting: str, options: set[str]) -> bool:
    first, _, last = setting.rpartition(".")
    return first.startswith("data.") and last in options
