"""Recipes from the command line: audited, killed, resumed, grown, refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import holdfast
from holdfast.cli import app
from holdfast.core.errors import HoldfastError
from tests.held import hold
from tests.study.recipe import recipes
from tests.study.recipe.pools import on_the_spot
from tests.study.tiny import contents, copied
from tests.test_cli import spawn
from tests.test_kill import kill, needs_proc

CODE = Path(recipes.__file__).read_text("utf-8")
WORDS = [
    "audit",
    "--recipe",
    "./mine.py",
    "--seeds",
    "3",
    "--instances",
    "20",
    "--workers",
    "1",
    "--out",
    "run",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in that has a recipe."""
    (tmp_path / "mine.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(*words: str) -> str:
    """What a command says, its seeds trained on the spot."""
    with on_the_spot():
        answer = CliRunner().invoke(app, list(words), env={"COLUMNS": "400"})
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer.output


def refused(*words: str) -> str:
    """The one sentence of a command that is refused with exit code 2."""
    with pytest.raises(HoldfastError) as told:
        said(*words)
    assert told.value.exit_code == 2
    assert "\n" not in str(told.value)
    return str(told.value)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nobody disturbed. Look, do not touch."""
    home = tmp_path_factory.mktemp("undisturbed")
    (home / "mine.py").write_text(CODE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        said(*WORDS, "--quiet")
    return home / "run"


def when(run: Path) -> dict[Path, int]:
    """When every seed that is finished was written."""
    notes = [path.with_suffix(".safetensors") for path in run.glob("families/recipe/seed-*.json")]
    return {path: path.stat().st_mtime_ns for path in notes}


@needs_proc
def test_killed_after_a_seed_and_resumed(folder: Path, undisturbed: Path) -> None:
    kill(hold(*WORDS, cwd=folder, moment="families/recipe/seed-0.json"))
    kept = when(folder / "run")
    assert [path.name for path in kept] == ["seed-0.safetensors"]
    assert not (folder / "run" / "verdict.json").exists()
    said(*WORDS, "--quiet")
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "a finished seed was trained again"
    assert contents(folder / "run") == contents(undisturbed)


MOMENTS = (
    "data-0.safetensors", "families/recipe/request.safetensors", ".seed-0.safetensors.*.part",
    "families/recipe/seed-0.safetensors", "families/recipe/untrained.json", "families/recipe/seed-2.json",
    "results.parquet", "findings.json", ".report.html.*.part", "families/recipe/model-1",
)  # fmt: skip


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_any_moment(folder: Path, undisturbed: Path, moment: str) -> None:
    kill(hold(*WORDS, cwd=folder, moment=moment))
    kept = when(folder / "run")
    out, err = (process := spawn(*WORDS, "--quiet", cwd=folder)).communicate(timeout=300)
    assert process.returncode == 0, (out, err)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert contents(folder / "run") == contents(undisturbed)
    assert not list((folder / "run").rglob("*.part"))


@pytest.mark.usefixtures("folder")
def test_a_run_grows_and_a_smaller_question_deletes_nothing() -> None:
    words = ["audit", "--recipe", "./mine.py", "--instances", "20", "--out", "run", "--quiet"]
    said(*words, "--seeds", "2")
    before = when(Path("run"))
    answer = json.loads(said(*words, "--seeds", "4", "--json"))
    assert (answer["members"]["trained"], answer["run"]) == (4, "run")
    assert when(Path("run")).items() >= before.items()
    assert "This run also holds seeds 2 to 3." in said(*words, "--seeds", "2")
    assert len(when(Path("run"))) == 4


def test_the_answer_the_report_and_the_command(undisturbed: Path, folder: Path) -> None:
    verdict = json.loads((undisturbed / "verdict.json").read_text())
    assert [q["name"] for q in verdict["rows"][0]["questions"] if q["answer"] == "not asked"] == []
    assert (verdict["members"]["trained"], verdict["members"]["left_out"]) == (3, [])
    page = (undisturbed / "report.html").read_text()
    assert "The class that is explained is the true one" in page
    command = json.loads((undisturbed / "findings.json").read_text())["command"]
    assert command == "holdfast audit --recipe mine.py --seeds 3 --instances 20"
    texts = "".join(path.read_text() for path in undisturbed.rglob("*") if path.suffix in (".json", ".html"))
    assert str(undisturbed.parent) not in texts, "no folder in the run"
    said("report", str(undisturbed))
    assert (undisturbed / "report.html").read_text() == page, "drawn from the results alone"


def test_new_rows_are_explained_by_whoever_has_the_models(undisturbed: Path, folder: Path) -> None:
    assert refused("explain", str(undisturbed), "--row", "3").endswith(
        "holdfast cannot read: load its models with the recipe's own load, from families/recipe/model-0 and "
        "so on, and explain with them"
    )
    (folder / "mine.py").write_text(CODE.replace("def save", "def keep").replace("def load", "def back"))
    said(*WORDS, "--quiet")
    assert "The models themselves are not kept" in (folder / "run" / "report.html").read_text()
    assert refused("explain", "run", "--row", "3") == (
        "run is of a recipe without save and load: its models are not kept, so that nothing new can be "
        "explained; give the recipe both, and run it again"
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--recipe", "./mine.py", "--model", "cnn", "--text", "x"),
         "expected --recipe without --model and --text: a recipe reads, trains and explains by itself, so "
         "say it there"),
        (("--recipe", "./gone.py"), "there is no file 'gone.py': "),
        (("--recipe", "./half.py"), "./half.py has no explain: a recipe needs train(seed)"),
        (("--recipe", "./none.py"), "a recipe needs rows to explain: give it data()"),
        (("rows.npz", "--recipe", "./none.py"), "rows.npz does not exist: expected an .npz with inputs"),
        (("--recipe", "./mine.py", "--seeds", "1"), "expected --seeds to be 2 or more, but got 1"),
        (("--recipe", "./other.py"), "data() returns other rows each time it is called: draw and split "),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_before_anything_is_trained(words: tuple[str, ...], told: str) -> None:
    three = "def train(seed): return 0\ndef predict(model, inputs): return [0.5] * len(inputs)\n"
    Path("half.py").write_text(three)
    Path("none.py").write_text(three + "def explain(model, inputs, target): return inputs\n")
    Path("other.py").write_text(
        Path("none.py").read_text()
        + "import random\ndef data(): return [[random.random(), 1.0]] * 4, [0, 1] * 2\n"
    )
    assert refused("audit", *words, "--out", "run", "--quiet").startswith(told)
    assert not Path("run").exists()


def test_the_same_question_in_python_is_the_same_run(folder: Path, undisturbed: Path) -> None:
    with on_the_spot():
        answer = holdfast.audit(recipe="./mine.py", seeds=3, instances=20, out="run")
    assert answer.run == Path("run")
    assert contents(folder / "run") == contents(undisturbed)


@pytest.mark.usefixtures("folder")
def test_functions_of_a_notebook_run_here_and_that_is_said() -> None:
    about = {"train": recipes.train, "predict": recipes.predict, "explain": recipes.explain}
    answer = holdfast.audit(recipes.data(), **about, seeds=2, instances=20, out="run")
    assert answer.answer.rows[0].explainer == "scores"
    page = Path("run/report.html").read_text()
    assert "The seeds ran in the process that asked for them: worker processes cannot import train" in page
    assert answer.answer.row.question("matters").because.startswith("give remove, and it is asked")
    again = holdfast.audit(recipes.data(), **about, seeds=2, instances=20, out="run")
    assert again == answer
    rows = recipes.data() | {"inputs": recipes.data()["inputs"] + 1.0}
    with pytest.raises(HoldfastError, match="run holds another plan \\(data: "):
        holdfast.audit(rows, **about, seeds=2, instances=20, out="run")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            {"models": "cnn"},
            "expected a recipe without models: it reads, trains and explains by itself, so say",
        ),
        (
            {"epochs": 3, "text": "x"},
            "expected a recipe without epochs and text: it reads, trains and explains",
        ),
        ({"recipe": "./mine.py"}, "expected a recipe or its functions, but got train, predict, explain too"),
        ({"predict": None}, "recipe: expected a function predict, but got nothing"),
        ({"data": None}, "a recipe needs rows to explain: give it data()"),
        ({"data": {"labels": [1]}}, "expected data of a recipe to be (inputs, labels)"),
    ],
)
def test_a_mistake_in_python_is_one_sentence(folder: Path, more: dict[str, object], told: str) -> None:
    about = {
        "data": recipes.data(),
        "train": recipes.train,
        "predict": recipes.predict,
        "explain": recipes.explain,
    }
    with pytest.raises(HoldfastError) as error:
        holdfast.audit(**(about | more))
    assert str(error.value).startswith(told)
    assert [path.name for path in folder.iterdir()] == ["mine.py"]


def test_a_folder_of_another_kind_of_run_is_left_alone(folder: Path, undisturbed: Path) -> None:
    copied(folder / "run")
    assert refused(*WORDS) == "the run is not of a recipe: use another --out, or --fresh to start over"
    told = refused("audit", "planted", "--out", str(undisturbed), "--seeds", "2", "--quiet")
    assert told.startswith("the run is of a recipe: this needs a run of models that holdfast trains")
    assert refused("compare", str(undisturbed), str(undisturbed)).startswith("the run is of a recipe")
