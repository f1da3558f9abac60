from dataclasses import replace

import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.source import Source
from holdfast.studies.relevance import plan as relevance_plan
from holdfast.studies.rollout import plan as rollout_plan
from holdfast.studies.seed_stability.plan import as_printed, plan, plan_of
from holdfast.study.overrides import Overrides
from holdfast.train.fit import Fit
from holdfast.train.optimise import Sgd


def test_the_plan_is_the_documents() -> None:
    plan = plan_of([Source("sst2")], ("cnn",), ("none", "aswa"), 10, Fit(), None, "cpu", quick=False)
    assert plan.study == "seed-stability"
    assert plan.data == (Source("sst2"),)
    assert (plan.seeds, plan.fit, plan.instances) == (10, Fit(), None)
    assert plan.explainers == ("attention", "gradient", "random")
    assert plan.comparisons == ("kl", "jensen_shannon", "jaccard")


def test_quick_is_small_and_embedded() -> None:
    plan = plan_of([Source("sst2")], ("cnn",), ("none",), 10, Fit(), None, "cpu", quick=True)
    assert plan.data[0].data.startswith("planted:")
    assert plan.seeds == 5
    assert plan.fit.epochs < Fit().epochs
    less = plan_of([Source("sst2")], ("cnn",), ("none",), 2, Fit(epochs=1), None, "cpu", quick=True)
    assert (less.seeds, less.fit.epochs) == (2, 1)


def test_texts_are_cut_where_that_is_asked() -> None:
    found = plan(Overrides(data=["imdb", "sst2"], max_length=180))
    assert [source.max_length for source in found.data] == [180, 180]
    assert plan(Overrides(data=["imdb"])).data[0].max_length == 256
    assert plan(Overrides(quick=True, max_length=9)).data[0].max_length == 9


@pytest.mark.parametrize("study", [relevance_plan, rollout_plan])
def test_studies_without_texts_cut_none(study: object) -> None:
    with pytest.raises(BadSetting, match=r"^--max-length is for texts, but \w+ has none: leave it out$"):
        study.plan(Overrides(max_length=9))  # type: ignore[attr-defined]


def test_the_tables_are_of_adam() -> None:
    own = plan(Overrides(data=["sst2"]))
    assert as_printed(own)
    assert not as_printed(replace(own, fit=Fit(optimiser=Sgd())))
