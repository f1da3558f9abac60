"""The shape of the code: imports point one way, tests mirror sources, and what is banned stays out."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import holdfast
from holdfast.data.base import Dataset, Split
from holdfast.data.named_set import NamedSet

ROOT = Path(holdfast.__file__).parent
TESTS = Path(__file__).parent
LAYERS = (
    "core", "data", "models", "train", "repair", "explain", "measure", "study", "report", "studies",
    "commands", "web", "cli",
)  # fmt: skip
MODULES = sorted(ROOT.rglob("*.py"))
LINES = 250

BANNED_IMPORTS = {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle"}
BANNED_CALLS = {"eval", "exec", "print", "hasattr", "torch.load", "__import__"}
# heavy parts are imported by the functions that need them, and by the drawing code alone
LAZY = {"altair", "vl_convert", "sklearn", "scipy", "pyarrow", "transformers", "captum"}
DRAWING = {f"report/charts/{name}.py" for name in ("encode", "facets", "panels", "planes")}

# one place turns what nobody foresaw into one line, one what somebody else's file raises as it is loaded
CATCH_ALL = {"cli/__init__.py", "core/outside.py"}
MODALITIES = tuple(sorted(path.stem for path in (ROOT / "data" / "modalities").glob("[a-z]*.py")))
# where mypy is told of which class a data set is, and a task of which modality
NARROWING = {"data/base.py", "data/named_set.py"}
OF_TASKS = re.compile(r"\btask\.(strip|length)\b")

WITHOUT_SOURCE = {
    "test_architecture.py",
    "test_public.py",
    "test_cli.py",
    "test_kill.py",
    "test_outsiders.py",
    "test_recipes.py",
    "test_docs.py",
    "test_results.py",
    "test_benchmarks.py",
    "test_examples.py",
    "test_notebooks.py",
    "test_moved.py",
    "test_walk.py",
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


def back_edges(path: Path) -> Iterator[str]:
    """Imports of a module that do not point left."""
    own = layer(name_of(path))
    if own in ("", "testing"):  # the front door offers every name, the contract suites test every part
        return
    if own not in LAYERS:
        yield f"{own} has no place in the order of the layers"
        return
    for module in everywhere(path):
        other = layer(module)
        if module.split(".")[0] != "holdfast":
            continue
        if not other:  # the front door itself knows the version, and offers the rest
            yield from [f"takes {name} by the front door" for name in from_the_door(path) - {"__version__"}]
        elif other == "testing" or LAYERS.index(other) > LAYERS.index(own):
            yield f"imports {module}"


def offenders(look: Callable[[Path], Iterable[str]]) -> list[str]:
    """What a look at each module finds, with the module's name."""
    return [f"{inside(path)} {what}" for path in MODULES for what in look(path)]


def test_imports_point_left():
    assert offenders(back_edges) == []


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


def banned(path: Path) -> Iterator[str]:
    """What a module does and must not do."""
    yield from [f"imports {name}" for name in {m.split(".")[0] for m in everywhere(path)} & BANNED_IMPORTS]
    front = inside(path) == "cli/__init__.py"
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and (called := ast.unparse(node.func)) in BANNED_CALLS:
            yield f"line {node.lineno} calls {called}"
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            wide = "Exception" in re.split(r"\W+", caught) and inside(path) not in CATCH_ALL
            if caught == "everything" or wide:
                yield f"line {node.lineno} catches {caught}"
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.argv" and not front:
            yield f"line {node.lineno} reads sys.argv"


def test_what_is_banned_stays_out():
    assert offenders(banned) == []


def asks_for_a_modality(path: Path) -> Iterator[str]:
    """Where a module finds out by itself what kind of data it has."""
    inner = inside(path)
    own = path.parent.name == "modalities" or inner.split("/")[:2] in [
        [layer, name] for layer in ("data", "models") for name in MODALITIES
    ]
    if own or inner in NARROWING:
        return
    asserted = [
        part for node in ast.walk(tree(path)) if isinstance(node, ast.Assert) for part in ast.walk(node)
    ]
    for node in ast.walk(tree(path)):
        if (why := _told_apart(node)) and not (isinstance(node, ast.Compare) and node in asserted):
            yield f"line {node.lineno} {why}: {ast.unparse(node)[:60]}"


