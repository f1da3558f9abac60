"""``holdfast compare``: did a change help?"""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def compare(
    before: Annotated[Path, typer.Argument(help="Folder of the first run.")],
    after: Annotated[
        Path, typer.Argument(help="Folder of the second run, on the same data; the same run for two repairs.")
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(help="Which models: one for both runs, or one for each (default: each run's first)."),
    ] = None,
    repair: Annotated[
        list[str] | None,
        typer.Option(help="Which repairs: one for both runs, or one for each (default: each run's first)."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File for a page that shows it, e.g. page.html.")] = None,
    fail_if_worse: Annotated[
        bool,
        typer.Option(
            "--fail-if-worse",
            help="Exit with code 3 if the whole interval of the change of hold lies below 0, for the "
            "explainer that the first run found best.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Say whether a change helped: the change in hold and in accuracy, paired over the seeds of both runs.

    Examples:
      holdfast compare before after
      holdfast compare before after --fail-if-worse --out page.html
      holdfast compare RUN RUN --repair none,aswa
    """
    from holdfast.commands.compare import compare as compare_runs

    answer = compare_runs(before, after, model, repair, out)
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        from holdfast.report.terminal import change_table

        Console(highlight=False).print(change_table(answer.changes))
        if answer.page is not None:
            typer.echo(f"Page: {answer.page}")
    if fail_if_worse and answer.worse:
        raise typer.Exit(3)
