"""The contract of a study, as checks: ``check_study(Yours())`` runs them all, and trains nothing."""

import json
import math
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdfast.core.prose import first_sentence
from holdfast.core.settings import label
from holdfast.measure.claims import CAME, NOT, OPEN, SMALL, Claim
from holdfast.report.html import render_page
from holdfast.report.page import Page, Section
from holdfast.studies.base import Study
from holdfast.study.answer import Answer, Members
from holdfast.study.command import study_command
from holdfast.study.findings import Findings
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import NOT_HAD, NOT_RUN, published_numbers

ANSWERS = (CAME, SMALL, NOT, OPEN)
QUICK = Overrides(quick=True)
OF_PLAN: dict[str, Any] = {"seeds": 3, "instances": 7, "repairs": ("aswa",), "device": "cuda"}
OF_FIT: dict[str, Any] = {"epochs": 2, "batch": 5}


def check_study(study: Study) -> None:
    """Run every check of the contract; an ``AssertionError`` names the promise that is broken.

    >>> from holdfast.studies.rollout import Rollout
    >>> check_study(Rollout())
    """
    for check in CHECKS:
        check(study)


def check_words(study: Study) -> None:
    """It has a name, a title, a reference with its year, and a first sentence of its own."""
    for name in ("name", "title", "document"):
        text = getattr(study, name)
        assert isinstance(text, str), f"expected {name} to be a text, but got {text!r}"
        assert text.strip(), f"{study.name}: expected a {name}, but it is empty"
    dated = re.search(r"\b(19|20)\d\d\b", study.document)
    assert dated, f"{study.name}: expected a reference with its year, but got '{study.document}'"
    assert label(study) == study.name, (
        f"expected the name of the class to give {study.name}, but it gives {label(study)}"
    )
    sentence = first_sentence(type(study).__doc__)
    # a dataclass without a docstring has its signature as one
    assert sentence.endswith((".", "?", "!")), f"{study.name}: expected a sentence, but got {sentence!r}"


def check_plan(study: Study) -> None:
    """The quick plan belongs to this study, meets its needs, and is the same each time and from JSON."""
    plan = study.plan(QUICK)
    assert isinstance(plan, Plan), f"{study.name}: expected a Plan, but got {type(plan).__name__}"
    assert plan.study == study.name, f"{study.name}: the plan is of the study '{plan.study}'"
    study.needs.check(plan)
    assert study.plan(QUICK) == plan, f"{study.name}: the same overrides give two plans"
    kept = Plan.from_json(json.loads(json.dumps(plan.to_json())))
    assert kept == plan, f"{study.name}: the plan changes when it is written and read back"


def check_overrides(study: Study) -> None:
    """What is overridden is in the plan, quick or not."""
    for quick in (QUICK, Overrides()):
        for name, wanted in (OF_PLAN | OF_FIT).items():
            plan = study.plan(replace(quick, **{name: wanted}))
            came = getattr(plan.fit if name in OF_FIT else plan, name)
            assert came == wanted, f"{study.name}: expected {name} to be {wanted}, but the plan has {came}"


def check_fit(study: Study) -> None:
    """``fit`` is how the study trains unless told otherwise; only a folded study has folds."""
    plan = study.plan(Overrides())
    for name in ("epochs", "batch", "patience", "optimiser"):
        came, declared = getattr(plan.fit, name), getattr(study.fit, name)
        assert came == declared, f"{study.name}: fit says {name} {declared}, but the plan has {came}"
    assert study.folded or not plan.folds, f"{study.name} has folds, but folded is False"


def check_command(study: Study) -> None:
    """The command of a plan parses, and its ``--data`` and ``--model`` give the plan's data and models."""
    for plan in (study.plan(QUICK), study.plan(Overrides())):
        data, models = study.written(plan)
        again = study.plan(Overrides(data=data, models=models, folds=plan.folds if study.folded else None))
        assert again.data == plan.data, f"{study.name}: --data {','.join(data)} gives other data"
        same = all(again.models_of(i) == plan.models_of(i) for i in range(len(plan.data)))
        assert same, f"{study.name}: --model {models} gives other models"
        given = _parsed(_command(study, plan))
        assert given["study"] == study.name, f"{study.name}: its command is of '{given['study']}'"


def check_nothing(study: Study) -> None:
    """Where nothing was trained, nothing is measured and nothing is shown."""
    assert study.measure([], lambda done, total: None) == [], (
        f"{study.name} measures something where nothing was trained"
    )
    assert study.pictures([]) == [], f"{study.name} shows images where nothing was trained"


