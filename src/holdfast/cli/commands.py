"""One function per command; nothing heavy is imported before a command runs."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdfast import __version__
from holdfast.cli.audit import audit
from holdfast.cli.compare import compare
from holdfast.cli.explain import explain
from holdfast.cli.judge import judge
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


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"holdfast {__version__}")
        raise typer.Exit


@app.callback()
def holdfast(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Common to all commands."""


app.command()(audit)
app.command()(explain)
app.command()(compare)
app.command()(judge)


@app.command(name="list")
def list_(
    kind: Annotated[
        str,
        typer.Argument(
            help="data, models, repairs, explainers, comparisons, probes, perturbations, optimisers, studies."
        ),
    ] = "",
    data_dir: DataDir = None,
) -> None:
    """List the models, explainers, data sets and other parts, with their settings."""
    from holdfast.report.terminal import kinds_table

    Console(highlight=False).print(kinds_table(kind, data_dir))


app.command()(reproduce)


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folder of a finished run.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the tables, figures and report of several runs joined.")
    ] = None,
    no_text: Annotated[
        bool,
        typer.Option(
            "--no-text",
            help="Write report-no-text.html to share instead: without texts, items, images and heat maps of "
            "the data. Class names stay; if one is longer than 30 letters, they are numbered.",
        ),
    ] = False,
) -> None:
    """Draw a run's report again, for example after it ran on a machine without the drawing packages.

    With --out, several runs of one study are joined: rows.csv, claims.csv, published.csv, figures and report.
    """
    from holdfast.commands.join import join
    from holdfast.commands.report import report as draw_again

    if out is None and len(runs) > 1:
        raise BadSetting(f"expected --out, a folder, to join {len(runs)} runs, but got none")
    drawn = draw_again(runs[0], not no_text) if out is None else join(runs, out, not no_text)
    typer.echo(f"Report: {drawn}")


@app.command()
def bench(
    name: Annotated[str, typer.Argument(help="A file in benchmarks/ (default: all of them).")] = "",
    folder: Annotated[Path, typer.Option(help="Folder with the benchmarks.")] = Path("benchmarks"),
) -> None:
    """Run the benchmarks of a source checkout: ratios to plain code and to other libraries, in one run."""
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
