"""``holdfast explain``: new texts, an image, or a user's next items, as every seed of a run sees them."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def explain(
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT|FILE|-",
            help="The text to explain, in quotes, or - for one text a line from standard input; for a run on "
            "images, a .npz or .npy file; for one on features, a table.",
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="For a run on texts: a file with one text a line, at most 200.")
    ] = None,
    query: Annotated[
        str | None, typer.Option(help="The second text of a pair; of a cloze question, the question.")
    ] = None,
    user: Annotated[
        str | None, typer.Option(help="For a run on interactions: the user to explain recommendations for.")
    ] = None,
    count: Annotated[int | None, typer.Option(help="How many recommendations to explain (5).")] = None,
    row: Annotated[
        int | None,
        typer.Option(
            help="Which image or row of the file, from 0 (default: the first); without a file, of the test "
            "split."
        ),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Which of the run's models (default: the first).")] = None,
    repair: Annotated[str | None, typer.Option(help="Which of its repairs (default: the first).")] = None,
    explainer: Annotated[
        list[str] | None,
        typer.Option(
            help="Explainers (default: the one that the run's audit found best; for images, all but random); "
            "for a user, one (default: the best that has a sign)."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File for the page (default: RUN/explain.html).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Explain new texts or an image with every seed of a run: each one's view, the consensus, the hold.

    First how many seeds agree on what is strongest, then the hold on this example, against the same impostors
    as an audit's, and what the run's audit says of the explainer. Words that the model does not know are
    marked. All is drawn on a page, explain.html. For a run on interactions, --user shows what the user is
    recommended, because of which items, and how many of the seeds agree; reasons that do not hold across
    seeds are not named. Also which items and users are near in most seeds, and what those users took.

    Examples:
      holdfast explain RUN "thin plot, but the cast is a joy"
      holdfast explain RUN "@ann sang. @bob slept." --query "___ slept."
      holdfast explain RUN --file texts.txt --out texts.html
      cat texts.txt | holdfast explain RUN - --json
      holdfast explain RUN shapes.npz --row 3
      holdfast explain RUN --row 12
      holdfast explain RUN --user 42
    """
    from holdfast.commands.explain import explain as explain_new

    lines = sys.stdin.buffer if what == "-" and file is None else file
    text = None if lines is sys.stdin.buffer else what
    answer = explain_new(run, text, query, user, count, row, model, repair, explainer, out, lines)
    if answer.note:
        typer.echo(answer.note, err=True)
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False))
        return
    Console(highlight=False).print(answer)
    if answer.page is not None:
        typer.echo(f"Page: {answer.page}")