def check_claims(study: Study, findings: Findings | None = None) -> None:
    """Claims follow from the findings alone, are the same from JSON, and have one of four answers: without a
    measurement none is decided."""
    findings = findings or without_rows(study)
    claims = study.claims(findings)
    assert list(claims) == list(study.claims(findings)), f"{study.name}: the same findings give other claims"
    for claim in claims:
        assert isinstance(claim, Claim), f"{study.name}: expected a Claim, but got {claim!r}"
        assert claim.answer in ANSWERS, f"{study.name}: '{claim.answer}' is not one of {ANSWERS}"
        decided = claim.answer != OPEN and not findings.rows
        assert not decided, f"{study.name}: '{claim.statement}' is decided without a measurement"
        kept = json.loads(json.dumps(claim.to_json(), allow_nan=False))
        assert Claim.from_json(kept) == claim, (
            f"{study.name}: '{claim.statement}' changes when it is written and read back"
        )
        line = study.line(claim)
        assert claim.answer in line, f"{study.name}: the line '{line}' does not say the answer"
        assert "\n" not in line, f"{study.name}: expected one line for a claim, but got {line!r}"


def check_published(study: Study, findings: Findings | None = None) -> None:
    """Every published number has its own place, and says "not run" where nothing was measured."""
    findings = findings or without_rows(study)
    places = []
    for number in study.published(findings):
        place = (number.table, number.row, number.column)
        assert all(place), f"{study.name}: expected a table, a row and a column, but got {place}"
        if number.measured is None or not findings.rows:
            measured, why = number.measured, number.note
            assert measured is None, f"{study.name}: {place} has {measured} without a measurement"
            assert why in (NOT_RUN, NOT_HAD), f"{study.name}: {place} says '{why}', not '{NOT_RUN}'"
        places.append(place)
    twice = {place for place in places if places.count(place) > 1}
    assert not twice, f"{study.name}: {sorted(twice)} published twice"
    _check_whole(study, [number.published for number in study.published(findings)])


def check_page(study: Study, findings: Findings | None = None) -> None:
    """There is a page, its figures have different names, and it renders."""
    findings = findings or without_rows(study)
    page = study.page(findings, study.claims(findings), study.published(findings))
    assert isinstance(page, Page), f"{study.name}: expected a Page, but got {page!r}"
    assert all(page.intro), f"{study.name}: expected sentences in the intro, but got {page.intro}"
    assert page.intro, f"{study.name}: expected an intro, but it is empty"
    assert page.sections, f"{study.name}: expected sections, but there are none"
    for section in page.sections:
        assert isinstance(section, Section), f"{study.name}: expected a Section, but got {section!r}"
    keys = [figure.key for section in page.sections for figure in section.figures]
    assert len(set(keys)) == len(keys), f"{study.name}: two figures share a name among {keys}"
    html = render_page(study.title, page.intro, page.sections, findings.notes, findings.command)
    assert "</html>" in html, f"{study.name}: the page is incomplete"


CHECKS: tuple[Callable[[Study], None], ...] = (
    check_words,
    check_plan,
    check_overrides,
    check_fit,
    check_command,
    check_nothing,
    check_claims,
    check_published,
    check_page,
)


NOTHING = Answer("undecided", (), "", "", "", None, (), {}, Members(0))


def without_rows(study: Study) -> Findings:
    """The findings of a run in which nothing was measured."""
    plan = study.plan(QUICK)
    return Findings(
        study.title, _command(study, plan), plan.to_json(), NOTHING, (), (), kind=study.needs.reads
    )


def _check_whole(study: Study, listed: list[float]) -> None:
    """Every number in the CSV files of the study's folder ``published`` is listed, of a p its logarithm."""
    left = Counter(round(value, 6) for value in listed)
    for folder in getattr(sys.modules.get(type(study).__module__), "__path__", ()):
        for file, column, value in published_numbers(Path(folder) / "published", study.described):
            logarithm = round(math.log10(value), 2) if value > 0 else None
            place = next((place for place in (round(value, 6), logarithm) if place in left), None)
            assert place is not None, f"{study.name}: {value} of {file}, {column} is not among the published"
            left = left - Counter([place])


def _command(study: Study, plan: Plan) -> str:
    return study_command(plan, *study.written(plan), study.fit, study.folded)


def _parsed(command: str) -> dict[str, Any]:
    """A command as the command line reads it."""
    from typer.main import get_command

    from holdfast.cli import app

    _, name, *words = shlex.split(command)
    return get_command(app).commands[name].make_context(name, words).params  # type: ignore[attr-defined,no-any-return]
