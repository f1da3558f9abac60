"""One function per command; nothing heavy is imported before a command runs."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdfast import __version__
from holdfast.cli.audit import audit
from holdfast.cli.explain import explain
from holdfast.cli.options import DataDir
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


app.command()(audit)
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
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="The folder of a run whose results are there.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the tables, figures and report of several runs as one.")
    ] = None,
    no_text: Annotated[
        bool,
        typer.Option(
            "--no-text",
            help="To share: write report-no-text.html instead, without a word, an item or an image of the "
            "data, nor its heat map. Class names stay; if one is longer than 30 letters, they are numbered.",
        ),
    ] = False,
) -> None:
    """Draw a run's report again, for example after it ran on a machine without the drawing packages.

    With --out, several runs of one study are put together: rows.csv, claims.csv, published.csv, figures and
    report of all of them.
    """
    from holdfast.commands.join import join_runs
    from holdfast.commands.reproduce import redraw

    if out is None and len(runs) > 1:
        raise BadSetting(f"expected --out for what {len(runs)} runs give together, but got none")
    drawn = redraw(runs[0], not no_text) if out is None else join_runs(runs, out, not no_text)
    typer.echo(f"Report: {drawn}")


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
