"""One function per command; nothing heavy is imported before a command runs."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdfast import __version__
from holdfast.cli.asked import count_of, device_of, fit_of, vectors_of, workers_of
from holdfast.cli.explain import explain
from holdfast.cli.options import (
    DATA,
    AsJson,
    Batch,
    DataDir,
    Decay,
    Device,
    Epochs,
    Explainers,
    FailUnder,
    Fresh,
    Instances,
    Model,
    Optimiser,
    Out,
    Patience,
    Quiet,
    Repair,
    Seeds,
    Vectors,
    Workers,
)
from holdfast.cli.progress import progress
from holdfast.cli.reproduce import reproduce
from holdfast.core.errors import BadSetting

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Can I trust this explanation? Holdfast trains the same model many times, explains each of them, "
    "and says whether the explanation would still be there tomorrow.\n\n"
    "Start with [bold]holdfast audit[/bold]: ten seeds on embedded data, a verdict, and report.html.",
    rich_markup_mode="rich",
)


def _version(asked: bool) -> None:
    if asked:
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
        str, typer.Argument(help="A file (CSV, TSV, JSONL, Parquet, NPZ) or a name (holdfast list data).")
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
    limit: Annotated[
        int | None, typer.Option(help="Training examples at most.", rich_help_panel=DATA)
    ] = None,
    data_dir: DataDir = None,
    steps: Annotated[
        int | None, typer.Option(help="Strips to cut a file's images into.", rich_help_panel=DATA)
    ] = None,
    model: Model = None,
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
      holdfast audit digits-maj --model convrlstm --seeds 5
    """
    from holdfast.core.settings import split_list
    from holdfast.data.sources import Source
    from holdfast.report.audit import carry_out
    from holdfast.study.plan import Plan, usual

    if fail_under is not None and not 0 <= fail_under <= 1:
        raise BadSetting(f"expected --fail-under between 0 and 1, but got {fail_under}")
    models = None if model is None else split_list(model)
    common = usual(Source(data), models)
    known = vectors_of(vectors, data, data_dir)
    source = Source(data, text, label, query, known, max_length, min_count, max_words, limit, steps)
    plan = Plan(
        data=(source,),
        models=common.models,
        repairs=split_list(repair),
        seeds=seeds,
        explainers=common.explainers if explainer is None else split_list(explainer),
        comparisons=common.comparisons,
        fit=fit_of(epochs, batch, patience, optimiser, decay_embeddings),
        instances=count_of(instances),
        device=device_of(device),
    )
    with progress(quiet) as listen:
        answer = carry_out(plan, out, fresh, data_dir, workers_of(workers), listen)
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        from holdfast.report.terminal import verdict_table

        Console(highlight=False).print(verdict_table(answer.verdict))
        typer.echo(f"Report: {answer.run / 'report.html'}")
    low = answer.verdict["hold"]["low"]
    if fail_under is not None and (low is None or low < fail_under):
        raise typer.Exit(3)


app.command()(explain)


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
        str,
        typer.Argument(help="data, models, repairs, explainers, comparisons, probes, optimisers, studies."),
    ] = "",
    data_dir: DataDir = None,
) -> None:
    """What there is, with its settings: a new file in the package is a new line here."""
    from holdfast.report.terminal import kinds_table

    Console(highlight=False).print(kinds_table(kind, data_dir))


app.command()(reproduce)


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
        code = subprocess.run([sys.executable, str(folder / f"{one}.py")], check=False).returncode
        if code:
            raise typer.Exit(1)
