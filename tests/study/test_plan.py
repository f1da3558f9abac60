import hashlib
import json
from dataclasses import replace

import pytest

from holdfast.core.errors import BadRun, BadSetting, UnknownName
from holdfast.core.records import Member
from holdfast.data.source import Source
from holdfast.study.plan import GROWS, Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Sgd

FULL = Plan(
    data=(Source("reviews.csv", "review", "stars", None, "glove-100d", 99, 2, 5000, 400),),
    models=("cnn:filters=8,dim=16", "bilstm:attention=dot"),
    repairs=("none", "naswa:per=tensor"),
    seeds=7,
    explainers=("gradient", "random"),
    comparisons=("kl", "jaccard:fraction=0.1"),
    probes=("comprehensiveness", "deletion:steps=3,fill=hole"),
    fit=Fit(5, 16, 2, Sgd(lr=0.05), True),
    instances=None,
    digests=("ab" * 32,),
)
CHANGES = {
    "data": (Source("other.csv"),),
    "models": ("rnn",),
    "repairs": ("aswa",),
    "seeds": 8,
    "explainers": ("attention",),
    "comparisons": ("tvd",),
    "probes": (),
    "perturbations": ("typos",),
    "fit": Fit(6),
    "instances": 3,
    "device": "cuda",
    "digests": ("cd" * 32,),
    "study": "seed-stability",
    "version": "9.9",
    "target": "truth",
    "folds": 3,
    "per_data": (("bilstm:attention=dot",),),
}


FOLDED = Plan(
    data=(Source("digits-maj:folds=3"), Source("images.npz", steps=4)),
    models=("deep", "lenet"),
    per_data=(("deep",), ("lenet", "deep:stationary=True")),
    seeds=2,
    folds=3,
    target="truth",
)


@pytest.mark.parametrize("plan", [FULL, FOLDED, Plan((Source(),))])
def test_there_and_back_through_json(plan: Plan) -> None:
    again = Plan.from_json(json.loads(json.dumps(plan.to_json())))
    assert again == plan
    assert again.hash == plan.hash


def test_the_hash_is_that_of_the_json() -> None:
    named = {k: v for k, v in FULL.to_json().items() if k not in GROWS}
    text = json.dumps(named, sort_keys=True)
    assert FULL.hash == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", [name for name in CHANGES if name not in GROWS])
def test_another_value_is_another_plan(name: str) -> None:
    other = replace(FULL, **{name: CHANGES[name]})
    assert other.hash != FULL.hash


@pytest.mark.parametrize("name", GROWS)
def test_a_run_of_another_size_is_the_same_run(name: str) -> None:
    other = replace(FULL, **{name: CHANGES[name]})
    assert other != FULL
    assert (other.hash, other.name) == (FULL.hash, FULL.name)


def test_one_spelling_one_plan() -> None:
    one = Plan((Source(),), models=("cnn:filters=8,dim=16",))
    other = Plan((Source(),), models=(" cnn:dim=16 , filters=08",))
    assert one.models == ("cnn:dim=16,filters=8",)
    assert one.hash == other.hash


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seeds": 1}, "expected --seeds to be 2 or more, but got 1: stability needs two"),
        ({"seeds": 10**12}, "expected --seeds to be at most 10,000, but got 1,000,000,000,000"),
        ({"folds": 10**12}, "expected --folds to be at most 1,000, but got 1,000,000,000,000"),
        (
            {"instances": 10**12},
            "expected --instances to be at most 1,000,000,000, but got 1,000,000,000,000",
        ),
        ({"instances": 0}, "expected --instances to be 1 or more, but got 0"),
        ({"models": ()}, "expected at least one model, but got none"),
        ({"data": ()}, "expected at least one data set, but got none"),
        ({"repairs": ("none", "none")}, "expected each repair once, but got none, none"),
        ({"folds": 1}, "expected --folds to be 0 or at least 2, but got 1"),
        ({"folds": -2}, "expected --folds to be 0 or at least 2, but got -2"),
        ({"per_data": (("cnn",), ("rnn",))}, "expected models for 1 data sets, but got 2"),
        ({"per_data": ((),)}, "expected at least one model, but got none"),
        ({"per_data": (("cnn", " cnn "),)}, "expected each model once, but got cnn, cnn"),
        ({"models": ("cnn:filters=x",)}, "cnn: expected filters to be a whole number, but got 'x'"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadSetting) as caught:
        Plan(**({"data": (Source(),)} | changes))
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("changes", "near"),
    [
        ({"models": ("bilstn",)}, "bilstm"),
        ({"repairs": ("asw",)}, "aswa"),
        ({"explainers": ("atention",)}, "attention"),
        ({"per_data": (("bilstn",),)}, "bilstm"),
    ],
)
def test_unknown_names_offer_the_nearest(changes: dict[str, object], near: str) -> None:
    with pytest.raises(UnknownName, match=f"did you mean '{near}'"):
        Plan((Source(),), **changes)


@pytest.mark.parametrize(
    "values", [{"schema": 1}, {}, [], None, "text", *(FULL.to_json() | {"schema": n} for n in (3, 99))]
)
def test_another_schema_is_another_version(values: object) -> None:
    with pytest.raises(BadRun, match="made by another version of holdfast"):
        Plan.from_json(values)


@pytest.mark.parametrize(
    "changes",
    [
        {"data": None},
        {"data": [1]},
        {"fit": "x"},
        {"fit": {}},
        {"models": [1]},
        {"seeds": "x"},
        {"strange": 1},
        {"per_data": 3},
        {"per_data": [1]},
    ],
)
def test_a_damaged_plan_is_one_sentence(changes: dict[str, object]) -> None:
    with pytest.raises(BadRun, match=r"plan\.json is not a plan .*start over with --fresh"):
        Plan.from_json(FULL.to_json() | changes)


def test_members_are_seeds_from_zero() -> None:
    assert Plan((Source(),), seeds=3).members == (Member(0), Member(1), Member(2))


def test_folds_come_after_the_seeds_each_a_seed_of_its_own() -> None:
    assert FOLDED.members == (Member(0), Member(1), Member(0, 0), Member(1, 1), Member(2, 2))


def test_every_data_set_has_its_models() -> None:
    assert (FOLDED.models_of(0), FOLDED.models_of(1)) == (("deep",), ("lenet", "deep:stationary=true"))
    assert (FULL.models_of(0), FULL.models_of(1)) == (FULL.models, FULL.models)


@pytest.mark.parametrize(
    ("data", "start"),
    [
        ("planted", "planted-cnn-"),
        ("/some/where/my reviews.csv", "my-reviews.csv-cnn-"),
        ("ag_news/world-business", "ag_news-world-business-cnn-"),
        ("../..", "data-cnn-"),
        ("ü" * 300 + ".csv", "üüü"),
    ],
)
def test_a_run_is_named_for_its_data_and_model(data: str, start: str) -> None:
    plan = Plan((Source(data),))
    assert plan.name.startswith(start)
    assert plan.name.endswith(plan.hash[:8])
    assert "/" not in plan.name
    assert len(plan.name.encode()) < 256


def test_many_models_still_make_a_name_that_fits() -> None:
    models = tuple(f"cnn:dim={dim},filters=4" for dim in range(2, 40))
    assert len(Plan((Source(),), models=models).name.encode()) < 256
