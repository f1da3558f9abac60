"""Probes of an audit: each modality, the scale of leave-one-out, and what fails."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from holdfast.core.admit import admit
from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.data.base import Dataset
from holdfast.data.source import Source
from holdfast.measure.matters import matters
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.study import probing
from holdfast.study.explain import load_family
from holdfast.study.measure import Measurer
from holdfast.study.modality import modality
from holdfast.study.plan import Plan
from holdfast.study.preflight import preflight
from holdfast.study.probing import dropped, probe_rows
from holdfast.study.result import FamilyResult, load
from holdfast.train.family import Family
from tests.core.outsider import forgotten
from tests.study import items, strips, tiny


@dataclass(frozen=True)
class Wrong(Comprehensiveness):
    """A probe with a mistake."""

    nan: bool = False

    def drop(self, curve):
        return curve[..., 0] * math.nan if self.nan else self.nothing


@pytest.fixture
def untrained(monkeypatch: pytest.MonkeyPatch) -> FamilyResult:
    """A family of texts whose members never trained."""
    family = tiny.family()
    family = replace(family, job=replace(family.job, model=tiny.MODEL))
    own = Family.init(family.job.architecture, family.dataset.task, family.members)
    monkeypatch.setattr(probing, "family_of", lambda family: own)
    return family


def test_every_explainer_stands_beside_random_order_and_leave_one_out(untrained: FamilyResult) -> None:
    rows, failed = probe_rows(untrained, ("comprehensiveness",), Measurer(untrained).row)
    assert failed == {}
    assert [(row.quantity, row.explainer) for row in rows] == [
        ("drop_random", ""),
        ("drop_leave_one_out", ""),
        ("drop", "attention"),
        ("drop_gain", "attention"),
        ("drop_share", "attention"),
        ("drop", "gradient"),
        ("drop_gain", "gradient"),
        ("drop_share", "gradient"),
    ]
    assert {row.probe for row in rows} == {"comprehensiveness"}
    found = dropped(untrained, Comprehensiveness(), ("attention",))
    assert set(found.by) == {"attention"}
    by = {(row.quantity, row.explainer): row for row in rows}
    assert by["drop", "attention"].value == pytest.approx(float(found.by["attention"].mean()), abs=1e-7)
    assert by["drop_random", ""].value == pytest.approx(float(found.random.mean()), abs=1e-7)
    gain = found.by["attention"] - found.random
    assert by["drop_gain", "attention"].value == pytest.approx(float(gain.mean()), abs=1e-7)
    share = matters(found.by["attention"], found.random, found.alone)
    assert share is not None
    assert by["drop_share", "attention"].value == pytest.approx(share.share.value, abs=1e-3)
    assert by["drop_leave_one_out", ""].value > by["drop_random", ""].value


def test_where_lower_is_better_the_gain_and_the_share_are_turned_round(untrained: FamilyResult) -> None:
    rows, failed = probe_rows(untrained, ("sufficiency",), Measurer(untrained).row)
    assert failed == {}
    by = {(row.quantity, row.explainer): row.value for row in rows}
    fall, chance, best = by["drop", "attention"], by["drop_random", ""], by["drop_leave_one_out", ""]
    assert best < chance
    assert by["drop_gain", "attention"] == pytest.approx(chance - fall, abs=1e-7)
    assert by["drop_share", "attention"] == pytest.approx((chance - fall) / (chance - best), abs=1e-3)


def test_noise_that_flips_nothing_is_counted(untrained: FamilyResult) -> None:
    probes = ("flipping_noise:most=1e-6,rounds=2,shares=50", "flipping_noise:most=1000,shares=100")
    rows, failed = probe_rows(untrained, probes, Measurer(untrained).row)
    assert failed == {}
    by = {(row.probe, row.quantity, row.explainer): row for row in rows}
    assert by[probes[0], "drop_unflipped", ""].value > 0.9
    assert by[probes[0], "drop", "gradient"].value == pytest.approx(1e-6, rel=0.1)
    assert by[probes[1], "drop_unflipped", "gradient"].value < 0.5
    assert all(row.low is None or row.low >= 0 for row in rows if row.quantity == "drop")
    assert not any(row.quantity == "drop_share" for row in rows)


def test_a_probe_that_fails_is_named_and_the_others_go_on(untrained: FamilyResult) -> None:
    with forgotten():
        names = [admit("probes", Wrong()), admit("probes", Wrong(nan=True))]
        rows, failed = probe_rows(untrained, (*names, "comprehensiveness"), Measurer(untrained).row)
    assert failed[names[0]].startswith("AttributeError: 'Wrong' object has no attribute 'nothing'")
    assert failed[names[1]] == "Failed: its curves are not all finite numbers"
    assert {row.probe for row in rows} == {"comprehensiveness"}


def finished(run: Path) -> FamilyResult:
    """The only family of a finished run."""
    loaded = load_family(run, None, None)
    return load(loaded.job, loaded.family.members, loaded.family.members, loaded.dataset)


@pytest.mark.parametrize("run", [tiny.finished, items.finished, strips.images])
def test_every_modality_has_its_probe(run: Callable[[], Path]) -> None:
    family = finished(run())
    probe = make("probes", modality(family.dataset.task.kind).probe)
    first = next(iter(family.explanations))
    found = dropped(family, probe, (first,))
    for table in (found.by[first], found.random, found.alone):
        assert table.shape == (len(family.members), len(family.rows))
        assert table.isfinite().all()
    assert float(found.alone.mean()) > float(found.random.mean())


def test_a_probe_that_does_not_suit_is_refused_before_training(plays: Dataset) -> None:
    plan = Plan((Source(items.DATA),), ("sasrec:dim=8",), explainers=("gradient",), probes=("deletion",))
    said = r"^deletion cannot be measured on sasrec:dim=8: expected images in strips to cut into patches, but"
    with pytest.raises(BadSetting, match=said):
        preflight(plan, [plays])
    preflight(replace(plan, probes=("comprehensiveness", "item_deletion:steps=2")), [plays])
    one_map = (
        r"^adversarial_attention cannot be measured on sasrec:dim=8: expected a model whose one attention map"
    )
    with pytest.raises(BadSetting, match=one_map):
        preflight(replace(plan, probes=("adversarial_attention",)), [plays])
