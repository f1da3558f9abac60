from dataclasses import replace

import pytest

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.data.source import Source, load, reads
from holdfast.studies.relevance.names import CELLS, cell_of
from holdfast.studies.relevance.plan import MAJORITY, QUICK, plan, written
from holdfast.study.overrides import Overrides
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam


def test_the_whole_study_is_both_tasks_of_both_data_sets() -> None:
    own = plan(Overrides())
    assert [source.data for source in own.data] == [
        "mnist-maj:folds=7", "mnist:steps=1", "mnist:steps=4", "mnist:steps=7",
        "fashion-maj:folds=7", "fashion-mnist:steps=1", "fashion-mnist:steps=4", "fashion-mnist:steps=7",
    ]  # fmt: skip
    assert [own.models_of(number) for number in range(4)] == [
        MAJORITY, ("shallow", "deep", "lenet"), ("shallow", "deep"), ("shallow", "deep"),
    ]  # fmt: skip
    assert {cell_of(model) for model in MAJORITY} == set(CELLS)
    assert (own.seeds, own.folds, own.target, own.instances) == (5, 7, "truth", 500)
    assert all(reads(source) == "image" for source in own.data)


def test_quick_is_the_same_on_the_embedded_digits() -> None:
    own = plan(Overrides(quick=True, data=["mnist"]))
    assert [source.data for source in own.data] == [
        "digits-maj:folds=2", "digits:steps=1", "digits:steps=2", "digits:steps=4",
    ]  # fmt: skip
    assert (own.seeds, own.folds, own.instances) == (2, 2, 40)
    assert own.fit == QUICK
    for source in own.data:
        assert load(source).task.strip is not None


@pytest.mark.parametrize(("epochs", "patience"), [(9, 2), (2, 9)])
def test_nobody_stops_early(epochs: int, patience: int) -> None:
    fit = plan(Overrides(epochs=epochs, patience=patience)).fit
    assert (fit.epochs, fit.patience) == (epochs, 9)


def test_what_is_asked_is_done() -> None:
    data = ["digits-maj:folds=3,limit=600", "digits:limit=60"]
    own = plan(Overrides(data=data, models=["deep:stationary=True"], folds=3, seeds=4, instances=None))
    assert [source.data for source in own.data] == data
    assert own.per_data == (("deep:stationary=true",),) * 2
    assert own.models == ("deep:stationary=true",)
    assert (own.seeds, own.folds, own.instances) == (4, 3, None)


def test_a_majority_task_that_says_nothing_of_folds_gets_those_of_the_study() -> None:
    own = plan(Overrides(data=["digits-maj:limit=600", "fashion-maj", "digits:limit=60"], folds=3))
    assert [source.data for source in own.data] == [
        "digits-maj:limit=600,folds=3", "fashion-maj:folds=3", "digits:limit=60",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "folds", "sentence"),
    [
        (
            ["digits-maj:folds=3"],
            7,
            "expected --folds to be 3, as 'digits-maj:folds=3' says, but got 7: say both alike",
        ),
        (
            ["digits-maj:folds=7"],
            3,
            "expected --folds to be 7, as 'digits-maj:folds=7' says, but got 3: say both alike",
        ),
        (
            ["digits-maj:folds=0"],
            3,
            "expected --folds to be 0, as 'digits-maj:folds=0' says, but got 3: say both alike",
        ),
        (
            ["digits:folds=3"],
            0,
            "expected --folds to be 3, as 'digits:folds=3' says, but got 0: say both alike",
        ),
        (
            ["digits", "digits-maj"],
            3,
            "expected data sets that differ, but 'digits-maj:folds=3' and 'digits-maj:folds=3' are both "
            "digits-maj: name one of them",
        ),
        (
            ["digits:folds=3", "digits:steps=4"],
            3,
            "expected data sets that differ, but 'digits:folds=3' and 'digits:steps=4' are both digits: "
            "name one of them",
        ),
    ],
)
def test_folds_and_names_that_do_not_fit_are_refused_at_once(data, folds, sentence) -> None:
    with pytest.raises(BadSetting) as caught:
        plan(Overrides(data=data, folds=folds))
    assert str(caught.value) == sentence


def test_without_folds_the_names_have_none() -> None:
    assert plan(Overrides(data=["digits"], folds=0)).data[0] == Source("digits-maj")


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        (Overrides(data=()), "expected at least one data set, but got none"),
        (Overrides(models=()), "expected at least one model, but got none"),
        (Overrides(repairs=()), "expected at least one repair, but got none"),
        (Overrides(folds=1), "expected --folds to be 0 or at least 2, but got 1"),
    ],
)
def test_nothing_asked_for_is_not_everything(overrides: Overrides, sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence):
        plan(overrides)


@pytest.mark.parametrize(
    ("names", "models"),
    [
        (("mnist", "fashion-mnist"), None),
        (("digits",), ("rlstm",)),
        (("digits-maj:limit=600,folds=7",), None),
        (("digits-maj:limit=600,folds=7", "digits:limit=60"), ("deep", "shallow")),
    ],
)
def test_what_was_said_is_known_from_the_plan(names: tuple[str, ...], models: tuple[str, ...] | None) -> None:
    own = plan(Overrides(data=names, models=models))
    again = plan(Overrides(data=written(own)[0], models=written(own)[1]))
    assert (again.data, again.per_data) == (own.data, own.per_data)
    assert written(own) == (names, models)


def test_a_plan_that_no_words_give_is_said_as_it_is() -> None:
    own = plan(Overrides(data=["digits"]))
    odd = replace(own, per_data=(("deep",), ("shallow",), ("deep",), ("deep",)))
    assert written(odd) == (tuple(source.data for source in odd.data), odd.models)


def test_everyone_trains_by_adam_without_decay() -> None:
    assert plan(Overrides()).fit == Fit(20, 50, 20, Adam(lr=5e-4, weight_decay=0.0))
    assert plan(Overrides(optimiser="sgd:lr=0.1")).fit.optimiser == make("optimisers", "sgd:lr=0.1")
