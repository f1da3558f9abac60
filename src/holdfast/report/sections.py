"""The sections of an audit's report, from its findings. A section with nothing to show is left out."""

from collections.abc import Collection, Sequence

from holdfast.core.catalogue import KINDS
from holdfast.report.agreement import agreement
from holdfast.report.certificate import certificate_section
from holdfast.report.changes import BY, changes
from holdfast.report.confidence import confidence
from holdfast.report.importance import importance
from holdfast.report.modality import modality
from holdfast.report.models import models
from holdfast.report.page import Section, Table
from holdfast.report.probes import probed
from holdfast.report.repairs import repairs
from holdfast.report.texts import describe, heading
from holdfast.report.where import where
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement


def sections(findings: Findings) -> list[Section]:
    """Everything below the verdicts and the examples, top to bottom."""
    rows, own = ordered(findings), modality(findings.kind)
    made = (
        importance(rows),
        where(rows, own.unit),
        confidence(rows, findings.answer, own.confidence(rows)),
        models(rows),
        repairs(rows, findings.answer.worth),
        certificate_section(rows),
        agreement(rows, own.unit),
        changes(rows),
        probed(rows),
    )
    return [section for section in made if not section.empty]


def ordered(findings: Findings) -> list[Measurement]:
    """All measurements, families and explainers in the order of the verdicts; the others behind."""
    families = list(dict.fromkeys((row.data, row.model, row.repair) for row in findings.answer.rows))
    explainers = list(dict.fromkeys(row.explainer for row in findings.answer.rows))

    def place(row: Measurement) -> tuple[int, int]:
        family = families.index(row.family) if row.family in families else len(families)
        return family, explainers.index(row.explainer) if row.explainer in explainers else len(explainers)

    return sorted(findings.rows, key=place)


def glossary(rows: Sequence[Measurement], described: Collection[str] = KINDS) -> Table:
    """What each method that appears is, from its own docstring, of the kinds that are ``described``."""
    kinds = {
        "explainers": [r.explainer for r in rows],
        "comparisons": [r.comparison for r in rows],
        "repairs": [r.repair for r in rows],
        "probes": [r.probe for r in rows],
        "perturbations": [r.bin for r in rows if r.by == BY],
    }
    lines = [
        (heading(name), kind[:-1], said)
        for kind, names in kinds.items()
        if kind in described
        for name in dict.fromkeys(filter(None, names))
        if (said := describe(kind, name))
    ]
    return Table(("name", "kind", "what it is"), tuple(lines), "What the words mean: every method here")
