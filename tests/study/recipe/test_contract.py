"""A recipe is found where it was named, and one that lacks something is one sentence."""

import pytest

from holdfast.core.errors import BadSetting, TheirError
from holdfast.core.files import sha256
from holdfast.core.outside import HOW
from holdfast.study.recipe.contract import Recipe, load_recipe, recipe_of, reload_recipe
from tests.core.outsider import forgotten
from tests.study.recipe import recipes

FILE = """
def train(seed):
    return seed

def predict(model, inputs):
    return [[1.0, 0.0]] * len(inputs)

def explain(model, inputs, target):
    raise ValueError("no idea")

class Mine:
    train, predict, explain = staticmethod(train), staticmethod(predict), staticmethod(explain)

    def data(self):
        return [1, 2], [0, 1]

mine = Mine()

class Half:
    train = staticmethod(train)

half = Half()
"""
NEEDS = (
    "a recipe needs train(seed) → model, predict(model, inputs) → probabilities, "
    "explain(model, inputs, target) → scores"
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    with forgotten():
        monkeypatch.chdir(tmp_path)
        (tmp_path / "mine.py").write_text(FILE)
        yield tmp_path


@pytest.mark.parametrize(
    ("written", "name", "roles"),
    [
        ("./mine.py", "mine.py", ("train", "predict", "explain")),
        ("./mine.py:mine", "mine.py:mine", ("train", "predict", "explain", "data")),
        ("./mine.py:Mine", "mine.py:Mine", ("train", "predict", "explain", "data")),
    ],
)
def test_a_file_an_object_or_a_class_is_a_recipe(folder, written, name, roles):
    recipe = load_recipe(written)
    assert (recipe.name, recipe.roles, recipe.nowhere) == (name, roles, ())
    assert recipe.digests == {name: sha256(FILE.encode())}
    assert recipe.ask("train", 3) == 3
    again = reload_recipe([list(part) for part in recipe.code])
    assert again.roles == roles


def test_functions_of_a_module_are_found_there_and_others_are_not(monkeypatch):
    functions = {"train": recipes.train, "predict": recipes.predict, "explain": lambda m, x, t: 0}
    here = recipe_of(functions)
    assert (here.name, here.nowhere) == ("recipe", ("train", "predict", "explain")), "workers see no tests"
    monkeypatch.setattr("holdfast.study.recipe.contract.importable", lambda module: True)
    recipe = recipe_of(functions)
    assert (recipe.name, recipe.nowhere) == ("tests.study.recipe.recipes:train", ("explain",))
    assert reload_recipe([list(part) for part in recipe.code[:2]] + [["explain", *recipe.code[0][1:]]])


def test_changed_code_is_not_loaded_by_a_worker(folder):
    recipe = load_recipe("./mine.py:mine")
    (folder / "mine.py").write_text(FILE + "\n")
    with pytest.raises(BadSetting, match=r"^the code of mine.py:mine has changed since the work began"):
        reload_recipe([list(part) for part in recipe.code])


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("./mine.py:half", f"./mine.py:half has no predict and no explain: {NEEDS}"),
        ("./mine.py:hlaf", "./mine.py:hlaf: there is no recipe 'hlaf' in ./mine.py"),
        ("./gone.py:mine", f"there is no file 'gone.py': {HOW}"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence(written, said):
    with pytest.raises(BadSetting) as told:
        load_recipe(written)
    assert str(told.value) == said


def test_what_is_no_function_and_half_of_a_pair_are_refused():
    three = {"train": len, "predict": len, "explain": len}
    with pytest.raises(
        BadSetting, match=r"^recipe: expected a function predict, but got nothing: it needs tr"
    ):
        recipe_of(three | {"predict": None})
    with pytest.raises(BadSetting, match="expected a function remove, but got something of type int"):
        Recipe(**three, remove=3)
    with pytest.raises(BadSetting, match=r"expected save and load together, but got save without load$"):
        Recipe(**three, save=len)


def test_what_its_code_raises_says_where(folder):
    with pytest.raises(TheirError) as told:
        load_recipe("./mine.py").ask("explain", 0, [], [])
    assert str(told.value) == "explain raised ValueError: no idea (mine.py line 9)"
