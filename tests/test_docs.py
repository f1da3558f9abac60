"""The documentation is true: its links lead somewhere, its commands parse, its code runs."""

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
import typer
from typer.testing import CliRunner

import holdfast
from holdfast.cli import app
from holdfast.core.catalogue import make
from holdfast.core.errors import UnknownName
from holdfast.core.settings import split_list
from holdfast.study.findings_file import read_findings
from tests.core.outsider import forgotten
from tests.study.recipe.pools import on_the_spot
from tests.study.tiny import here
from tests.test_architecture import LAYERS

ROOT = Path(__file__).parents[1]
TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PAGES = sorted([*(ROOT / name for name in TOP), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
OPTIONS = {
    "model": "models",
    "repair": "repairs",
    "explainer": "explainers",
    "probe": "probes",
    "perturb": "perturbations",
    "optimiser": "optimisers",
}
ANSWER = re.compile(r"^print\(.*\)  # → (.+)$", re.MULTILINE)
BRIEF = shlex.split("--seeds 2 --epochs 1 --instances 2 --workers 1 --device cpu --quiet")
SET_UP = ("pip install . && holdfast audit", "pip install -e '.[test]' && pytest")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path, language: str) -> list[str]:
    return [body for kind, body in BLOCK.findall(path.read_text("utf-8")) if kind == language]


def prose(path: Path) -> str:
    return BLOCK.sub("", path.read_text("utf-8"))


def anchors(path: Path) -> set[str]:
    """The names that headings have as link targets."""
    heads = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def commands(path: Path) -> list[list[str]]:
    """Every ``holdfast …`` of the page's shell blocks, as words; what stands before it is left out."""
    lines = [line for block in blocks(path, "sh") for line in block.replace("\\\n", " ").splitlines()]
    parts = [part for line in lines for part in line.split("&&")]
    words = [shlex.split(part, comments=True) for part in parts]
    return [some[some.index("holdfast") + 1 :] for some in words if "holdfast" in some]


def parse(words: list[str]) -> None:
    """Read a command as the command line would, without carrying it out."""
    name, *rest = words
    assert name in COMMANDS, f"there is no command '{name}'"
    given = COMMANDS[name].make_context(name, rest).params
    for option, kind in OPTIONS.items():
        typed = given.get(option) or ""
        for text in split_list(typed if isinstance(typed, str) else ",".join(typed)):
            make(kind, text)


def audits(body: str) -> bool:
    """Whether a block starts worker processes."""
    return "holdfast.audit(" in body and "no-such-set" not in body


def test_pages_are_found():
    assert len(PAGES) > len(TOP) + 10
    assert sum(len(commands(path)) for path in PAGES) >= 25
    assert sum(len(blocks(path, "python")) for path in PAGES) > 15


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_links_lead_somewhere(path):
    for link in LINK.findall(prose(path)):
        if link.startswith(("https://", "http://")):
            continue
        where, _, anchor = link.partition("#")
        target = (path.parent / unquote(where)).resolve() if where else path
        assert target.exists(), f"{named(path)} links to {link}"
        assert not anchor or anchor in anchors(target), f"{named(path)} links to {link}"


def test_every_page_is_in_the_index():
    index = ROOT / "docs" / "README.md"
    linked = set(LINK.findall(prose(index)))
    for path in (ROOT / "docs").glob("*.md"):
        assert path == index or path.name in linked, f"docs/README.md does not name {path.name}"


@pytest.mark.parametrize("path", [path for path in PAGES if commands(path)], ids=named)
def test_commands_parse(path):
    own = {"steepness", "gated", "ema", "leaky", "mine.py"}  # that a page has just shown how to add
    for words in commands(path):
        if not any(name in word for word in words for name in own):
            parse(words)


@pytest.mark.parametrize(
    "line", ["audti", "audit --seed 3", "audit --seeds many", "audit --model cnnn", "explain", "list a b"]
)
def test_a_wrong_command_does_not_parse(line):
    with pytest.raises((AssertionError, typer.BadParameter.__mro__[1], UnknownName)):
        parse(line.split())


def test_every_command_is_in_the_readme():
    text = (ROOT / "README.md").read_text("utf-8")
    for name in COMMANDS:
        assert f"`holdfast {name}" in text, f"README.md does not tell of '{name}'"


def test_contributing_has_the_layers_and_every_folder():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert f"`{' → '.join(LAYERS)}`" in text
    listed = {
        name
        for row in re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    source = Path(holdfast.__file__).parent
    assert listed == {path.parent.name for path in source.glob("*/__init__.py")}


def test_set_up_is_two_commands():
    shown = [line for block in blocks(ROOT / "README.md", "sh") for line in block.splitlines()]
    assert set(SET_UP) <= set(shown)


@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "python")], ids=named)
def test_code_compiles(path):
    for body in blocks(path, "python"):
        compile(body, named(path), "exec")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """An empty folder to work in that has the example files where a checkout has them."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    monkeypatch.chdir(tmp_path)


def run(bodies: list[str]) -> None:
    """Run blocks one after the other, as a reader would; what stands behind an arrow is printed, in order."""
    space = {"__name__": "page"}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        for body in bodies:
            exec(compile(body, "page", "exec"), space)
    assert said.getvalue() or "print(" not in "".join(bodies)
    lines = iter(said.getvalue().splitlines())
    for answer in ANSWER.findall("\n".join(bodies)):
        assert answer in lines, f"{answer} is not printed, or not in this place"


@pytest.mark.usefixtures("checkout")
@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "python")], ids=named)
def test_code_runs(path):
    run([body for body in blocks(path, "python") if not audits(body)])


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in PAGES if any(map(audits, blocks(p, "python")))], ids=named)
@pytest.mark.usefixtures("checkout")
def test_code_that_audits_runs(path):
    run(blocks(path, "python"))


RECIPES = {
    "your-own-parts": ("mine", "--explainer", "attention,./mine.py:Mine,k=3"),
    "add-an-explainer": ("steepness", "--explainer", "gradient,./steepness.py:Steepness,power=1"),
    "add-a-model": ("gated", "--model", "./gated.py:Gated,hidden=4,dim=4"),
    "add-a-repair": ("ema", "--repair", "./ema.py:Ema,decay=0.9"),
    "add-a-probe": ("unknown", "--probe", "comprehensiveness,./unknown.py:Unknown,k=3"),
    "add-a-perturbation": ("blanked", "--perturb", "dropped,./blanked.py:Blanked,count=2"),
    "add-a-comparison": ("hellinger", "--comparison", "jensen_shannon,./hellinger.py:Hellinger"),
}


@pytest.mark.usefixtures("checkout")
@pytest.mark.parametrize("page", RECIPES)
def test_a_recipe_works_from_a_file(page):
    name, option, written = RECIPES[page]
    Path(f"{name}.py").write_text(blocks(ROOT / "docs" / f"{page}.md", "python")[0], "utf-8")
    words = ["audit", "planted:train=40,validation=10,test=10", option, written]
    words += [] if option == "--model" else ["--model", "average:dim=4"]
    words += [] if option == "--explainer" else ["--explainer", "gradient"]
    with forgotten(), here():
        carry_out([*words, *BRIEF, "--out", "run"])
        found = read_findings(Path("run"))
    assert not any("could not" in note for note in found.notes)
    assert f"{name}.py:{name.title()}" in str(found.plan["outside"])


@pytest.mark.usefixtures("checkout")
def test_the_recipe_of_its_page_works_from_a_file():
    Path("mine.py").write_text(blocks(ROOT / "docs" / "audit-anything.md", "python")[0], "utf-8")
    with on_the_spot():
        carry_out(["audit", "--recipe", "./mine.py", "--seeds", "2", "--instances", "30", "--out", "run"])
    found = read_findings(Path("run"))
    assert found.answer.rows[0].question("matters").answer != "not asked"


def examples(name: str) -> list[list[str]]:
    """The README's commands that write a run of this name, or read it."""
    return [words for words in commands(ROOT / "README.md") if f"holdfast-runs/{name}" in words]


def carry_out(words: list[str]) -> None:
    answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, f"{shlex.join(words)}: {answer.output}{answer.exception}"


@pytest.mark.usefixtures("checkout")
@pytest.mark.parametrize("name", ["reviews", "plays"])
def test_examples_with_files_run(name):
    audit, *others = examples(name)
    with here():
        carry_out([*audit, *BRIEF])
    assert others
    for words in others:
        carry_out(words)


@pytest.mark.slow
@pytest.mark.usefixtures("checkout")
@pytest.mark.parametrize("name", ["reviews", "digits", "plays"])
def test_examples_run_in_full(name):
    for words in examples(name):
        carry_out(words)


def test_example_files_are_small():
    assert all(path.stat().st_size < 100_000 for path in (ROOT / "docs" / "examples").iterdir())


def test_pictures_are_small():
    pictures = list((ROOT / "docs" / "images").iterdir())
    assert pictures
    assert all(picture.stat().st_size < 150_000 for picture in pictures)


def test_citation_knows_the_version():
    from holdfast import __version__

    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {__version__}\n" in text
    assert "\nlicense: Apache-2.0\n" in text
