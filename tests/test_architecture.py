"""The shape of the code: imports point one way, tests mirror sources, and what is banned stays out."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import holdfast

ROOT = Path(holdfast.__file__).parent
TESTS = Path(__file__).parent
LAYERS = (
    "core", "data", "models", "train", "repair", "explain", "measure", "study", "report", "studies",
    "commands", "web", "cli",
)  # fmt: skip
MODULES = sorted(ROOT.rglob("*.py"))
LINES = 300

BANNED_IMPORTS = {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle"}
BANNED_CALLS = {"eval", "exec", "print", "hasattr", "torch.load", "__import__"}
# heavy parts are imported by the functions that need them, and by the drawing code alone
LAZY = {"altair", "vl_convert", "sklearn", "scipy", "pyarrow", "transformers", "captum"}
DRAWING = {f"report/charts/{name}.py" for name in ("encode", "facets", "panels", "planes")}

# one place turns what nobody foresaw into one line, one what somebody else's file raises as it is loaded
CATCH_ALL = {"cli/__init__.py", "core/outside.py"}

WITHOUT_TEST = {"__init__.py"}
WITHOUT_SOURCE = {
    "test_architecture.py",
    "test_public.py",
    "test_cli.py",
    "test_kill.py",
    "test_outsiders.py",
    "test_docs.py",
    "test_results.py",
    "test_benchmarks.py",
    "test_examples.py",
    "report/test_browser.py",
    "data/test_real.py",
}


def inside(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def name_of(path: Path) -> str:
    """``src/holdfast/core/files.py`` → ``holdfast.core.files``."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path): path for path in MODULES}


def imported(path: Path, nodes: list[ast.AST]) -> set[str]:
    """Every module that these statements import, by its full name."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{inside(path)}:{node.lineno} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} & NAMES.keys() or {node.module}
    return found


def everywhere(path: Path) -> set[str]:
    """What a module imports, in functions too."""
    return imported(path, list(ast.walk(tree(path))))


def at_import(path: Path) -> set[str]:
    """What importing a module imports: not in functions, not for the type checker."""
    nodes: list[ast.AST] = []
    todo: list[ast.AST] = list(tree(path).body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            todo += node.orelse
            continue
        nodes.append(node)
        todo += ast.iter_child_nodes(node)
    return imported(path, nodes)


def from_the_door(path: Path) -> set[str]:
    """The names that a module takes from ``holdfast`` itself."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module == "holdfast":
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "holdfast":
            found.add(node.attr)
    return found


