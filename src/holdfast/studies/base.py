"""The contract of a study: one document, re-run. A study is one folder; its ``__init__`` holds its class."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from holdfast.measure.claims import Claim
from holdfast.report.claims import claim_line
from holdfast.report.page import Page
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.needs import Needs
from holdfast.study.overrides import Overrides
from holdfast.study.picture import Picture
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.study.result import FamilyResult
from holdfast.train.fit import Fit

Pair = tuple[str, tuple[str, ...]]
Listener = Callable[[int, int], None]


class Study(ABC):
    """What is trained, what is measured beyond an audit, which claims follow, and the page.

    The first sentence of its docstring says what is re-run, ``document`` is the reference, ``needs`` says
    what it can measure; ``fit`` is its own training, ``folded`` says that it has folds, and ``described``
    names the columns of its published tables that hold no result of the document. Claims and
    published numbers follow from the findings alone, so that a report can be made again wherever the
    results are.
    """

    name: ClassVar[str]
    document: ClassVar[str]
    title: ClassVar[str]
    needs: ClassVar[Needs]
    fit: ClassVar[Fit] = Fit()
    folded: ClassVar[bool] = False
    described: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def plan(self, overrides: Overrides) -> Plan:
        """The plan; what is not overridden is as the study does it."""

    @abstractmethod
    def measure(self, families: Sequence[FamilyResult], listen: Listener) -> list[Measurement]:
        """What this study measures beyond every audit; ``listen`` hears how many families are done, of how
        many (:func:`heard`)."""

    @abstractmethod
    def claims(self, findings: Findings) -> Sequence[Claim]:
        """What the document claims, and whether it came out."""

    @abstractmethod
    def published(self, findings: Findings) -> list[Published]:
        """Every published number, with ours."""

    @abstractmethod
    def page(self, findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
        """What came out and how it is judged, then every table and figure."""

    def shown(self, families: Sequence[FamilyResult]) -> Sequence[FamilyResult]:
        """The families that are measured, judged and shown (all by default); others were only trained."""
        return families

    def pictures(self, families: Sequence[FamilyResult]) -> list[Picture]:
        """Heat maps of images to show (none by default)."""
        return []

    def line(self, claim: Claim) -> str:
        """One claim for a terminal."""
        return claim_line(claim)

    def written(self, plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
        """Which ``--data`` and ``--model`` (None: the study's own) give a plan's data and models."""
        return [source.data for source in plan.data], plan.models


def heard(families: Sequence[FamilyResult], listen: Listener) -> Iterator[FamilyResult]:
    """The families one after the other; ``listen`` hears how many are done."""
    for number, family in enumerate(families):
        listen(number, len(families))
        yield family
    listen(len(families), len(families))


def shortest(
    plan: Plan, short: Sequence[str], pairs_of: Callable[[str, Sequence[str] | None], list[Pair]]
) -> tuple[Sequence[str], Sequence[str] | None]:
    """The shortest ``--data`` and ``--model`` that give a plan's data and models: by the names ``short`` and
    the study's own models where that is the same. ``pairs_of`` says which data a name stands for, and which
    models (those given, or None: the study's own) are trained on each."""
    written = tuple(source.data for source in plan.data)
    wanted = [(name, plan.models_of(number)) for number, name in enumerate(written)]
    for names in (short, written):
        for models in (None, plan.models):
            if [pair for name in names for pair in pairs_of(name, models)] == wanted:
                return names, models
    return written, plan.models
