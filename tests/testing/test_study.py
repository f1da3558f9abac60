"""The suite passes every study and the sketch of the docs, and catches each broken promise."""

import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import holdfast.studies
from holdfast.commands.report import report
from holdfast.commands.reproduce import command_of, reproduce_study
from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadSetting, UnknownName
from holdfast.measure.claims import Claim
from holdfast.measure.reduce import Interval
from holdfast.report.charts.base import Figure, table
from holdfast.report.page import Page, Section
from holdfast.studies.base import Study
from holdfast.study.needs import Needs
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.testing import study as suite
from holdfast.testing.study import CHECKS, check_claims, check_published, check_study, without_rows
from holdfast.train.fit import Fit
from tests.study.relevance_rows import cosine_rows
from tests.study.rollout_made import made_rows
from tests.study.seeds import family
from tests.study.tiny import DATA, here

PAGE = Path(__file__).parents[2] / "docs" / "add-a-study.md"
SKETCH = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)[0]
FIRST, OTHER = Interval(0.3, 0.2, 0.4, 3), Interval(float("nan"), None, None, 3)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", catalogue("studies"))
def test_every_study_keeps_the_contract(name, check):
    check(make("studies", name))


MADE = {
    "relevance": cosine_rows,
    "rollout": lambda: made_rows(seeds=4),
    "seed-stability": lambda: [*family(), *family(repair="aswa", kl=0.1)],
}


@pytest.mark.parametrize("name", MADE)
def test_studies_keep_it_with_measurements_too(name):
    study = make("studies", name)
    findings = replace(without_rows(study), rows=tuple(MADE[name]()))
    assert any(one.measured is not None for one in study.published(findings))
    check_claims(study, findings)
    check_published(study, findings)


def outside() -> Study:
    """The study of the docs, of no package."""
    space: dict[str, Any] = {"__name__": "outside"}
    exec(compile(SKETCH, str(PAGE), "exec"), space)
    return space["Sketch"]()


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Iterator[Path]:
    """The study of the docs as one more folder among the studies."""
    (tmp_path / "studies" / "sketch").mkdir(parents=True)
    (tmp_path / "studies" / "sketch" / "__init__.py").write_text(SKETCH, "utf-8")
    monkeypatch.setattr(holdfast.studies, "__path__", [*holdfast.studies.__path__, str(tmp_path / "studies")])
    importlib.invalidate_caches()
    catalogue.cache_clear()
    yield tmp_path
    del sys.modules["holdfast.studies.sketch"], holdfast.studies.sketch
    catalogue.cache_clear()


def test_a_study_outside_the_package_is_checked_and_judged():
    study = outside()
    check_study(study)
    found = without_rows(study)
    assert (study.claims(found), [one.note for one in study.published(found)]) == ([], ["not run"])
    with pytest.raises(UnknownName, match="sketch"):  # what reads a run knows the studies of the catalogue
        reproduce_study(study.plan(Overrides(quick=True)))


def test_one_folder_is_a_whole_study(folder):
    assert "sketch" in catalogue("studies")
    plan = make("studies", "sketch").plan(Overrides(data=[DATA], seeds=2, epochs=1, instances=8))
    assert command_of(plan).startswith(f"holdfast reproduce sketch --data {DATA} --model average")
    with here():
        answer = reproduce_study(plan, folder / "run")
    assert [line.partition(" (")[0] for line in answer.lines[:1]] == [
        "not decided: averages of words learn the task"
    ]
    before = (folder / "run" / "report.html").read_bytes()
    assert report(folder / "run").read_bytes() == before


def test_a_published_number_that_is_not_listed_is_caught(folder):
    (tables := folder / "studies" / "sketch" / "published").mkdir()
    (tables / "table_1.csv").write_text("data,model,seeds,accuracy\nplanted,average,3,90.0\n", "utf-8")
    study = make("studies", "sketch")
    with pytest.raises(
        AssertionError, match=r"sketch: 3\.0 of table_1\.csv, seeds is not among the published"
    ):
        check_published(study)
    described = type(
        "Sketch", (type(study),), {"described": ("seeds",), "__module__": type(study).__module__}
    )
    check_published(described())
    (tables / "table_1.csv").write_text("data,accuracy\nplanted,90.0 ± 2.5\n", "utf-8")
    with pytest.raises(AssertionError, match=r"sketch: 2\.5 of table_1\.csv, accuracy is not among"):
        check_published(study)


def claim(measured: Interval = FIRST, p: float | None = None) -> Claim:
    return Claim("it learns", "planted", "yes", measured, p, p, p, p)


def number(row: str = "a", measured: float | None = None, note: str = "") -> Published:
    return Published("1", row, "accuracy", 90.0, measured, None, None, 0, note)


class Uncertain(Claim):
    answer = "perhaps"


CALLS: list[int] = []


def planned(**changes: Any) -> Any:
    """A plan with a change that nobody asked for."""
    return lambda self, overrides: replace(outside().plan(overrides), **changes)


def trained(self: Study, overrides: Overrides) -> Plan:
    plan = outside().plan(overrides)
    return replace(plan, fit=replace(plan.fit, epochs=7))


