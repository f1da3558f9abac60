"""Methods outside the package, from the command line and Python to the report, worker processes included."""

import json
import os
import sys
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import pytest
from typer.testing import CliRunner

import holdfast
from holdfast.cli import app
from holdfast.core.errors import HoldfastError
from holdfast.core.files import json_bytes, sha256
from holdfast.core.sealed import write_sealed
from holdfast.explain.base import Explainer
from holdfast.explain.gradient import Gradient
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.measure.probes.deletion import Deletion
from holdfast.study.findings_file import read_findings
from holdfast.study.manifest import Manifest
from holdfast.train import here
from tests.core.outsider import FILES, forgotten, write_files, write_package
from tests.study.tiny import copied
from tests.study.tiny import here as in_process

DATA = "planted:train=40,validation=10,test=10"
BRIEF = ["--seeds", "2", "--epochs", "1", "--instances", "4", "--workers", "1", "--device", "cpu", "--quiet"]
POINTS = """
[holdfast.explainers]
mine = theirs.mine:Mine
gone = theirs.gone:Gone
attention = theirs.mine:Mine

[holdfast.repairs]
slow = theirs.slow:Slow

[holdfast.probes]
few = theirs.words:FewWords
"""


@pytest.fixture(autouse=True)
def code(tmp_path, monkeypatch):
    """A folder to work in that has somebody's own files."""
    with forgotten():
        monkeypatch.chdir(write_files(tmp_path / "code"))
        yield tmp_path / "code"


def run(*words: str) -> str:
    answer = CliRunner().invoke(app, list(words), env={"COLUMNS": "400"})
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer.output


def refused(*words: str) -> str:
    """The one sentence of a command that is refused with exit code 2."""
    answer = CliRunner().invoke(app, list(words))
    assert isinstance(answer.exception, HoldfastError), answer.output
    assert answer.exception.exit_code == 2
    assert "\n" not in str(answer.exception)
    return str(answer.exception)


def texts(folder) -> str:
    """Everything that a run says in words."""
    return "".join(path.read_text("utf-8") for path in folder.rglob("*") if path.suffix in (".json", ".html"))


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """A run of files, one of each kind, made by the command line with a worker process; its code is gone."""
    home = write_files(tmp_path_factory.mktemp("somewhere") / "code")
    folder = home.parent / "run"
    with forgotten(), pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        own = ["--explainer", "gradient,./mine.py:Mine,k=3", "--explainer", "random"]
        own += ["--model", "./means.py:Mean,hidden=3", "--repair", "none,./slow.py:Slow,by=.25"]
        own += ["--comparison", "jensen_shannon,./largest.py:Largest"]
        own += ["--probe", "comprehensiveness,./words.py:FewWords,steps=2"]
        run("audit", DATA, *own, *BRIEF, "--out", str(folder))
    return folder


def test_a_run_names_every_one_without_a_folder(audited):
    plan = json.loads((audited / "plan.json").read_text())
    assert plan["explainers"] == ["gradient", "mine.py:Mine,k=3", "random"]
    assert plan["models"] == ["means.py:Mean,hidden=3"]
    assert plan["repairs"] == ["none", "slow.py:Slow,by=0.25"]
    assert plan["probes"] == ["comprehensiveness", "words.py:FewWords,steps=2"]
    assert plan["comparisons"] == ["jensen_shannon", "largest.py:Largest"]
    assert plan["outside"] == {
        "largest.py:Largest": sha256(FILES["largest"].encode()),
        "means.py:Mean": sha256(FILES["means"].encode()),
        "mine.py:Mine": sha256(FILES["mine"].encode()),
        "slow.py:Slow": sha256(FILES["slow"].encode()),
        "words.py:FewWords": sha256(FILES["words"].encode()),
    }
    assert str(audited.parent) not in texts(audited)


def test_every_one_is_measured(audited):
    found = read_findings(audited)
    rows = {(row.model, row.repair, row.explainer, row.comparison) for row in found.rows}
    assert (
        "means.py:Mean,hidden=3",
        "slow.py:Slow,by=0.25",
        "mine.py:Mine,k=3",
        "largest.py:Largest",
    ) in rows
    assert {"gain", "cost"} <= {row.quantity for row in found.rows}
    drops = {(row.repair, row.explainer, row.probe) for row in found.rows if row.quantity == "drop"}
    assert ("slow.py:Slow,by=0.25", "mine.py:Mine,k=3", "words.py:FewWords,steps=2") in drops
    random = [row.probe for row in found.rows if row.quantity == "drop_random"]
    assert random == 2 * ["comprehensiveness", "words.py:FewWords,steps=2"]
    assert "mine.py:Mine,k=3" in {row.explainer for row in found.answer.rows}
    assert not any("cannot" in note or "could not" in note for note in found.notes)


