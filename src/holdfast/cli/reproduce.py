"""``holdfast reproduce``: a document's study, with what was changed of it."""

import importlib
import json
import pkgutil
from typing import Annotated

import typer

from holdfast.cli.options import (
    DATA,
    TEXTS,
    TRAIN,
    AsJson,
    DataDir,
    Decay,
    Device,
    Fresh,
    Out,
    Quiet,
    Vectors,
    Workers,
)
from holdfast.cli.parse import count_of, workers_of
from holdfast.cli.progress import progress
from holdfast.core.plain import printable


def studies() -> list[str]:
    """The names of the studies, told by their folders: nothing of them is imported."""
    (home,) = importlib.import_module("holdfast.studies").__path__
    return [info.name.replace("_", "-") for info in pkgutil.iter_modules([home]) if info.ispkg]


def reproduce(
    study: Annotated[
        str, typer.Argument(metavar="STUDY", help=f"{', '.join(studies())} (see holdfast list studies).")
    ],
    data: Annotated[
        str | None, typer.Option(help="Data sets (default: the study's own).", rich_help_panel=DATA)
    ] = None,
    vectors: Vectors = "auto",
    max_length: Annotated[
        int | None, typer.Option(help="Cut texts after this many words (256).", rich_help_panel=TEXTS)
    ] = None,
    data_dir: DataDir = None,
    model: Annotated[
        list[str] | None, typer.Option(help="Models (default: the study's own).", rich_help_panel=TRAIN)
    ] = None,
    repair: Annotated[
        list[str] | None, typer.Option(help="Repairs (default: the study's own).", rich_help_panel=TRAIN)
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="How many seeds to train.", rich_help_panel=TRAIN)] = None,
    folds: Annotated[
        int | None,
        typer.Option(help="Folds of a cross-validation, in studies that have one.", rich_help_panel=TRAIN),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(help="At most this many epochs.", rich_help_panel=TRAIN)
    ] = None,
    batch: Annotated[int | None, typer.Option(help="Batch size.", rich_help_panel=TRAIN)] = None,
    patience: Annotated[
        int | None,
        typer.Option(
            help="Stop a seed after this many epochs without a better score.", rich_help_panel=TRAIN
        ),
    ] = None,
    optimiser: Annotated[
        str | None, typer.Option(help="adam, sgd or adagrad, e.g. sgd:lr=0.05.", rich_help_panel=TRAIN)
    ] = None,
    decay_embeddings: Decay = False,
    instances: Annotated[
        str | None,
        typer.Option(help="Explain at most this many test examples, or 'all'.", rich_help_panel=TRAIN),
    ] = None,
    device: Device = "auto",
    workers: Workers = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Use little, embedded data: done in minutes.", rich_help_panel=TRAIN),
    ] = False,
    out: Out = None,
    fresh: Fresh = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Re-run a document's tables and figures, and show them beside what was published.

    Options that you leave out keep the study's own values.

    Examples:
      holdfast reproduce rollout --quick
      holdfast reproduce seed-stability --data sst2 --model cnn,bilstm --repair none,aswa,naswa --seeds 10
      holdfast reproduce seed-stability --data imdb --max-length 180 --instances 2000
    """
    from holdfast.commands.reproduce import reproduce as reproduce_document

    with progress(quiet) as listen:
        answer = reproduce_document(
            study,
            data=data,
            models=model,
            repairs=repair,
            seeds=seeds,
            folds=folds,
            max_length=max_length,
            instances="default" if instances is None else count_of(instances),
            quick=quick,
            device=device,
            out=out,
            fresh=fresh,
            data_dir=data_dir,
            vectors=vectors,
            workers=workers_of(workers),
            listen=listen,
            epochs=epochs,
            batch=batch,
            patience=patience,
            optimiser=optimiser,
            decay_embeddings=decay_embeddings,
        )
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        for line in answer.lines:
            typer.echo(printable(line))
        typer.echo(f"\nReport: {answer.run / 'report.html'}")