def layer(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("path", MODULES, ids=inside)
def test_imports_point_left(path):
    own = layer(name_of(path))
    if own in ("", "testing"):  # the front door offers every name, the contract suites test every part
        return
    assert own in LAYERS, f"{own} has no place in the order of the layers"
    for module in everywhere(path):
        if module.split(".")[0] == "holdfast":
            other = layer(module)
            if not other:  # the front door itself knows the version, and offers the rest
                assert from_the_door(path) == {"__version__"}, f"{inside(path)} imports by the front door"
                continue
            assert other != "testing", f"{inside(path)} imports {module}"
            assert LAYERS.index(other) <= LAYERS.index(own), f"{inside(path)} imports {module}: a back edge"


def test_there_are_no_import_cycles():
    graph = {
        name: everywhere(path) & NAMES.keys() - {name} for name, path in NAMES.items() if name != "holdfast"
    }
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, f"a cycle: {' → '.join([*path[path.index(name) :], name])}"
        if name not in done:
            for other in sorted(graph.get(name, ())):
                visit(other, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def study(module: str) -> str:
    """``holdfast.studies.rollout.names`` → ``rollout``; nothing where it is of no study."""
    parts = module.split(".")
    own = parts[:2] == ["holdfast", "studies"] and len(parts) > 2
    return parts[2] if own and parts[2] != "base" else ""


def strangers(imports: dict[str, set[str]]) -> list[str]:
    """Every import of a study from outside its own folder: the catalogue finds studies, nobody names one."""
    return [
        f"{name} imports {module}"
        for name, modules in sorted(imports.items())
        for module in sorted(modules)
        if study(module) not in ("", study(name)) and layer(name) != "testing"
    ]


def test_a_study_is_imported_by_itself_alone():
    assert strangers({name: everywhere(path) for name, path in NAMES.items()}) == []


def test_a_stranger_in_a_study_is_seen():
    folder = "holdfast.studies.rollout"
    fine = {"holdfast.testing.study": {folder}, f"{folder}.page": {f"{folder}.names"}}
    assert strangers(fine | {"holdfast.commands.reproduce": {"holdfast.studies.base"}}) == []
    assert strangers(
        {"holdfast.report.html": {folder, f"{folder}.names"}, "holdfast.studies.seat": {folder}}
    ) == [
        f"holdfast.report.html imports {folder}",
        f"holdfast.report.html imports {folder}.names",
        f"holdfast.studies.seat imports {folder}",
    ]


@pytest.mark.parametrize("path", MODULES, ids=inside)
def test_what_is_banned_stays_out(path):
    assert not {module.split(".")[0] for module in everywhere(path)} & BANNED_IMPORTS
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in BANNED_CALLS, f"{inside(path)}:{node.lineno} calls {called}"
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"{inside(path)}:{node.lineno} has a bare except"
            caught = ast.unparse(node.type)
            everything = "Exception" in re.split(r"\W+", caught)
            assert not everything or inside(path) in CATCH_ALL, (
                f"{inside(path)}:{node.lineno} catches everything"
            )
        if isinstance(node, ast.Attribute):
            assert ast.unparse(node) != "sys.argv" or inside(path) == "cli/__init__.py", (
                f"{inside(path)}:{node.lineno}"
            )


@pytest.mark.parametrize("path", MODULES, ids=inside)
def test_modules_are_short_and_say_what_they_are(path):
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= LINES, f"{inside(path)} asks to be two modules"
    assert not text or ast.get_docstring(tree(path)), f"{inside(path)} does not say what it is"
    assert not any(word in text for word in ("TODO", "FIXME", "XXX")), f"{inside(path)} is not finished"


@pytest.mark.parametrize("path", MODULES, ids=inside)
def test_heavy_parts_are_imported_where_they_are_used(path):
    if inside(path) not in DRAWING:
        heavy = {module.split(".")[0] for module in at_import(path)} & LAZY
        assert not heavy, f"{inside(path)} imports {heavy} at once"


def test_only_the_drawing_code_imports_altair_at_once():
    drawers = {name for name, path in NAMES.items() if inside(path) in DRAWING}
    for name, path in NAMES.items():
        if name not in drawers and at_import(path) & drawers:
            users = [n for n, p in NAMES.items() if name in at_import(p)]
            assert not users, f"{name} imports the drawing code at once, and {users} import it"


def loaded(statement: str, names: tuple[str, ...]) -> list[str]:
    """Which of these modules a fresh interpreter has after a statement."""
    code = f"import sys; {statement}; sys.stdout.write(' '.join(n for n in {names!r} if n in sys.modules))"
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("statement", ["import holdfast", "import holdfast.cli"])
def test_help_costs_nothing(statement):
    assert (
        loaded(statement, ("torch", "numpy", "pyarrow", "altair", "vl_convert", "sklearn", "scipy", "jinja2"))
        == []
    )


def test_a_worker_loads_no_more_than_it_needs():
    """It starts once per core."""
    wanted = ("pyarrow", "altair", "vl_convert", "sklearn", "scipy", "jinja2", "typer", "rich")
    assert loaded("import holdfast.train.worker", wanted) == []


@pytest.mark.parametrize("path", MODULES, ids=inside)
def test_every_module_has_its_tests(path):
    if path.name in WITHOUT_TEST:
        return
    twin = TESTS / path.relative_to(ROOT).with_name(f"test_{path.name}")
    assert twin.is_file(), f"{inside(path)} has no {twin.relative_to(TESTS.parent)}"
    assert any(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in ast.walk(tree(twin))
    ), f"{twin.relative_to(TESTS.parent)} tests nothing"


@pytest.mark.parametrize(
    "path", sorted(TESTS.rglob("test_*.py")), ids=lambda path: path.relative_to(TESTS).as_posix()
)
def test_every_test_has_its_module(path):
    inner = path.relative_to(TESTS)
    if inner.as_posix() not in WITHOUT_SOURCE:
        twin = ROOT / inner.with_name(inner.name.removeprefix("test_"))
        assert twin.is_file(), f"tests/{inner} mirrors nothing: there is no {twin.relative_to(ROOT.parent)}"


def test_the_exceptions_are_needed():
    assert all((TESTS / name).is_file() for name in WITHOUT_SOURCE)
    assert all((ROOT / name).is_file() for name in DRAWING)
