import pytest

from holdfast.core.catalogue import make
from holdfast.studies.rollout.names import SHAPES, shape_of
from holdfast.studies.rollout.plan import FIT, LONG, QUICK_DATA, plan, written
from holdfast.study.overrides import Overrides
from holdfast.train.optimise import Adam


def data(made):
    return [source.data for source in made.data]


def test_the_studys_own_plan_is_the_documents():
    made = plan(Overrides())
    assert data(made) == ["ml-1m:holdout=validation", LONG["ml-1m"], "amazon-games:holdout=validation"]
    assert (made.seeds, made.instances, made.target, made.study) == (10, 1000, "truth", "rollout")
    assert (made.fit.epochs, made.fit.batch, made.fit.patience) == (10, 128, 10)
    assert made.fit.optimiser == Adam(lr=1e-3, weight_decay=0.0)
    for number in (0, 2):
        assert [shape_of(model) for model in made.models_of(number)] == list(SHAPES)
    assert made.models_of(1) == ("sasrec:blocks=1",)
    shapley = make("explainers", next(text for text in made.explainers if text.startswith("shapley")))
    assert (shapley.samples, shapley.absent) == (1024, "column")


def test_the_share_that_is_masked_is_that_of_the_data():
    made = plan(Overrides(data=("ml-1m", "steam", "amazon-beauty")))
    masked = {
        name: {make("models", text).masked for text in models if text.startswith("bert4rec")}
        for name, models in zip(data(made), made.per_data, strict=True)
        if "length" not in name
    }
    assert list(masked.values()) == [{0.2}, {0.4}, {0.6}]


def test_quick_is_small_and_embedded():
    made = plan(Overrides(quick=True))
    assert data(made) == [QUICK_DATA]
    assert {shape_of(model)[1:] for model in made.models} == {(1, 1), (2, 1)}
    assert made.seeds == 3
    assert "shapley:samples=128,absent=column" in made.explainers


def test_what_was_asked_is_taken():
    overrides = Overrides(data=("plays.csv",), models=("sasrec:dim=8",), seeds=2, epochs=30, instances=None)
    made = plan(overrides)
    assert (data(made), made.models) == (["plays.csv"], ("sasrec:dim=8",))
    assert (made.seeds, made.fit.epochs, made.fit.patience, made.instances) == (2, 30, 30, None)
    assert made.fit.batch == FIT.batch


@pytest.mark.parametrize(
    "overrides",
    [
        Overrides(),
        Overrides(quick=True),
        Overrides(data=("amazon-games",)),
        Overrides(data=("ml-1m",), models=("sasrec", "bert4rec:blocks=1")),
        Overrides(data=("planted-plays:users=50", "steam")),
    ],
)
def test_what_is_said_gives_the_plan_again(overrides):
    made = plan(overrides)
    names, models = written(made)
    again = plan(Overrides(data=names, models=models))
    assert (again.data, again.models, again.per_data) == (made.data, made.models, made.per_data)
    assert again.explainers == made.explainers


def test_short_names_are_said():
    assert written(plan(Overrides())) == (("ml-1m", "amazon-games"), None)