def test_the_command_in_the_report_gives_the_run_again(audited, code):
    command = read_findings(audited).command
    assert "--explainer gradient,mine.py:Mine,k=3,random" in command
    assert "--comparison jensen_shannon,largest.py:Largest" in command
    assert "--probe comprehensiveness,words.py:FewWords,steps=2" in command
    before = (audited / "manifest.json").read_bytes()
    words = command.replace("'", "").split()[1:]
    run(*words, "--out", str(audited), "--quiet")
    assert (audited / "manifest.json").read_bytes() == before


def test_results_are_read_without_the_code(audited, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    before = (audited / "report.html").read_bytes()
    run("report", str(audited))
    assert (audited / "report.html").read_bytes() == before
    assert "gradient" in run("compare", str(audited), str(audited))
    assert not [name for name in sys.modules if name.endswith(".py")]


def test_changed_code_is_another_plan(audited, code):
    (code / "slow.py").write_text(FILES["slow"] + "\n")
    words = read_findings(audited).command.replace("'", "").split()[1:]
    said = refused(*words, "--out", str(audited), "--quiet")
    old, new = sha256(FILES["slow"].encode())[:8], sha256((code / "slow.py").read_bytes())[:8]
    assert said == (
        f"{audited} holds another plan (the code of slow.py:Slow: SHA-256 {old}… there, {new}… here): "
        "use another --out, or --fresh to start over"
    )
    (code / "mine.py").unlink()
    said = refused(*words, "--out", str(audited), "--quiet")
    assert said.startswith("there is no file 'mine.py': expected package.module:Class")


def test_explaining_something_new_needs_the_code_of_the_model(audited, code):
    said = refused("explain", str(audited), "a good film")
    assert said == (
        "the code of means.py:Mean, which is not part of holdfast, is needed for this: name it as it was "
        "then, with --model or --repair"
    )
    own = ("--model", "./means.py:Mean,hidden=3")
    assert "gradient" in run("explain", str(audited), "a good film", *own)
    assert "mine.py:Mine" in run(
        "explain", str(audited), "a good film", *own, "--explainer", "./mine.py:Mine"
    )
    (code / "means.py").write_text(FILES["means"] + "\n")
    said = refused("explain", str(audited), "a good film", *own)
    assert said.startswith(
        "the code of means.py:Mean, which is not part of holdfast, has changed since the run"
    )


def plant(folder, **changes) -> None:
    """A run's plan as an attacker would leave it, with all checksums in order."""
    plan = json.loads((folder / "plan.json").read_text()) | changes
    data = json_bytes(plan)
    (folder / "plan.json").write_bytes(data)
    files = {name: vars(entry) for name, entry in Manifest(folder).read().items()}
    files["plan.json"] = {"bytes": len(data), "sha256": sha256(data)}
    write_sealed(folder / "manifest.json", {"schema": 2, "files": files})


@pytest.mark.parametrize(
    "name", ["./evil.py:Evil", "evil.py:Evil", "evil:Evil", "os:system", "antigravity:Fly"]
)
def test_a_run_folder_never_loads_code(tmp_path, code, monkeypatch, name):
    folder = copied(tmp_path / "run")
    for place in (code, folder):
        (place / "evil.py").write_text("open('loaded', 'w')")
    monkeypatch.syspath_prepend(code)
    own = {"models": [name], "repairs": [name], "explainers": [name], "comparisons": [name]}
    own |= {"probes": [name]}
    commands = (
        ("report", str(folder)),
        ("compare", str(folder), str(folder)),
        ("explain", str(folder), "a good film"),
        ("audit", "--out", str(folder), *BRIEF),
    )
    for outside, words in product(({name: "0" * 64}, {}), commands):
        plant(folder, **own, outside=outside)
        answer = CliRunner().invoke(app, list(words))
        failed = isinstance(answer.exception, HoldfastError) and answer.exception.exit_code == 2
        assert failed or (words[0] == "report" and outside), answer.exception
    assert not (code / "loaded").exists()
    assert not {"evil", "evil.py", "antigravity"} & set(sys.modules)


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package with entry points where workers find it too."""
    site = write_package(tmp_path / "site", POINTS)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(site)
    here._origin.cache_clear()
    yield
    here._origin.cache_clear()


@pytest.mark.usefixtures("installed")
def test_an_installed_package_is_used_by_name(tmp_path):
    own = ["--explainer", "mine:k=3,theirs.mine:Mine", "--repair", "slow", "--model", "theirs.means:Mean"]
    own += ["--probe", "few:steps=1"]
    run("audit", DATA, *own, *BRIEF, "--out", str(tmp_path / "run"))
    found = read_findings(tmp_path / "run")
    assert {row.explainer for row in found.answer.rows} == {"theirs.mine:Mine,k=3", "theirs.mine:Mine"}
    assert {row.repair for row in found.rows} == {"theirs.slow:Slow"}
    assert {row.probe for row in found.rows if row.quantity != "permutation"} == {
        "", "theirs.words:FewWords,steps=1"
    }  # fmt: skip
    assert not any("cannot" in note for note in found.notes)


@dataclass(frozen=True)
class Steep(Explainer):
    """An explainer of this module."""

    signed: ClassVar[bool] = False

    k: int = 1

    def scores(self, run, batch, target, noise=None):
        return Gradient().scores(run, batch, target) ** self.k


@dataclass(frozen=True)
class Some(Comprehensiveness):
    """A probe of this module."""

    shares: tuple[int | float, ...] = (30,)


def test_objects_are_taken_in_python(tmp_path):
    @dataclass(frozen=True)
    class Local(Steep):
        """No worker can import it."""

    about = {"seeds": 2, "epochs": 1, "instances": 4, "device": "cpu", "workers": 1}
    explainers = [Steep(), Steep(k=3), Local(k=2), Gradient()]
    about |= {"probes": [Some(), Deletion(fill="hole", steps=2)]}
    with in_process():
        answer = holdfast.audit(DATA, "average:dim=4", explainers=explainers, out=tmp_path / "run", **about)
    local = f"{__name__}:test_objects_are_taken_in_python.Local"
    names = [f"{__name__}:Steep", f"{__name__}:Steep,k=3", f"{local},k=2", "gradient"]
    assert {row.explainer for row in answer.answer.rows} == set(names)
    assert (
        f"Worker processes cannot import {local}: what it takes part in ran in the process that started them."
        in read_findings(tmp_path / "run").notes
    )
    rows = read_findings(tmp_path / "run").rows
    probes = dict.fromkeys(row.probe for row in rows if row.probe and row.quantity != "permutation")
    assert list(probes) == [f"{__name__}:Some", "deletion:fill=hole,steps=2"]
    again = holdfast.audit(DATA, "average:dim=4", explainers=explainers, out=tmp_path / "run", **about)
    assert again == answer


@pytest.mark.parametrize(
    ("option", "given", "said"),
    [
        ("--explainer", "./gone.py:Mine", "there is no file 'gone.py': "),
        (
            "--explainer",
            "attention,./mine.py:Mien,k=3",
            "./mine.py:Mien: there is no class 'Mien' in ./mine.py",
        ),
        ("--explainer", "./mine.py:Mine,kk=3", "unknown setting of mine 'kk'"),
        ("--model", "./mine.py:Mine", "mine.py:Mine is not a kind of model: expected a subclass of "),
        (
            "--repair",
            "none,./bad.py:Slow",
            "cannot load bad.py: bad.py line 2 raised NameError: name 'x' is ",
        ),
        ("--comparison", "no.such:Thing", "there is no module 'no.such': "),
        ("--probe", "./mine.py:Mine", "mine.py:Mine is not a kind of probe: expected a subclass of "),
        ("--probe", "./words.py:FewWords,steps=0", "few_words: expected steps to be at least 1, but got 0"),
    ],
)
def test_a_mistake_is_one_sentence_before_anything_is_written(code, option, given, said):
    (code / "bad.py").write_text("y = 1\nx\n")
    assert refused("audit", DATA, option, given, *BRIEF, "--out", "run").startswith(said)
    assert not (code / "run").exists()


def test_an_explainer_with_a_mistake_is_named_and_the_rest_goes_on(tmp_path, code):
    wrong = FILES["mine"].replace("** self.k", "+ self.nothing")
    (code / "wrong.py").write_text(wrong)
    wide = FILES["mine"].replace("place(", "(").replace(", batch) **", ") **")
    (code / "wide.py").write_text(wide)
    given = "gradient,./wrong.py:Mine,./wide.py:Mine"
    words = ["audit", DATA, "--model", "average:dim=4", "--explainer", given]
    with in_process():
        run(*words, *BRIEF, "--out", str(tmp_path / "run"))
    notes = " ".join(read_findings(tmp_path / "run").notes)
    assert "wrong.py:Mine could not explain average:dim=4: AttributeError: 'Mine' object has no" in notes
    assert (
        "wide.py:Mine could not explain average:dim=4: BadSetting: mine: expected a score for each" in notes
    )


@pytest.mark.usefixtures("installed")
def test_what_installed_packages_offer_is_listed_with_their_names():
    assert "random, rollout" in (names := " ".join(run("list").split()))
    assert "gone, mine" in names
    assert "theirs" not in sys.modules, "names alone load nothing"
    shown = " ".join(run("list", "explainers").split())
    assert "mine k=2 The slope to some power. (theirs 1.2, theirs.mine:Mine)" in shown
    assert "gone gone of theirs 1.2 cannot be used: there is no module 'theirs.gone'" in shown
    assert "attention (theirs 1.2, theirs.mine:Mine: holdfast already has this name" in shown
    assert refused("audit", DATA, "--explainer", "gone", *BRIEF).startswith(
        "gone of theirs 1.2 cannot be used"
    )
