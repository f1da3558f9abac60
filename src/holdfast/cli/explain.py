"""``holdfast explain``: a new text or image, or a user's next items, as every seed of a run sees them."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdfast.core.errors import BadSetting


def explain(
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT|FILE",
            help="The text to explain, in quotes; for a run on images, a .npz or .npy file.",
        ),
    ] = None,
    query: Annotated[str | None, typer.Option(help="The second text of a pair.")] = None,
    user: Annotated[
        str | None, typer.Option(help="For a run on interactions: the user to explain recommendations for.")
    ] = None,
    count: Annotated[int | None, typer.Option(help="How many recommendations to explain (5).")] = None,
    row: Annotated[
        int | None,
        typer.Option(
            help="Which image of the file, from 0 (default: the first); without a file, which test image."
        ),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Which of the run's models (default: the first).")] = None,
    repair: Annotated[str | None, typer.Option(help="Which of its repairs (default: the first).")] = None,
    explainer: Annotated[
        list[str] | None,
        typer.Option(
            help="Explainers (default: the run's first; for images, all but random); for a user, one "
            "(default: the run's first with a sign)."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File for the page with an image's heat maps (default: RUN/explain.html)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Explain a new text or image with every seed of a run: each one's view, the consensus, and the verdict.

    An image's heat maps are drawn on a page, explain.html. For a run on interactions, --user shows what the
    user is recommended, because of which items, and how many of the seeds agree.

    Examples:
      holdfast explain RUN "thin plot, but the cast is a joy"
      holdfast explain RUN shapes.npz --row 3
      holdfast explain RUN --row 12
      holdfast explain RUN --user 42
    """
    from holdfast.commands.plan import methods
    from holdfast.study.explain import kind_of

    explainers, kind = methods("explainers", explainer), kind_of(run)
    if kind == "interaction":
        _refuse(run, "interactions", query=query, row=row, out=out)
        if explainers and len(explainers) > 1:
            raise BadSetting(f"expected one explainer for a user, but got {' and '.join(explainers)}")
        _user(run, what, user, count, (model, repair, explainers[0] if explainers else None), as_json)
        return
    if kind == "image":
        _refuse(run, "images", query=query, user=user, count=count)
        _image(run, what, row, (model, repair, explainers), out, as_json)
        return
    _refuse(run, "texts", row=row, out=out, user=user, count=count)
    if what is None:
        raise BadSetting(f"{run} is a run on texts: expected the text to explain, in quotes")
    from holdfast.report.terminal import heat_table
    from holdfast.study.explain import explain_text

    example = explain_text(run, what, query, model, repair, explainers)
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps({"schema": 1} | asdict(example), ensure_ascii=False))
    else:
        Console(highlight=False).print(heat_table(example))


def _image(
    run: Path,
    file: str | None,
    row: int | None,
    asked: tuple[str | None, str | None, tuple[str, ...] | None],
    out: Path | None,
    as_json: bool,
) -> None:
    from holdfast.report.explained import page_path, write_page
    from holdfast.report.terminal import image_table
    from holdfast.study.explain_image import explain_image

    page = page_path(run, out)
    example = explain_image(run, None if file is None else Path(file), row, *asked)
    write_page(example, page)
    if as_json:
        typer.echo(json.dumps(example.to_json() | {"page": str(page)}, ensure_ascii=False))
        return
    Console(highlight=False).print(image_table(example))
    typer.echo(f"Heat maps: {page}")


def _user(
    run: Path,
    what: str | None,
    user: str | None,
    count: int | None,
    asked: tuple[str | None, str | None, str | None],
    as_json: bool,
) -> None:
    from holdfast.report.reasons import reasons_table
    from holdfast.study.explain_user import explain_user

    if user is None or what is not None:
        raise BadSetting(f"{run} is a run on interactions: expected a user, e.g. --user 42")
    example = explain_user(run, user, 5 if count is None else count, *asked)
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps({"schema": 1} | asdict(example), ensure_ascii=False))
    else:
        Console(highlight=False).print(reasons_table(example))


def _refuse(run: Path, what: str, **options: object) -> None:
    for name, given in options.items():
        if given is not None:
            raise BadSetting(f"{run} is a run on {what}: leave --{name} out")
