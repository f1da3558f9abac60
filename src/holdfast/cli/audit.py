"""``holdfast audit``: the main job."""

import json
from typing import Annotated

import typer
from rich.console import Console

from holdfast.cli.options import (
    DATA,
    ITEMS,
    TEXTS,
    AsJson,
    Batch,
    Checkpoints,
    Comparisons,
    DataDir,
    Decay,
    Device,
    Entities,
    Epochs,
    Explainers,
    FailUnder,
    Features,
    Fresh,
    Holdout,
    Instances,
    Junit,
    Label,
    Markdown,
    Model,
    Optimiser,
    Out,
    Patience,
    Perturb,
    Probes,
    Query,
    Quiet,
    Recipe,
    Repair,
    Repeats,
    Resample,
    Samples,
    Seeds,
    Strict,
    Train,
    Vectors,
    Workers,
)
from holdfast.cli.parse import count_of, length_of, share_of, workers_of
from holdfast.cli.progress import progress


def audit(
    context: typer.Context,
    data: Annotated[
        str,
        typer.Argument(
            help="A file (.csv, .tsv, .jsonl, .parquet; images: .npz; interactions: .txt and .inter too) "
            "or a name (holdfast list data)."
        ),
    ] = "planted",
    limit: Annotated[
        int | None,
        typer.Option(help="At most this many training examples (interactions: users).", rich_help_panel=DATA),
    ] = None,
    data_dir: DataDir = None,
    strict: Strict = False,
    text: Annotated[str | None, typer.Option(help="Column with the texts.", rich_help_panel=TEXTS)] = None,
    label: Label = None,
    features: Features = None,
    resample: Resample = False,
    query: Query = None,
    entities: Entities = None,
    vectors: Vectors = "auto",
    max_length: Annotated[
        int, typer.Option(help="Cut texts after this many words.", rich_help_panel=TEXTS)
    ] = 256,
    min_count: Annotated[
        int, typer.Option(help="Words seen less often count as unknown.", rich_help_panel=TEXTS)
    ] = 1,
    max_words: Annotated[
        int | None, typer.Option(help="At most this many words in the vocabulary.", rich_help_panel=TEXTS)
    ] = None,
    steps: Annotated[
        int | None, typer.Option(help="Number of strips to cut each image into.", rich_help_panel=DATA)
    ] = None,
    user: Annotated[str | None, typer.Option(help="Column with the users.", rich_help_panel=ITEMS)] = None,
    item: Annotated[str | None, typer.Option(help="Column with the items.", rich_help_panel=ITEMS)] = None,
    time: Annotated[
        str | None,
        typer.Option(help="Column with the times (default: rows are in order).", rich_help_panel=ITEMS),
    ] = None,
    rating: Annotated[
        str | None,
        typer.Option(help="Column with the ratings, for models that use them.", rich_help_panel=ITEMS),
    ] = None,
    filter: Annotated[
        str | None,
        typer.Option(
            help="Drop rare users and items once, repeatedly (core), or none.", rich_help_panel=ITEMS
        ),
    ] = None,
    least: Annotated[
        int | None,
        typer.Option(help="Users and items with fewer interactions are rare (5).", rich_help_panel=ITEMS),
    ] = None,
    length: Annotated[
        str | None,
        typer.Option(help="How many of the latest items a model sees (50), or all.", rich_help_panel=ITEMS),
    ] = None,
    samples: Samples = None,
    holdout: Holdout = None,
    repeats: Repeats = None,
    recipe: Recipe = None,
    model: Model = None,
    train: Train = None,
    checkpoints: Checkpoints = None,
    repair: Repair = None,
    explainer: Explainers = None,
    comparison: Comparisons = None,
    probe: Probes = None,
    perturb: Perturb = None,
    seeds: Seeds = None,
    epochs: Epochs = None,
    batch: Batch = None,
    patience: Patience = None,
    optimiser: Optimiser = None,
    decay_embeddings: Decay = False,
    instances: Instances = "200",
    device: Device = "auto",
    workers: Workers = None,
    out: Out = None,
    fresh: Fresh = False,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
    junit: Junit = None,
    markdown: Markdown = None,
    quiet: Quiet = False,
) -> None:
    """Train many seeds, explain them, and say whether the explanations hold.

    Without DATA it audits embedded reviews whose true rationale is known.
    Run the same command again to resume; with more seeds, explainers,
    instances or perturbations the run grows.

    Examples:
      holdfast audit
      holdfast audit reviews.csv --text review --label stars --model bilstm --repair none,aswa
      holdfast audit reviews.csv --model hf:checkpoints/minilm --train all --seeds 5
      holdfast audit reviews.csv --checkpoints run1,run2,run3
      holdfast audit stories.csv --text passage --query question --label answer
      holdfast audit sst2 --model cnn --json --fail-under 0.5 --junit holdfast.xml
      holdfast audit digits-maj --model convrlstm --seeds 5
      holdfast audit credit.csv --label default --model hgb --resample
      holdfast audit --recipe ./mine.py:recipe --seeds 20
      holdfast audit plays.csv --user who --item what --time when --model sasrec
    """
    from holdfast.cli.recipe import data_of_recipe
    from holdfast.commands.audit import audit as audit_data
    from holdfast.commands.summary import Summaries
    from holdfast.data.source import Source

    share_of("--fail-under", fail_under)
    summaries = Summaries(junit, markdown)
    source = Source(
        data=data,
        text=text,
        label=label,
        features=features,
        resample=resample or None,
        query=query,
        entities=entities,
        max_length=max_length,
        min_count=min_count,
        max_words=max_words,
        limit=limit,
        steps=steps,
        user=user,
        item=item,
        time=time,
        rating=rating,
        filter=filter,  # type: ignore[arg-type]  # checked there
        least=least,
        length=length_of(length),
        samples=samples,
        holdout=holdout,  # type: ignore[arg-type]
        repeats=repeats,  # type: ignore[arg-type]
        strict=strict,
    )
    rows = source if recipe is None else data_of_recipe(context)
    with progress(quiet) as listen:
        answer = audit_data(
            rows,
            recipe=recipe,
            models=model,
            checkpoints=checkpoints,
            train=train,  # type: ignore[arg-type]  # checked there
            repairs=repair,
            seeds=seeds,
            explainers=explainer,
            comparisons=comparison,
            probes=probe,
            perturb=perturb,
            instances=count_of(instances),
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
    summaries.write(answer.answer)
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        from holdfast.report.answer_table import answer_table

        screen = Console(highlight=False)
        screen.print(answer_table(answer.answer), crop=False)
        if probe and answer.answer.row is not None:
            from holdfast.report.probe_lines import probes_of

            screen.print(probes_of(answer.run, answer.answer.row))
        if answer.more:
            typer.echo(answer.more)
        typer.echo(f"Report: {answer.run / 'report.html'}")
    if fail_under is not None:
        from holdfast.commands.gate import first_named, gate

        if gate(answer.answer, fail_under, first_named(explainer)):
            raise typer.Exit(3)
