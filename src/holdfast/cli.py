"""The command line: one function per command. Nothing heavy is imported before a command runs."""

import contextlib
import io
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from holdfast.core.errors import BadSetting, HoldfastError
from holdfast.core.plain import printable

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Can I trust this explanation? Holdfast trains the same model many times, explains each of them, "
    "and says whether the explanation would still be there tomorrow.\n\n"
    "Start with [bold]holdfast audit[/bold]: ten seeds on embedded data, a verdict, and report.html.",
    rich_markup_mode="rich",
)
notes = Console(stderr=True, highlight=False)
DATA, TRAIN, SAY = "Data", "Training and explaining", "Answer"
# typer names its usage error only by its children, and brings click along or not, by its version
USAGE: Any = typer.BadParameter.__mro__[1]

Model = Annotated[
    str,
    typer.Option(
        help="Models, e.g. cnn or bilstm:attention=dot (holdfast list models).", rich_help_panel=TRAIN
    ),
]
Repair = Annotated[
    str, typer.Option(help="Repairs, e.g. none,aswa (holdfast list repairs).", rich_help_panel=TRAIN)
]
Explainers = Annotated[
    str | None,
    typer.Option("--explainer", help="Explainers; the first decides the verdict.", rich_help_panel=TRAIN),
]
Seeds = Annotated[int, typer.Option(help="How many times to train.", rich_help_panel=TRAIN)]
Epochs = Annotated[int, typer.Option(help="Epochs at most.", rich_help_panel=TRAIN)]
Batch = Annotated[int, typer.Option(help="Examples in a batch.", rich_help_panel=TRAIN)]
Patience = Annotated[
    int,
    typer.Option(help="Epochs without a better validation score before a seed stops.", rich_help_panel=TRAIN),
]
Optimiser = Annotated[
    str, typer.Option(help="adam, sgd or adagrad, e.g. sgd:lr=0.05.", rich_help_panel=TRAIN)
]
Instances = Annotated[
    str, typer.Option(help="Test texts to explain at most, or 'all'.", rich_help_panel=TRAIN)
]
Decay = Annotated[
    bool, typer.Option("--decay-embeddings", help="Weight decay on embeddings too.", rich_help_panel=TRAIN)
]
Device = Annotated[str, typer.Option(help="cpu, cuda, or auto.", rich_help_panel=TRAIN)]
Workers = Annotated[
    int | None, typer.Option(help="Worker processes on the CPU (default: one a core).", rich_help_panel=TRAIN)
]
Vectors = Annotated[
    str,
    typer.Option(
        help="Pre-trained word vectors: a name, a file, 'none', or 'auto' (glove-100d if it is there).",
        rich_help_panel=DATA,
    ),
]
DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder of named data sets (default: $HOLDFAST_DATA).", rich_help_panel=DATA),
]
Out = Annotated[
    Path | None, typer.Option(help="Folder of the run (default: holdfast-runs/…).", rich_help_panel=SAY)
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Start over instead of resuming.", rich_help_panel=SAY)]
AsJson = Annotated[
    bool, typer.Option("--json", help="Answer as JSON on standard output.", rich_help_panel=SAY)
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.", rich_help_panel=SAY)]
FailUnder = Annotated[
    float | None,
    typer.Option(help="Exit with 3 if the lower end of the hold is below this.", rich_help_panel=SAY),
]


def _version(asked: bool) -> None:
    if asked:
        from holdfast import __version__

        typer.echo(f"holdfast {__version__}")
        raise typer.Exit


@app.callback()
def holdfast(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Common to all commands."""


@app.command()
def audit(
    data: Annotated[
        str, typer.Argument(help="A file (CSV, TSV, JSONL, Parquet) or a name (holdfast list data).")
    ] = "planted",
    text: Annotated[
        str | None, typer.Option(help="The file's column of texts.", rich_help_panel=DATA)
    ] = None,
    label: Annotated[
        str | None, typer.Option(help="The file's column of labels.", rich_help_panel=DATA)
    ] = None,
    query: Annotated[
        str | None, typer.Option(help="A second text column: pairs, as in SNLI.", rich_help_panel=DATA)
    ] = None,
    vectors: Vectors = "auto",
    max_length: Annotated[int, typer.Option(help="Words of a text at most.", rich_help_panel=DATA)] = 256,
    min_count: Annotated[int, typer.Option(help="Rarer words count as unknown.", rich_help_panel=DATA)] = 1,
    max_words: Annotated[
        int | None, typer.Option(help="Words in the vocabulary at most.", rich_help_panel=DATA)
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Training texts at most.", rich_help_panel=DATA)] = None,
    data_dir: DataDir = None,
    model: Model = "cnn",
    repair: Repair = "none",
    explainer: Explainers = None,
    seeds: Seeds = 10,
    epochs: Epochs = 20,
    batch: Batch = 32,
    patience: Patience = 3,
    optimiser: Optimiser = "adam",
    decay_embeddings: Decay = False,
    instances: Instances = "200",
    device: Device = "auto",
    workers: Workers = None,
    out: Out = None,
    fresh: Fresh = False,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
    quiet: Quiet = False,
) -> None:
    """Train many seeds, explain them, and say whether the explanations hold.

    Without DATA it audits embedded reviews whose true rationale is known. The same command again resumes.

    Examples:
      holdfast audit
      holdfast audit reviews.csv --text review --label stars --model bilstm --repair none,aswa
      holdfast audit sst2 --model cnn --seeds 5 --json --fail-under 0.5
    """
    from holdfast.core.settings import split_list
    from holdfast.data.sources import TextSource
    from holdfast.report.audit import carry_out
    from holdfast.study.plan import EXPLAINERS, Plan

    if fail_under is not None and not 0 <= fail_under <= 1:
        raise BadSetting(f"expected --fail-under between 0 and 1, but got {fail_under}")
    source = TextSource(
        data, text, label, query, _vectors(vectors, data, data_dir), max_length, min_count, max_words, limit
    )
    plan = Plan(
        data=(source,),
        models=split_list(model),
        repairs=split_list(repair),
        seeds=seeds,
        explainers=split_list(explainer) if explainer else EXPLAINERS,
        fit=_fit(epochs, batch, patience, optimiser, decay_embeddings),
        instances=_count(instances),
        device=_device(device),
    )
    with _progress(quiet) as listen:
        answer = carry_out(plan, out, fresh, data_dir, _workers(workers), listen)
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        _say_verdict(answer.verdict, answer.run)
    low = answer.verdict["hold"]["low"]
    if fail_under is not None and (low is None or low < fail_under):
        raise typer.Exit(3)


@app.command()
def explain(
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    text: Annotated[str, typer.Argument(help="The text to explain.")],
    query: Annotated[str | None, typer.Option(help="The second text of a pair.")] = None,
    model: Annotated[str | None, typer.Option(help="Which of the run's models (default: the first).")] = None,
    repair: Annotated[str | None, typer.Option(help="Which of its repairs (default: the first).")] = None,
    explainer: Annotated[str | None, typer.Option(help="Explainers (default: the run's first).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Explain a new text with every seed of a run: each one's view, the consensus, and the verdict."""
    from holdfast.core.settings import split_list
    from holdfast.study.explain import explain_text

    example = explain_text(run, text, query, model, repair, split_list(explainer) if explainer else None)
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps({"schema": 1} | asdict(example), ensure_ascii=False))
        return
    from holdfast.report.terminal import heat_table

    Console(highlight=False).print(heat_table(example))


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(help="The folder of one run.")],
    after: Annotated[Path, typer.Argument(help="The folder of another, on the same data.")],
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Did it help? Paired over the seeds both runs have: the change in hold, and the cost in accuracy."""
    from holdfast.study.compare import compare_runs

    changes = compare_runs(before, after)
    if as_json:
        typer.echo(json.dumps(changes.to_json(), ensure_ascii=False))
        return
    from holdfast.report.terminal import change_table

    Console(highlight=False).print(change_table(changes))


@app.command(name="list")
def list_(
    kind: Annotated[
        str, typer.Argument(help="data, models, repairs, explainers, comparisons, optimisers, studies.")
    ] = "",
    data_dir: DataDir = None,
) -> None:
    """What there is, with its settings: a new file in the package is a new line here."""
    from holdfast.report.terminal import kinds_table

    Console(highlight=False).print(kinds_table(kind, data_dir))


@app.command()
def reproduce(
    study: Annotated[str, typer.Argument(help="seed-stability.")],
    data: Annotated[
        str | None, typer.Option(help="Data sets (default: those the study has).", rich_help_panel=DATA)
    ] = None,
    vectors: Vectors = "auto",
    data_dir: DataDir = None,
    model: Annotated[str, typer.Option(help="Models.", rich_help_panel=TRAIN)] = "cnn,bilstm",
    repair: Annotated[str, typer.Option(help="Repairs.", rich_help_panel=TRAIN)] = "none,aswa,naswa",
    seeds: Seeds = 10,
    epochs: Epochs = 20,
    patience: Patience = 3,
    optimiser: Optimiser = "adam",
    decay_embeddings: Decay = False,
    instances: Instances = "all",
    device: Device = "auto",
    workers: Workers = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="On embedded data, in minutes.", rich_help_panel=TRAIN)
    ] = False,
    out: Out = None,
    fresh: Fresh = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Re-run a document's tables and figures, and set them beside what was published.

    Examples:
      holdfast reproduce seed-stability --quick
      holdfast reproduce seed-stability --data sst2 --model cnn,bilstm --repair none,aswa,naswa --seeds 10
    """
    from holdfast.core.settings import split_list
    from holdfast.report.reproduce import reproduce_study, study_plan

    sources = tuple(
        (name, _vectors(vectors, name, data_dir)) for name in (split_list(data) if data else ("planted",))
    )
    plan = study_plan(
        study, sources, split_list(model), split_list(repair), seeds,
        _fit(epochs, 32, patience, optimiser, decay_embeddings), _count(instances), _device(device), quick,
    )  # fmt: skip
    with _progress(quiet) as listen:
        answer = reproduce_study(plan, out, fresh, data_dir, _workers(workers), listen)
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        for line in answer.lines:
            typer.echo(printable(line))
        typer.echo(f"\nReport: {answer.run / 'report.html'}")


@app.command()
def report(
    run: Annotated[Path, typer.Argument(help="The folder of a run whose results are there.")],
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Leave out every word of the data, to share the report.")
    ] = False,
) -> None:
    """Draw a run's report again, for example after it ran on a machine without the drawing packages."""
    from holdfast.report.reproduce import redraw

    typer.echo(f"Report: {redraw(run, not no_text)}")