def _told_apart(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
        classes = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
        return "tells a class of data" if classes & classes_of_data() else ""
    if isinstance(node, ast.Compare):
        values = [part for side in (node.left, *node.comparators) for part in _constants(side)]
        if any(value in MODALITIES for value in values):
            return "compares with the name of a modality"
        if re.search(r"\binputs\.(ndim|dim\(\)|shape\))", ast.unparse(node)):
            return "tells a rank"
        return "asks for strips or a length" if None in values and OF_TASKS.search(ast.unparse(node)) else ""
    if isinstance(node, ast.MatchValue):
        return "matches the name of a modality" if ast.unparse(node.value).strip("'") in MODALITIES else ""
    if isinstance(node, ast.If | ast.IfExp) and re.search(r"\.pictures\b", ast.unparse(node.test)):
        return "asks whether there are pictures"
    if isinstance(node, ast.Dict):
        keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
        return "has a table of modalities" if len(keys & set(MODALITIES)) > 1 else ""
    return ""


def _constants(side: ast.expr) -> list[object]:
    """What is written on one side of a comparison: a value, or several in brackets."""
    parts = side.elts if isinstance(side, ast.Set | ast.Tuple | ast.List) else [side]
    return [part.value for part in parts if isinstance(part, ast.Constant)]


@cache
def classes_of_data() -> set[str]:
    """Every class of data sets and splits, and of named sets all that are of one modality."""
    for name in NAMES:
        if layer(name) == "data":
            importlib.import_module(name)
    todo, found = [Dataset, Split, NamedSet], set()
    while todo:
        cls = todo.pop()
        found.add(cls.__name__)
        todo += cls.__subclasses__()
    return found - {NamedSet.__name__}


def test_only_the_files_of_a_modality_know_which_one_it_is():
    """All others ask it what they want to know (``holdfast.core.modality``)."""
    assert offenders(asks_for_a_modality) == []
    templates = [
        path for path in ROOT.rglob("*.html") if re.search(r"\bkind\s*[=!]=", path.read_text("utf-8"))
    ]
    assert templates == []


@pytest.mark.parametrize(
    "line",
    [
        "isinstance(dataset, TextDataset | InteractionDataset)",
        "issubclass(cls, ImageSet)",
        "task.kind == 'interaction'",
        "reads(source) != 'text'",
        "kinds == {'image'}",
        "family.dataset.task.strip is not None",
        "batch.inputs.ndim != 4",
        "1 if findings.pictures else 2",
        "{'text': 1, 'image': 2}[kind]",
    ],
)
def test_whoever_tells_modalities_apart_is_seen(line):
    assert any(_told_apart(node) for node in ast.walk(ast.parse(line)))


def test_what_only_looks_like_it_is_not():
    for line in (
        "figure.kind != 'surface'",
        "isinstance(value, str)",
        "a['text'] == b['image text']",
        "x or 0",
    ):
        told = [_told_apart(node) for node in ast.walk(ast.parse(line))]
        assert not any(told), told


def untidy(path: Path) -> Iterator[str]:
    """What a module's text lacks, or has too much of."""
    text = path.read_text("utf-8")
    if len(text.splitlines()) > LINES:
        yield f"has {len(text.splitlines())} lines"
    if text and not ast.get_docstring(tree(path)):
        yield "does not say what it is"
    yield from [f"has a {word}" for word in ("TODO", "FIXME", "XXX") if word in text]


def test_modules_are_short_and_say_what_they_are():
    assert offenders(untidy) == []


def test_heavy_parts_are_imported_where_they_are_used():
    def heavy(path: Path) -> set[str]:
        return {module.split(".")[0] for module in at_import(path)} & LAZY

    lazy = [path for path in MODULES if inside(path) not in DRAWING]
    assert {inside(path): heavy(path) for path in lazy if heavy(path)} == {}


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


def twin_of(path: Path) -> Path:
    return TESTS / path.relative_to(ROOT).with_name(f"test_{path.name}")


def is_one_feature(folder: Path) -> bool:
    """Whether the tests of this folder follow what it does, and not its files: a study does one thing, and so
    do the files that say what differs between modalities."""
    return folder.parent.name == "studies" or folder.name == "modalities"


def test_every_module_has_its_tests():
    def has_none(path: Path) -> bool:
        twin = twin_of(path)
        if is_one_feature(path.parent):
            return not any(twin.parent.glob("test_*.py"))
        return path.name != "__init__.py" and not twin.is_file()

    assert [inside(path) for path in MODULES if has_none(path)] == []


def test_every_file_of_tests_is_of_something():
    def is_of_nothing(path: Path) -> bool:
        inner = path.relative_to(TESTS)
        twin = ROOT / inner.with_name(inner.name.removeprefix("test_"))
        feature = is_one_feature(twin.parent) and twin.parent.is_dir()
        return not feature and inner.as_posix() not in WITHOUT_SOURCE and not twin.is_file()

    files = sorted(TESTS.rglob("test_*.py"))
    assert [path.relative_to(TESTS).as_posix() for path in files if is_of_nothing(path)] == []
    empty = [path for path in files if "def test_" not in path.read_text("utf-8")]
    assert empty == []


def test_the_exceptions_are_needed():
    assert all((TESTS / name).is_file() for name in WITHOUT_SOURCE)
    assert all((ROOT / name).is_file() for name in DRAWING)
