"""Seeds are trained once, one file each; what one cannot do is written, and the rest goes on."""

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadData, BadSetting, Failed, TooFewMembers
from holdfast.study.recipe.contract import Recipe, recipe_of
from holdfast.study.recipe.data import given, read_given
from holdfast.study.recipe.findings import members_of, recipe_findings
from holdfast.study.recipe.kept import kept_in
from holdfast.study.recipe.plan import RecipePlan
from holdfast.study.recipe.run import Seeds
from holdfast.study.store import locked_run
from tests.study.recipe import recipes
from tests.study.tiny import contents, flip

ROLES = ("train", "predict", "explain", "remove", "untrained")


class Counted:
    """Counts what is trained, and fails where it is told to."""

    def __init__(self, failing=(), train=recipes.train):
        self.seeds, self.failing, self.own = [], failing, train

    def __call__(self, seed):
        self.seeds.append(seed)
        if seed in self.failing:
            raise ValueError(f"no luck with {seed}")
        return self.own(seed)


def recipe(train=recipes.train, **changes) -> Recipe:
    return recipe_of({role: getattr(recipes, role) for role in ROLES} | {"train": train} | changes)


def run(folder, recipe, count=3, data=None, instances=20, fresh=False):
    """Carry out a recipe in this process."""
    rows = given(recipes.data() if data is None else data)
    plan = RecipePlan("recipe", {"recipe": "0"}, recipe.roles, rows.sha256, count, instances)
    heard = []
    with locked_run(folder, plan, fresh) as store:
        store.forget_damaged()
        store.turn_to(plan)
        Seeds(recipe, rows, store, count, instances, listen=lambda *said: heard.append(said)).run()
    return plan, rows, heard


def test_a_seed_is_trained_once_and_a_run_grows(tmp_path):
    counted = Counted()
    run(tmp_path / "a", recipe(counted), 2)
    before = contents(tmp_path / "a" / "families")
    *_, heard = run(tmp_path / "a", recipe(counted), 4)
    assert counted.seeds[:2] == [0, 1]
    assert [seed for seed in counted.seeds if seed < 100] == [0, 1, 2, 3], "none twice"
    assert {
        name: data for name, data in contents(tmp_path / "a" / "families").items() if name in before
    } == before
    run(tmp_path / "b", recipe(), 4)
    assert contents(tmp_path / "a") == contents(tmp_path / "b"), "a run that began at this size"
    assert heard[-1] == ("seeds", 5.0, 5)
    assert read_given(tmp_path / "a" / "data-0.safetensors").sha256 == given(recipes.data()).sha256


def test_a_damaged_seed_is_trained_again_and_no_other(tmp_path):
    run(tmp_path, recipe(), 3)
    before = contents(tmp_path)
    for name, again in (("seed-1", [1]), ("request", [0])):
        flip(tmp_path / "families" / "recipe" / f"{name}.safetensors")
        counted = Counted()
        run(tmp_path, recipe(counted), 3)
        assert [seed for seed in counted.seeds if seed < 100] == again
        assert contents(tmp_path) == before


def test_what_is_kept_are_the_recipes_own_answers(tmp_path):
    run(tmp_path, recipe(), 2)
    kept = kept_in(tmp_path)
    asked, own = kept.tensors("request"), kept.tensors("seed-1")
    rows, target = asked["rows"].numpy(), asked["target"].numpy()
    model, data = recipes.train(1), recipes.data()
    assert np.array_equal(own["probabilities"], model.predict_proba(data["inputs"]))
    assert np.array_equal(target, data["labels"][rows])
    assert np.array_equal(own["scores/scores"], recipes.explain(model, data["inputs"][rows], target))
    starts = [recipes.untrained(10**6 + draw) for draw in range(4)]
    wanted = [recipes.explain(one, data["inputs"][rows], target) for one in starts]
    assert np.array_equal(kept.tensors("untrained")["scores"], np.stack(wanted))