@app.command()
def bench(
    name: Annotated[str, typer.Argument(help="One of the files of benchmarks/ (default: all).")] = "",
    folder: Annotated[Path, typer.Option(help="The folder of benchmarks.")] = Path("benchmarks"),
) -> None:
    """Run the benchmarks of a source checkout: ratios against the plain way and against peers, in one run."""
    import os
    import subprocess

    from holdfast.core.errors import UnknownName

    known = sorted(p.stem for p in folder.glob("*.py") if "def main" in p.read_text(encoding="utf-8"))
    if not known:
        raise BadSetting(
            f"no benchmarks in '{folder}': run this from a source checkout, or name its --folder"
        )
    if name and name not in known:
        raise UnknownName("benchmark", name, known)
    for one in [name] if name else known:
        typer.echo(f"— {one}")
        code = subprocess.run(
            [sys.executable, str(folder / f"{one}.py")], env=dict(os.environ), check=False
        ).returncode
        if code:
            raise typer.Exit(1)


def _fit(epochs: int, batch: int, patience: int, optimiser: str, decay: bool) -> Any:
    from holdfast.core.catalogue import make
    from holdfast.train.fit import Fit

    return Fit(epochs, batch, patience, make("optimisers", optimiser), decay)


def _vectors(asked: str, data: str, data_dir: Path | None) -> str | None:
    """'auto' takes glove-100d where it lies, for everything but planted data, whose words are few."""
    if asked != "auto":
        return None if asked == "none" else asked
    from holdfast.core.errors import BadData
    from holdfast.data.vectors import locate
    from holdfast.study.command import is_planted

    if is_planted(data):
        return None

    try:
        locate("glove-100d", data_dir)
    except BadData:
        return None
    return "glove-100d"