def counting(self: Study, overrides: Overrides) -> Plan:
    CALLS.append(1)
    return replace(outside().plan(overrides), instances=len(CALLS))


def shown(intro: tuple[str, ...] = ("One sentence.",), sections: tuple[Any, ...] = (Section("One"),)) -> Any:
    """A page with something else in it."""
    return lambda self, *about: Page(intro, sections)


FIGURE = Figure("one", "One", "", "paths", table("paths", []))


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no title": ({"title": " "}, "sketch: expected a title, but it is empty"),
    "no document": ({"document": None}, "expected document to be a text, but got None"),
    "no year": ({"document": "Nobody ch. 1"}, "expected a reference with its year, but got 'Nobody ch. 1'"),
    "no sentence": ({"__doc__": "Sketch()"}, "sketch: expected a sentence, but got 'Sketch()'"),
    "no plan": ({"plan": lambda self, overrides: None}, "sketch: expected a Plan, but got NoneType"),
    "plan of another": ({"plan": planned(study="audit")}, "sketch: the plan is of the study 'audit'"),
    "plan by the call": ({"plan": counting}, "sketch: the same overrides give two plans"),
    "unread plan": ({"plan": planned(digests=["0"])}, "the plan changes when it is written and read back"),
    "own seeds": ({"plan": planned(seeds=4)}, "sketch: expected seeds to be 3, but the plan has 4"),
    "own epochs": ({"plan": trained}, "sketch: expected epochs to be 2, but the plan has 7"),
    "another fit": ({"plan": planned(), "fit": Fit(epochs=5, batch=9)}, "fit says batch 9, but the plan"),
    "folds": ({"plan": planned(folds=2)}, "sketch has folds, but folded is False"),
    "data": ({"written": lambda self, plan: (["imdb"], None)}, "sketch: --data imdb gives other data"),
    "models": ({"written": lambda self, plan: ([plan.data[0].data], ["cnn"])}, "gives other models"),
    "measures": ({"measure": lambda self, *_: [1]}, "sketch measures something where nothing was trained"),
    "pictures": ({"pictures": lambda self, _: [1]}, "sketch shows images where nothing was trained"),
    "claims by the call": ({"claims": lambda self, findings: [object()]}, "findings give other claims"),
    "no answer": ({"claims": lambda self, findings: ["yes"]}, "sketch: expected a Claim, but got 'yes'"),
    "no verdict": (
        {"claims": lambda self, findings: [Uncertain("it learns", "planted", "yes", FIRST, None, None)]},
        "sketch: 'perhaps' is not one of",
    ),
    "decided": ({"claims": lambda self, findings: [claim(p=0.0)]}, "is decided without a measurement"),
    "two lines": (
        {"claims": lambda self, findings: [claim()], "line": lambda self, claim: "not decided\n"},
        "sketch: expected one line for a claim",
    ),
    "no word": (
        {"claims": lambda self, findings: [claim()], "line": lambda self, claim: "yes"},
        "sketch: the line 'yes' does not say the answer",
    ),
    "no row": ({"published": lambda self, findings: [number("")]}, "expected a table, a row and a column"),
    "measured": ({"published": lambda self, findings: [number(measured=1.0)]}, "has 1.0 without"),
    "other note": ({"published": lambda self, findings: [number(note="later")]}, "says 'later', not"),
    "number twice": ({"published": lambda self, findings: [number(), number()]}, "published twice"),
    "no page": ({"page": lambda self, *about: "yes"}, "sketch: expected a Page, but got 'yes'"),
    "no intro": ({"page": shown(intro=())}, "sketch: expected an intro, but it is empty"),
    "empty intro": ({"page": shown(intro=("",))}, "sketch: expected sentences in the intro"),
    "no sections": ({"page": shown(sections=())}, "sketch: expected sections, but there are none"),
    "no section": ({"page": shown(sections=("one",))}, "sketch: expected a Section, but got 'one'"),
    "figure twice": (
        {"page": shown(sections=(Section("Two", figures=[FIGURE, FIGURE]),))},
        "sketch: two figures share a name among",
    ),
}  # fmt: skip


def broken(**changes: Any) -> Study:
    """The sketch with a promise broken."""
    cls = type(outside())
    return type("Broken", (cls,), {"name": "sketch", "__doc__": cls.__doc__} | changes)()


def test_the_sketch_with_nothing_changed_passes():
    check_study(broken())


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_promise_is_caught(how):
    changes, sentence = BROKEN[how]
    with pytest.raises(AssertionError, match=re.escape(sentence)):
        check_study(broken(**changes))


def test_data_that_a_study_cannot_read_are_refused():
    with pytest.raises(BadSetting, match="expected an image data set"):
        check_study(broken(needs=Needs("image")))


def test_claims_that_json_cannot_hold_are_caught():
    with pytest.raises(ValueError, match="not JSON compliant"):
        check_claims(broken(claims=lambda self, findings: [claim(OTHER)]))


def test_a_command_that_does_not_parse_is_caught(monkeypatch):
    monkeypatch.setattr(suite, "study_command", lambda *about: "holdfast reproduce another")
    with pytest.raises(AssertionError, match="sketch: its command is of 'another'"):
        check_study(outside())