def test_without_labels_the_first_seed_says_what_is_explained(tmp_path):
    data = {"inputs": recipes.X[recipes.TEST]}
    plan, rows, _ = run(tmp_path, recipe(Counted({0})), 3, data)
    asked = kept_in(tmp_path).tensors("request")
    wanted = recipes.train(1).predict_proba(data["inputs"]).argmax(1)[asked["rows"].numpy()]
    assert np.array_equal(asked["target"], wanted)
    found = recipe_findings(plan, rows, kept_in(tmp_path), "holdfast.audit(seeds=3)")
    assert "The class that is explained is what seed 1 predicts, the same for every seed." in found.notes
    learned, *_, calibrated = found.answer.rows[0].questions
    assert learned.because == "give labels, and it is asked whether the models learned"
    assert calibrated.answer == "not asked"


def test_a_seed_that_fails_is_named_and_the_rest_goes_on(tmp_path):
    def nan(model, inputs):
        table = recipes.predict(model, inputs)
        return table * np.nan if model.bad else table

    def train(seed):
        model = recipes.train(seed)
        model.bad = seed == 3
        return model

    counted = Counted({2}, train)
    own = recipe(counted, predict=nan)
    plan, rows, _ = run(tmp_path, own, 5)
    run(tmp_path, own, 5)
    assert [seed for seed in counted.seeds if seed < 100] == [0, 1, 2, 3, 4], "what failed is not tried again"
    answer = recipe_findings(plan, rows, kept_in(tmp_path), "").answer
    assert answer.members.trained == 3
    assert [one["seed"] for one in answer.members.left_out] == [2, 3]
    first, second = (one["why"] for one in answer.members.left_out)
    assert first.startswith("train raised ValueError: no luck with 2 (test_run.py line ")
    assert second == "predict returned probabilities that are not all finite numbers"


def test_fewer_than_two_seeds_are_no_answer(tmp_path):
    run(tmp_path, recipe(Counted({1, 2})), 3)
    with pytest.raises(
        TooFewMembers, match=r"^1 of 3 seeds trained well, but two are needed \(seed 1: train r"
    ):
        members_of(kept_in(tmp_path), 3)


def test_two_failures_at_the_beginning_end_it_and_are_tried_again(tmp_path):
    counted = Counted({0, 1})
    with pytest.raises(
        Failed, match=r"^no seed of the recipe could be used \(seed 0: train raised ValueError: "
    ):
        run(tmp_path, recipe(counted), 5)
    assert counted.seeds == [0, 1]
    run(tmp_path, recipe(), 2)
    assert members_of(kept_in(tmp_path), 2).seeds == (0, 1)


def wide(model, inputs, target):
    return recipes.explain(model, inputs, target)[:, :4]


WRONG = {
    "predict: expected probabilities that sum to 1, but those of row 0 sum to 2": (
        BadSetting, {"predict": lambda m, x: 2 * recipes.predict(m, x) * 0 + 1.0}),
    "predict: expected a probability for each of 80 rows and each class, but got shape (79, 2)": (
        BadSetting, {"predict": lambda m, x: recipes.predict(m, x)[1:]}),
    "explain: expected scores for 20 rows, but got them for 19": (
        BadSetting, {"explain": lambda m, x, t: recipes.explain(m, x, t)[1:]}),
    "explain: expected 6 scores for row 0, one for each position, but got 4": (BadSetting, {"explain": wide}),
    "explain, b: expected 6 scores for row 0": (
        BadSetting, {"explain": lambda m, x, t: {"a": recipes.explain(m, x, t), "b": wide(m, x, t)}}),
}  # fmt: skip


@pytest.mark.parametrize("said", WRONG)
def test_what_no_seed_could_do_is_one_sentence_of_the_first(tmp_path, said):
    kind, changes = WRONG[said]
    counted = Counted()
    with pytest.raises(kind) as told:
        run(tmp_path / "run", recipe(counted, **changes))
    assert str(told.value).startswith(said)
    assert counted.seeds == [0]
    assert not (tmp_path / "run").exists(), "nothing is left behind"


def test_labels_that_fit_no_column_are_found_on_the_first_seed(tmp_path):
    with pytest.raises(BadData, match=r"^expected labels among 2 classes"):
        run(tmp_path / "run", recipe(), data=(recipes.X[:20], [f"class {i % 3}" for i in range(20)]))


