"""``holdfast judge``: scores that somebody brings."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdfast.cli.options import AsJson, Junit, Markdown, Quiet
from holdfast.cli.parse import share_of
from holdfast.cli.progress import progress


def judge(
    scores: Annotated[
        Path,
        typer.Argument(help="A .npz file with arrays, or a .parquet file in long form."),
    ],
    report: Annotated[
        Path | None, typer.Option(help="File for the report (default: NAME-report.html beside the scores).")
    ] = None,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Leave all tokens and heat maps out of the report, to share it.")
    ] = False,
    as_json: AsJson = False,
    fail_under: Annotated[
        float | None,
        typer.Option(
            help="Exit with code 3 if a question fails for the headline's explainer, or if the lower end of "
            "its hold is below this."
        ),
    ] = None,
    junit: Junit = None,
    markdown: Markdown = None,
    quiet: Quiet = False,
) -> None:
    """Judge scores from any library: an audit's questions, verdict and report.

    Several models, trained alike but for their seeds, explain the same
    examples. A .npz file has an array scores (members, examples, positions),
    or scores/NAME for each explainer; and, as far as you have them, mask,
    tokens, probabilities, labels, untrained, target, classes. A .parquet file
    has the columns member, example, position and score, and may have
    explainer, token, label, target, untrained and probability:CLASS. What is
    not given, its question is not asked.

    Examples:
      holdfast judge scores.npz
      holdfast judge scores.parquet --report report.html --json
      holdfast judge scores.npz --fail-under 0.5 --junit holdfast.xml
    """
    from holdfast.commands.judge import judge_file
    from holdfast.commands.summary import Summaries

    share_of("--fail-under", fail_under)
    summaries = Summaries(junit, markdown)
    with progress(quiet) as listen:
        answer = judge_file(scores, report, not no_text, listen)
    summaries.write(answer.answer)
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        from holdfast.report.answer_table import answer_table

        Console(highlight=False).print(answer_table(answer.answer), crop=False)
        written = "none, as nothing can be written beside the scores" if answer.page is None else answer.page
        typer.echo(f"Report: {written}")
    if fail_under is not None:
        from holdfast.commands.gate import gate

        if gate(answer.answer, fail_under):
            raise typer.Exit(3)
