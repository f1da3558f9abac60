"""The command line as a person or a script meets it: exit codes, JSON, bad input in one sentence."""

import errno
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from holdfast import __version__
from holdfast.cli import main
from holdfast.commands.audit import Audited
from holdfast.report.junit import junit
from holdfast.report.markdown import markdown
from tests.study import answers
from tests.study.tiny import WORDS, Here, contents, copied, finished, flip, weights

GOOD = "text,label\n" + "".join(
    f"a {'good' if i % 2 else 'bad'} film number {i},{i % 2}\n" for i in range(20)
)


class Answer(NamedTuple):
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str


Typed = Callable[..., Answer]


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Typed]:
    """Type a command in an empty folder, without starting a process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("holdfast.study.engine.Pool", Here)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def run(*words: str) -> Answer:
        monkeypatch.setattr(sys, "argv", ["holdfast", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        out, err = capsys.readouterr()
        return Answer(code if isinstance(code, int) else 0, out, err)

    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)


def spawn(*words: str, cwd: Path, first: str = "") -> "subprocess.Popen[str]":
    """The command as a real process; ``first`` is what it does before anything else."""
    return subprocess.Popen(
        [sys.executable, "-c", f"{first}\nfrom holdfast.cli import main; main()", *words],
        cwd=cwd,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def one_sentence(answer: Answer, code: int) -> str:
    """The sentence, if it is one clean line and nothing else was said."""
    assert answer.code == code, answer
    assert answer.out == ""
    assert "Traceback" not in answer.err
    assert answer.err.startswith("holdfast: ")
    assert answer.err.count("\n") == 1
    return answer.err.removeprefix("holdfast: ").rstrip("\n")


# Help


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom holdfast.cli import main\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        "print('\\n' + ' '.join(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    for words in (["--help"], ["audit", "--help"], ["reproduce", "--help"], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        *_, modules = done.stdout.splitlines()
        heavy = {
            "torch",
            "numpy",
            "scipy",
            "sklearn",
            "pyarrow",
            "altair",
            "vl_convert",
            "jinja2",
            "safetensors",
        }
        assert heavy & set(modules.split()) == set(), words
        assert "typer" in modules


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_help_names_every_command(typed: Typed, words: list[str]) -> None:
    answer = typed(*words)
    assert answer.code == 0
    for name in ("audit", "explain", "compare", "list", "reproduce", "report", "bench"):
        assert name in answer.out


def test_the_version(typed: Typed) -> None:
    assert typed("--version") == Answer(0, f"holdfast {__version__}\n", "")


# Answers


def test_an_audit_answers_in_json_and_in_nothing_else(typed: Typed, tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    answer = typed("audit", *WORDS, "--out", "run", "--json")
    assert (answer.code, answer.err) == (0, "")
    told = json.loads(answer.out)
    assert set(told) == {
        "schema", "verdict", "between", "headline", "reason", "do", "decides", "rows", "quality", "members",
        "worth", "run", "seconds",
    }  # fmt: skip
    assert (told["schema"], told["verdict"]) == (2, "undecided")  # three seeds, thirty examples
    assert set(told["decides"]) == {"model", "repair", "explainer"}
    assert [row["explainer"] for row in told["rows"]].count("random") == 0
    assert told["rows"][0] | told["decides"] == told["rows"][0]
    for row in told["rows"]:
        assert all(end is None or 0 <= end <= 1 for end in (row["hold"], row["low"], row["high"]))
        assert [one["name"] for one in row["questions"]] == [
            "learned", "says", "survives", "matters", "calibrated"
        ]  # fmt: skip
        for one in row["questions"]:
            assert {"name", "answer", "value", "low", "high", "limit"} <= set(one)
            assert one["answer"] in ("passed", "failed", "undecided", "not asked")
    quality = told["quality"]
    assert (quality["metric"], quality["n"]) == ("accuracy", 3)
    assert 0 <= quality["mean"] <= 1
    assert set(quality["f1"]["by_class"]) == {"negative", "positive"}
    assert quality["f1"]["macro"]["mean"] == pytest.approx(sum(quality["f1"]["by_class"].values()) / 2)
    assert told["members"] == {"trained": 3, "left_out": [], "odd": []}
    assert told["run"] == "run"
    assert told["seconds"] >= 0
    assert contents(run) == contents(finished())


def test_an_audit_answers_a_person(typed: Typed, tmp_path: Path) -> None:
    copied(tmp_path / "run")
    answer = typed("audit", *WORDS, "--out", "run")
    assert answer.code == 0
    verdict = json.loads((finished() / "verdict.json").read_text())
    assert answer.out.startswith(verdict["verdict"].upper())
    assert "Report: run/report.html" in answer.out


ANSWER = answers.answer(answers.row("lrp", low=0.5), answers.row("attention", "shaky", 0.5))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--fail-under", "0.5"], 0),
        (["--fail-under", "0.51"], 3),
        (["--fail-under", "0", "--explainer", "attention,lrp"], 3),
        (["--fail-under", "0.5", "--explainer", "random,lrp"], 0),
        (["--fail-under", "0", "--explainer", "gradient"], 3),
        (["--explainer", "attention"], 0),
    ],
)
def test_fail_under(
    typed: Typed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], code: int
) -> None:
    """The gate shuts after everything is said and written."""
    monkeypatch.setattr("holdfast.commands.audit.carry_out", lambda *_: Audited(Path("run"), ANSWER, 1.0))
    told = typed("audit", "--json", *words, "--junit", "new/a.xml", "--markdown", "b.md")
    assert (told.code, told.err) == (code, "")
    assert json.loads(told.out) == ANSWER.to_json() | {"run": "run", "seconds": 1.0}
    assert (tmp_path / "new" / "a.xml").read_text() == junit(ANSWER)
    assert (tmp_path / "b.md").read_text() == markdown(ANSWER)


@pytest.mark.parametrize("option", ["--junit", "--markdown"])
def test_a_summary_that_cannot_be_written_is_refused_before_anything_is_trained(
    typed: Typed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, option: str
) -> None:
    monkeypatch.setattr("holdfast.commands.audit.carry_out", None)
    (tmp_path / "file").touch()
    told = typed("audit", option, "file/below")
    assert one_sentence(told, 2) == (
        f"expected {option} to be a file that can be written, but file/below cannot: File exists"
    )


def test_explain_and_its_json(typed: Typed, tmp_path: Path) -> None:
    run = str(finished())
    words = "a [bold]dull[/bold] film \x1b[95m"
    told = typed("explain", run, words, "--explainer", "attention,gradient")
    assert told.code == 0
    assert "[" in told.out
    assert "bold" in told.out
    assert "\x1b" not in told.out
    answer = json.loads(typed("explain", run, words, "--json").out)
    assert answer["schema"] == 2
    assert answer["tokens"][:5] == ["a", "[", "bold", "]", "dull"]
    assert answer["seeds"] == [0, 1, 2]


def test_compare_and_its_json(typed: Typed) -> None:
    runs = str(finished()), str(finished("aswa"))
    told = typed("compare", *runs).out
    answer = json.loads(typed("compare", *runs, "--json").out)
    assert answer["sentence"] in " ".join(told.split())
    assert (answer["schema"], answer["seeds"]) == (2, 3)


def test_list_and_report(typed: Typed, tmp_path: Path) -> None:
    assert "bilstm" in typed("list").out
    assert "naswa" in typed("list", "repairs").out
    run = copied(tmp_path / "run")
    (run / "report.html").unlink()
    assert typed("report", "run") == Answer(0, "Report: run/report.html\n", "")
    assert contents(run) == contents(finished())
    assert typed("report", "run", "--no-text") == Answer(0, "Report: run/report-no-text.html\n", "")


def test_fewer_than_two_members_is_a_failure(typed: Typed) -> None:
    words = [*WORDS, "--optimiser", "sgd:lr=1e30"]
    sentence = one_sentence(typed("audit", *words), 1)
    assert sentence.startswith("0 of 3 members trained well, but two are needed (seed 0: diverged in epoch 1")
    answer = typed("audit", *words, "--json")
    assert answer.code == 1
    assert json.loads(answer.out) == {"schema": 2, "error": {"kind": "TooFewMembers", "message": sentence}}


# Bad input


def file(name: str, data: str | bytes, *options: str) -> Callable[[Path], list[str]]:
    """An audit of one file."""

    def make(folder: Path) -> list[str]:
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return ["audit", name, *options]

    return make


def words(*some: str) -> Callable[[Path], list[str]]:
    return lambda folder: list(some)


def a_folder(folder: Path) -> list[str]:
    (folder / "folder.csv").mkdir()
    return ["audit", "folder.csv"]


def out_is_a_file(folder: Path) -> list[str]:
    (folder / "file").write_text("mine")
    return ["audit", *WORDS, "--out", "file"]


def out_is_no_run(folder: Path) -> list[str]:
    (folder / "out").mkdir()
    (folder / "out" / "mine.txt").write_text("mine")
    return ["audit", *WORDS, "--out", "out", "--fresh"]


def changed(change: Callable[[Path], object], *then: str) -> Callable[[Path], list[str]]:
    """A command on a finished run that something happened to."""

    def make(folder: Path) -> list[str]:
        change(copied(folder / "run"))
        return list(then)

    return make


def another_version(run: Path) -> None:
    (run / "manifest.json").write_text(json.dumps({"schema": 1, "files": {}}))


AUDIT = ("audit", *WORDS, "--out", "run")
EXPLAIN = ("explain", "run", "a film")
BAD = {
    "missing column": (
        lambda folder: [*file("a.csv", GOOD)(folder), "--text", "review"],
        r"a\.csv has no column 'review' for --text: its columns are text and label",
    ),
    "no such column to guess": (
        file("a.csv", "a,b\nx,1\ny,2\n"),
        r"name them with --text and --label.*a and b",
    ),
    "no such column of users to guess": (
        lambda folder: [*file("a.csv", "a,b\nx,1\ny,2\n")(folder), "--model", "sasrec"],
        r"hold the users and the items: name them with --user and --item \(its columns are a and b\)$",
    ),
    "empty file": (file("a.csv", ""), r"a\.csv is empty"),
    "only a header": (file("a.csv", "text,label\n"), r"a\.csv has no rows"),
    "blank lines": (file("a.jsonl", "\n \n"), r"a\.jsonl is empty"),
    "one class only": (
        file("a.csv", "text,label\n" + "fine,1\n" * 9),
        r"all 9 labels in column 'label' are '1'",
    ),
    "a single row": (file("a.csv", "text,label\nfine,1\n"), r"a\.csv has a single row"),
    "labels all different": (
        file("a.csv", "text,label\n" + "".join(f"fine,{i}\n" for i in range(9))),
        r"all 9 labels .* are different",
    ),
    "empty text": (file("a.csv", GOOD + ",1\n,1\n"), r"2 of 22 rows have no text \(rows 21 and 22\): more"),
    "strict": (
        file("a.csv", GOOD + ",1\n", "--strict"),
        r"1 of 21 rows has no text \(row 21\): fix or remove them, or leave --strict out",
    ),
    "not UTF-8": (file("a.csv", GOOD.encode() + b"caf\xe9,1\n"), r"is not UTF-8 text: byte 0xe9 in line 22"),
    "NaN labels": (
        file("a.csv", GOOD + "fine,NaN\nfine,\n"),
        r"2 of 22 rows have no label \(rows 21 and 22\): more than 5 % are not dropped",
    ),
    "a directory for a file": (a_folder, r"folder\.csv is a directory"),
    "no such file": (words("audit", "nowhere.csv"), r"nowhere\.csv does not exist"),
    "an ending that is no table": (file("a.xlsx", "x"), r"expected a table that ends in \.csv"),
    "broken gzip": (file("a.csv.gz", gzip.compress(b"x" * 99)[:20]), r"not a readable gzip file"),
    "broken parquet": (file("a.parquet", b"PAR1" * 9), r"a\.parquet is not a readable Parquet file"),
    "broken JSON": (file("a.jsonl", '{"text": "x"\n'), r"line 1 is not readable JSON"),
    "unwritable out": (
        words("audit", *WORDS, "--out", "/proc/holdfast"),
        r"cannot make --out /proc/holdfast: ",
    ),
    "out is a file": (out_is_a_file, r"--out file is a file, not a folder: name a folder"),
    "out is no run, fresh": (out_is_no_run, r"out is not empty and not a run: use another --out"),
    "one seed": (
        words("audit", "--seeds", "1"),
        r"expected --seeds to be 2 or more, but got 1: stability needs two",
    ),
    "unknown data": (words("audit", "sst3"), r"unknown data set or file 'sst3': did you mean 'sst2'\?"),
    "a loss that is none": (
        words("audit", "planted-plays", "--model", "sasrec:loss=foo"),
        r"^sasrec: expected loss to be bce, sampled or softmax, but got 'foo'$",
    ),
    "a loss that it has not": (
        words("audit", "planted-plays", "--model", "bert4rec:loss=bce"),
        r"^bert4rec: expected loss to be softmax, but got 'bce'$",
    ),
    "unknown model": (
        words("audit", "--model", "bilstn"),
        r"unknown model 'bilstn': did you mean 'bilstm'\?",
    ),
    "unknown repair": (words("audit", "--repair", "asw"), r"unknown repair 'asw': did you mean 'aswa'\?"),
    "unknown explainer": (words("audit", "--explainer", "atention"), r"did you mean 'attention'\?"),
    "unknown optimiser": (
        words("audit", "--optimiser", "adamm"),
        r"unknown optimiser 'adamm': did you mean 'adam'\?",
    ),
    "unknown setting": (
        words("audit", "--model", "cnn:filter=3"),
        r"unknown setting of cnn 'filter': did you mean 'filters'\?",
    ),
    "unknown planted setting": (words("audit", "planted:trian=9"), r"did you mean 'train'\?"),
    "unknown study": (words("reproduce", "seed-stabilty"), r"did you mean 'seed-stability'\?"),
    "unknown kind": (words("list", "explainer"), r"did you mean 'explainers'\?"),
    "unknown command": (words("aduit"), r"No such command 'aduit'.*holdfast --help"),
    "unknown option": (words("audit", "--sedes", "3"), r"No such option: --sedes.*holdfast --help"),
    "missing argument": (words("explain"), r"Missing argument"),
    "not a number": (words("audit", "--seeds", "ten"), r"Invalid value for '--seeds'"),
    "no model": (words("audit", "--model", ","), r"expected at least one model, but got none"),
    "no data": (
        words("reproduce", "seed-stability", "--data", ","),
        r"expected at least one data set, but got none",
    ),
    "no model of a study": (
        words("reproduce", "relevance", "--model", ","),
        r"expected at least one model, but got none",
    ),
    "quick data": (
        words("reproduce", "relevance", "--quick", "--data", "mnist"),
        r"--quick uses embedded data of its own: leave out --data or --quick",
    ),
    "texts for a study of interactions": (
        words("reproduce", "rollout", "--data", "planted", "--model", "cnn"),
        r"^rollout: expected an interaction data set, but 'planted' is a text data set: choose",
    ),
    "interactions for a study of texts": (
        words("reproduce", "seed-stability", "--data", "planted-plays", "--model", "sasrec"),
        r"^seed-stability: expected a text data set, but 'planted-plays' is an interaction data set",
    ),
    "no attention for a study of it": (
        words("reproduce", "seed-stability", "--model", "cnn,rlstm"),
        r"^seed-stability: expected models with attention, but 'rlstm' has none: choose",
    ),
    "one fold": (
        words("reproduce", "relevance", "--quick", "--folds", "1"),
        r"expected --folds to be 0 or at least 2, but got 1",
    ),
    "steps of a named set": (
        words("audit", "digits-maj", "--steps", "4"),
        r"for the named data set write 'digits-maj:steps=4'",
    ),
    "steps of texts": (
        lambda folder: [*file("a.csv", GOOD)(folder), "--steps", "4"],
        r"steps cuts images into strips, but 'a\.csv' is a file of texts: leave it out",
    ),
    "images that are none": (file("a.npz", b"PK nothing"), r"a\.npz is not a readable"),
    "vectors of images": (
        words("audit", "digits", "--vectors", "glove-100d"),
        r"--vectors names word vectors",
    ),
    "a model of texts on images": (
        words("audit", "digits", "--model", "cnn"),
        r"cnn: expected text data, but got image data: choose one of conv",
    ),
    "a model of images on texts": (
        words("audit", "--model", "convrlstm"),
        r"convrlstm: expected image data, but got text data: choose one of average",
    ),
    "twice the same": (words("audit", "--repair", "none,none"), r"expected each repair once"),
    "instances": (
        words("audit", "--instances", "some"),
        r"--instances to be a whole number or 'all', but got 'some'",
    ),
    "a strange digit": (words("audit", "--instances", "²"), r"--instances to be a whole number or 'all'"),
    "no instances": (words("audit", "--instances", "0"), r"expected --instances to be 1 or more, but got 0"),
    "texts without end": (
        words("audit", "planted:train=99999999999999999999"),
        r"planted: expected train to be a whole number of at most 18 digits, but got '9",
    ),
    "many texts": (
        words("audit", "planted:test=999999999"),
        r"planted: expected test to be at most 1,000,000, but got 999,999,999",
    ),
    "many users": (
        words("audit", "planted-plays:users=999999999"),
        r"planted-plays: expected users to be at most 1,000,000, but got 999,999,999",
    ),
    "too wide": (
        words("audit", "--model", "cnn:filters=9999999999999"),
        r"cnn: expected filters to be at most 65,536, but got 9,999,999,999,999",
    ),
    "too deep": (
        words("audit", "--model", "transformer:blocks=1000000"),
        r"transformer: expected blocks to be at most 1,000, but got 1,000,000",
    ),
    "long histories": (
        words("audit", "plays.csv", "--user", "u", "--length", "1000000000"),
        r"expected length to be at most 10,000, but got 1,000,000,000",
    ),
    "long texts": (
        words("audit", "--max-length", "99999999999999999999"),
        r"expected max_length to be at most 1,000,000, but got a much larger number",
    ),
    "5,000 digits": (words("audit", "--instances", "9" * 5000), r"--instances to be a whole number or 'all'"),
    "5,000 digits of seeds": (words("audit", "--seeds", "9" * 5000), r"Invalid value for '--seeds'"),
    "a learning rate without end": (
        words("audit", "--optimiser", "sgd:lr=inf"),
        r"sgd: expected lr to be a number, but got 'inf'",
    ),
    "too much momentum": (
        words("audit", "--optimiser", "sgd:momentum=2"),
        r"sgd: expected momentum to be at least 0 and below 1, but got 2\.0",
    ),
    "many workers": (
        words("audit", "--workers", "1000000"),
        r"expected --workers to be at most 1,024, but got 1,000,000",
    ),
    "a name too long": (words("audit", "x" * 5000 + ".csv"), r"^cannot read x{400}…: File name too long"),
    "a folder too long": (words("audit", "--out", "x" * 5000), r"^File name too long \(x{400}…\): choose a"),
    "a run too long": (words("explain", "x" * 5000, "x"), r"^File name too long \(x{400}…\): choose a"),
    "no workers": (words("audit", "--workers", "0"), r"expected --workers to be 1 or more, but got 0"),
    "no epochs": (words("audit", "--epochs", "0"), r"expected epochs to be 1 or more, but got 0"),
    "no such device": (words("audit", "--device", "tpu"), r"--device to be auto, cpu or cuda, but got 'tpu'"),
    "fail-under": (words("audit", "--fail-under", "1.5"), r"--fail-under between 0 and 1, but got 1\.5"),
    "fail-under nan": (words("audit", "--fail-under", "nan"), r"--fail-under between 0 and 1, but got nan"),
    "no length": (words("audit", "--max-length", "0"), r"expected max_length to be at least 1, but got 0"),
    "a column of a named set": (words("audit", *WORDS, "--text", "x"), r"--text names a column of a file"),
    "no such vectors": (lambda f: [*file("a.csv", GOOD)(f), "--vectors", "nowhere.txt"], r"nowhere\.txt"),
    "not UTF-8 in the command": (
        words("audit", "\udcff.csv"),
        r"expected every argument in UTF-8",
    ),
    "another version": (changed(another_version, *AUDIT), r"made by another version of holdfast \(schema 1"),
    "half-written plan": (
        changed(lambda run: (run / "plan.json").write_text('{"schema": 1, "da'), *EXPLAIN),
        r"run/plan\.json is damaged: run its command again to repair it",
    ),
    "half-written plan of another command": (
        changed(lambda run: (run / "plan.json").write_text('{"schema": 1, "da'), *AUDIT, "--seeds", "4"),
        r"run/plan\.json is damaged, and another command made it: .*start over with --fresh",
    ),
    "no weights": (
        changed(lambda run: weights(run, 1).unlink(), *EXPLAIN),
        r"has lost its weights \(families/.*seed-1\.safetensors is missing\), so it cannot explain anything",
    ),
    "another plan": (
        changed(str, *AUDIT, "--batch", "7"),
        r"run holds another plan \(fit: .* there, .* here\)",
    ),
    "corrupt weights": (
        changed(lambda run: flip(weights(run, 1)), *EXPLAIN),
        r"seed-1\.safetensors is missing or damaged: run its command again to repair it",
    ),
    "weights cut short": (
        changed(lambda run: os.truncate(weights(run, 1), 100), *EXPLAIN),
        r"seed-1\.safetensors is missing or damaged",
    ),
    "corrupt data": (
        changed(lambda run: flip(run / "data-0.safetensors"), *EXPLAIN),
        r"data-0\.safetensors is damaged",
    ),
    "corrupt scores": (
        changed(lambda run: flip(weights(run, 0, "gradient")), "compare", "run", "run"),
        r"missing or damaged",
    ),
    "corrupt table": (
        changed(lambda run: flip(run / "results.parquet"), "report", "run"),
        r"parquet is damaged",
    ),
    "no run": (words(*EXPLAIN), r"run is not a run: it has no plan\.json"),
    "a file for a run": (lambda f: ["compare", "a", *file("a", "x")(f)[1:]], r"a is not a run"),
    "nothing to explain": (changed(str, "explain", "run", " "), r"at least one word"),
    "a pair of what is none": (changed(str, *EXPLAIN, "--query", "x"), r"are not pairs: leave --query out"),
    "no benchmarks": (words("bench"), r"no benchmarks in 'benchmarks'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence_and_nothing_is_lost(typed: Typed, tmp_path: Path, name: str) -> None:
    make, wanted = BAD[name]
    command = make(tmp_path)  # type: ignore[no-untyped-call]
    before = contents(tmp_path)
    sentence = one_sentence(typed(*command), 2)
    assert re.search(wanted, sentence), sentence
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "name", ["missing column", "one seed", "unknown option", "not a number", "another version"]
)
def test_bad_input_in_json(typed: Typed, tmp_path: Path, name: str) -> None:
    make, _ = BAD[name]
    answer = typed(*make(tmp_path), "--json")  # type: ignore[no-untyped-call]
    assert answer.code == 2
    told = json.loads(answer.out)
    assert set(told) == {"schema", "error"}
    assert set(told["error"]) == {"kind", "message"}
    assert answer.err == f"holdfast: {told['error']['message']}\n"


def test_bad_data_can_be_mended_under_the_same_name(typed: Typed, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(GOOD + ",1\n,1\n")
    about = ["--model", "cnn:filters=4,dim=8", "--seeds", "2", "--epochs", "1", "--explainer", "attention"]
    one_sentence(typed("audit", "a.csv", *about, "--out", "run"), 2)
    (tmp_path / "a.csv").write_text(GOOD)
    assert typed("audit", "a.csv", *about, "--out", "run").code == 0


def test_a_line_of_a_million_characters_is_refused(typed: Typed, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(GOOD + "x" * 1_000_000 + ",1\n" + "y " * 500_000 + ",0\n")
    sentence = one_sentence(typed("audit", "a.csv", "--out", "run"), 2)
    assert "texts in column 'text' are longer than 500,000 characters" in sentence
    assert not (tmp_path / "run").exists()


def test_names_from_files_do_not_steer_the_terminal(typed: Typed, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("\x1b[31mred[/red],label\nx,1\n")
    sentence = one_sentence(typed("audit", "a.csv"), 2)
    assert "\\x1b[31mred[/red]" in sentence
    assert "\x1b" not in sentence


# Full disk


@pytest.mark.parametrize("after", [0, 5, 17, pytest.param(26, marks=pytest.mark.slow)])
def test_a_full_disk_is_one_sentence_and_what_is_finished_is_kept(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    calls = []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) > after:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        answer = typed("audit", *WORDS, "--out", "run", "--json")
    told = json.loads(answer.out)["error"]
    assert told["kind"] == "Failed"
    assert told["message"].startswith("No space left on device")
    assert one_sentence(Answer(answer.code, "", answer.err), 1) == told["message"]
    assert not list(tmp_path.rglob("*.part"))
    assert typed("audit", *WORDS, "--out", "run").code == 0
    assert contents(tmp_path / "run") == contents(finished())


def test_a_worker_that_cannot_write_says_so(tmp_path: Path) -> None:
    """Files may have 40,000 bytes: enough for the data, too few for the weights."""
    words = [
        "audit",
        WORDS[0],
        "--model",
        "cnn:filters=16,dim=64",
        "--seeds",
        "2",
        "--epochs",
        "1",
        "--workers",
        "1",
    ]
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))"
    process = spawn(*words, "--out", "run", cwd=tmp_path, first=limit)
    out, err = process.communicate(timeout=120)
    sentence = one_sentence(Answer(process.returncode, out, err), 1)
    assert sentence.startswith("seed 0: ")
    assert "File too large" in sentence
    assert not list((tmp_path / "run").rglob("seed-*"))


# Signals


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_and_the_way_on_is_named(tmp_path: Path, number: signal.Signals, code: int) -> None:
    process = spawn(
        "audit", "--out", "my run", "--seeds", "5", "--fresh", "--json", "--workers", "1", cwd=tmp_path
    )
    until(lambda: list((tmp_path / "my run").glob("data-0.safetensors")), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    command = "holdfast audit --out 'my run' --seeds 5 --json --workers 1"
    again = f"stopped. What is finished is kept; resume with: {command}"
    assert err == f"holdfast: {again}\n"
    assert json.loads(out) == {"schema": 2, "error": {"kind": "Stopped", "message": again}}


def until(seen: Callable[[], object], process: "subprocess.Popen[str]", seconds: float = 300) -> None:
    """Wait for something to be seen while a process lives."""
    end = time.monotonic() + seconds
    while not seen():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


# Images


def test_an_audit_of_images_answers(typed: Typed, tmp_path: Path) -> None:
    about = ["--model", "shallow", "--seeds", "2", "--epochs", "1", "--instances", "12"]
    said = typed("audit", "digits:limit=60", *about, "--explainer", "lrp,random", "--json", "--out", "run")
    assert (said.code, said.err) == (0, "")
    told = json.loads(said.out)
    assert [row["explainer"] for row in told["rows"]] == ["lrp"]
    assert told["members"]["trained"] == 2
    assert (tmp_path / "run" / "report.html").is_file()


# Studies


def test_a_study_tells_what_came_out(typed: Typed, tmp_path: Path) -> None:
    data = "planted:train=40,validation=12,test=12"
    about = ["--model", "cnn:filters=2,dim=4", "--repair", "none,aswa", "--seeds", "2", "--epochs", "1"]
    said = typed("reproduce", "seed-stability", "--data", data, *about, "--out", "run")
    assert said.code == 0
    assert "ASWA lowers the KL of attention between seeds" in said.out
    assert "Report: run/report.html" in said.out
    lines = (tmp_path / "run" / "published.csv").read_text().splitlines()
    assert lines[0] == "table,row,column,published,measured,low,high,n,note"
    assert all(line.endswith((",,,,0,not run", ",,,,0,cannot be had")) for line in lines[1:])