def test_another_seed_with_other_explanations_is_left_out(tmp_path):
    def explain(model, inputs, target):
        table = recipes.explain(model, inputs, target)
        return (
            {"a": table}
            if model[1].coef_[0, 0] == recipes.train(1)[1].coef_[0, 0]
            else {"a": table, "b": table}
        )

    run(tmp_path, recipe(explain=explain), 3)
    (out,) = members_of(kept_in(tmp_path), 3).left_out
    assert out == {"seed": 1, "why": "explain: expected the explanations a, b as before, but got a"}


def test_a_recipe_that_ignores_its_seed_is_noticed(tmp_path):
    plan, rows, _ = run(tmp_path, recipe(lambda seed: recipes.train(0)), 10)
    found = recipe_findings(plan, rows, kept_in(tmp_path), "")
    assert any(
        note.startswith("All members are the same bits: the 10 seeds gave one") for note in found.notes
    )
    row = found.answer.rows[0]
    assert (row.verdict, row.hold, found.answer.members.trained) == ("undecided", None, 10)
    assert row.question("survives").answer == "not asked"
    assert found.answer.do.startswith("Let train use its seed")


def test_the_chance_of_an_explainer_is_no_other_training(tmp_path):
    draw = np.random.default_rng(0)

    def explain(model, inputs, target):
        return recipes.explain(model, inputs, target) + draw.normal(size=inputs.shape)

    plan, rows, _ = run(tmp_path, recipe(lambda seed: recipes.train(0), explain=explain), 4)
    row = recipe_findings(plan, rows, kept_in(tmp_path), "").answer.rows[0]
    assert row.question("survives").because.startswith("all seeds predict the same bits, so what differs")
    assert row.verdict == "undecided"


def test_seeds_that_are_copies_do_not_count_again(tmp_path):
    plan, rows, _ = run(tmp_path, recipe(lambda seed: recipes.train(seed % 3)), 5)
    members = members_of(kept_in(tmp_path), 5)
    assert (members.seeds, members.copies, members.trained) == ((0, 1, 2), {3: 0, 4: 1}, 5)
    notes = recipe_findings(plan, rows, kept_in(tmp_path), "").notes
    assert any("do not count again: seed 3 as seed 0 and seed 4 as seed 1." in note for note in notes)


@pytest.mark.parametrize(
    ("source", "data"),
    [
        (recipes.KERAS, recipes.data()),
        (recipes.BOOSTER, recipes.BOOSTER.data()),
        (recipes.Words(), recipes.Words().data()),
    ],
)
def test_objects_of_any_library_give_an_answer(tmp_path, source, data):
    own = recipe_of({role: getattr(source, role, None) for role in ("train", "predict", "explain", "remove")})
    plan, rows, _ = run(tmp_path, own, 4, data)
    found = recipe_findings(plan, rows, kept_in(tmp_path), "holdfast.audit(data, seeds=4)")
    row = found.answer.rows[0]
    assert row.hold is not None
    assert row.question("survives").answer != "not asked"
    assert found.examples[0].tokens


def test_models_as_they_start_that_fail_are_noted(tmp_path):
    def untrained(seed):
        raise RuntimeError("not built")

    plan, rows, _ = run(tmp_path, recipe(untrained=untrained), 3)
    notes = recipe_findings(plan, rows, kept_in(tmp_path), "").notes
    assert any(
        n.startswith("Models as they start could not be explained: untrained raised Runt") for n in notes
    )


def test_saved_models_are_loaded_as_they_were(tmp_path):
    run(tmp_path, recipe(save=recipes.save, load=recipes.load), 2)
    kept = kept_in(tmp_path)
    model, x = recipes.load(kept.model(1)), recipes.X[recipes.TEST]
    assert np.allclose(recipes.predict(model, x), kept.tensors("seed-1")["probabilities"])
    weights = kept.model(1) / "weights.npz"
    flip(weights)
    assert kept.note("seed-1") is None
    assert kept.note("seed-0") is not None


def test_rows_are_copies_whatever_is_done_to_them(tmp_path):
    def predict(model, inputs):
        table = recipes.predict(model, inputs)
        inputs[:] = 0
        return table

    run(tmp_path / "a", recipe(predict=predict), 3)
    run(tmp_path / "b", recipe(), 3)
    tensors = [kept_in(tmp_path / name).tensors("seed-2")["probabilities"] for name in "ab"]
    assert torch.equal(*tensors)