def _count(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal():
        raise BadSetting(f"expected --instances to be a whole number or 'all', but got '{text}'")
    return int(text)


def _workers(asked: int | None) -> int | None:
    if asked is not None and asked < 1:
        raise BadSetting(f"expected --workers to be 1 or more, but got {asked}")
    return asked


def _device(asked: str) -> str:
    if asked not in ("auto", "cpu", "cuda"):
        raise BadSetting(f"expected --device to be auto, cpu or cuda, but got '{asked}'")
    if asked == "cpu":
        return asked
    import torch

    there = torch.cuda.is_available()
    if asked == "cuda" and not there:
        raise BadSetting("expected a GPU for --device cuda, but torch sees none: use --device cpu")
    return "cuda" if there else "cpu"


@contextlib.contextmanager
def _progress(quiet: bool) -> Iterator[Any]:
    """A bar with the time left, on standard error."""
    columns = (
        TextColumn("{task.description:<11}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    hidden = quiet or not notes.is_terminal
    with Progress(*columns, console=notes, disable=hidden, transient=True) as progress:
        tasks: dict[str, Any] = {}

        def listen(stage: str, done: float, total: float) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total)
            progress.update(tasks[stage], completed=done, total=total)

        yield listen


def _say_verdict(verdict: dict[str, Any], run: Path) -> None:
    from holdfast.report.terminal import verdict_table

    Console(highlight=False).print(verdict_table(verdict))
    typer.echo(f"Report: {run / 'report.html'}")


def _fail(kind: str, message: str, code: int) -> NoReturn:
    """One clean line on standard error, the same as JSON on standard output where that was asked for."""
    if "--json" in sys.argv:
        error = {"kind": kind, "message": message}
        typer.echo(json.dumps({"schema": 1, "error": error}, ensure_ascii=False))
    typer.echo(f"holdfast: {printable(message)}", err=True)
    sys.exit(code)


class _Ended(BaseException):
    """A signal asked the process to end."""


def _end(number: int, frame: object) -> None:
    raise _Ended(number)


def main() -> None:
    """The entry point: every error is one clean line, every exit code means something."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for terminals that lack a letter
    try:
        _check_words(sys.argv[1:])
        sys.exit(app(sys.argv[1:] or ["--help"], prog_name="holdfast", standalone_mode=False))
    except HoldfastError as error:
        _fail(type(error).__name__, str(error), error.exit_code)
    except USAGE as error:
        _fail("BadUse", f"{error.format_message()} (holdfast --help tells more)", 2)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        what = f"{error.strerror or error}{where}: what is finished is kept, the same command goes on from it"
        _fail("Failed", what, 1)
    except _Ended as ended:
        again = f"stopped. What is finished is kept; go on with: {_again()}"
        _fail("Stopped", again, 128 + int(ended.args[0]))


def _check_words(words: list[str]) -> None:
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise BadSetting(f"expected every word of the command in UTF-8, but got {word!a}") from None


def _again() -> str:
    import shlex

    return shlex.join(["holdfast", *(word for word in sys.argv[1:] if word != "--fresh")])
