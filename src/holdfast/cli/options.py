"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

DATA, TEXTS, ITEMS, TABLES = "Data", "Texts", "Interactions", "Tables of features"
TRAIN, SAY = "Training and explaining", "Output"

Label = Annotated[
    str | None,
    typer.Option(help="Column with the labels, of texts and of features.", rich_help_panel=TEXTS),
]
Features = Annotated[
    str | None,
    typer.Option(help="Columns to learn from, separated by commas (all).", rich_help_panel=TABLES),
]
Resample = Annotated[
    bool,
    typer.Option(
        "--resample",
        help="Every member trains on its own draw of the rows, with replacement; for models that make no "
        "use of a seed, as hgb and logistic.",
        rich_help_panel=TABLES,
    ),
]
Query = Annotated[
    str | None,
    typer.Option(
        help="Column with the second text of a pair, as in SNLI; of cloze questions, the question.",
        rich_help_panel=TEXTS,
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Refuse a table in which a text, label, user, item or time is missing; by default such rows "
        "are dropped and counted, up to 5 % of all.",
        rich_help_panel=DATA,
    ),
]
Model = Annotated[
    list[str] | None,
    typer.Option(
        help="Models, e.g. bilstm:attention=dot or hf:FOLDER (holdfast list models), or your own: "
        "./mine.py:Mine; default: cnn for text, convrlstm for images, sasrec for interactions, "
        "forest for features.",
        rich_help_panel=TRAIN,
    ),
]
Train = Annotated[
    str | None,
    typer.Option(
        metavar="head|last|all",
        help="How much of a checkpoint (--model hf:FOLDER) is fine-tuned: its head, the last layer too, or "
        "all; default: head.",
        rich_help_panel=TRAIN,
    ),
]
Checkpoints = Annotated[
    str | None,
    typer.Option(
        metavar="RUN1,RUN2,…",
        help="Folders of classifiers that Hugging Face's transformers fine-tuned already, in place of "
        "--model: each is a seed, and nothing is trained.",
        rich_help_panel=TRAIN,
    ),
]
Repair = Annotated[
    list[str] | None,
    typer.Option(
        help="Repairs, e.g. none,aswa (holdfast list repairs); default: none.", rich_help_panel=TRAIN
    ),
]
Explainers = Annotated[
    list[str] | None,
    typer.Option("--explainer", help="Explainers; --fail-under asks about the first.", rich_help_panel=TRAIN),
]
Comparisons = Annotated[
    list[str] | None,
    typer.Option("--comparison", help="Comparisons between seeds to report.", rich_help_panel=TRAIN),
]
Probes = Annotated[
    list[str] | None,
    typer.Option(
        "--probe",
        help="Also measure how far predictions fall without what explainers point at, e.g. comprehensiveness "
        "(holdfast list probes); default: none.",
        rich_help_panel=TRAIN,
    ),
]
Perturb = Annotated[
    list[str] | None,
    typer.Option(
        "--perturb",
        metavar="NAME[:SETTINGS]",
        help="Also ask whether explanations survive small changes of the input, e.g. dropped,typos "
        "(holdfast list perturbations); each costs as much as the explanations themselves. Default: none.",
        rich_help_panel=TRAIN,
    ),
]
Seeds = Annotated[int | None, typer.Option(help="How many seeds to train (10).", rich_help_panel=TRAIN)]
Epochs = Annotated[int | None, typer.Option(help="At most this many epochs (20).", rich_help_panel=TRAIN)]
Batch = Annotated[int | None, typer.Option(help="Batch size (32; interactions: 128).", rich_help_panel=TRAIN)]
Patience = Annotated[
    int | None,
    typer.Option(
        help="Stop a seed after this many epochs without a better validation score (3).",
        rich_help_panel=TRAIN,
    ),
]
Optimiser = Annotated[
    str | None, typer.Option(help="adam, sgd or adagrad, e.g. sgd:lr=0.05 (adam).", rich_help_panel=TRAIN)
]
Instances = Annotated[
    str, typer.Option(help="Explain at most this many test examples, or 'all'.", rich_help_panel=TRAIN)
]
Decay = Annotated[
    bool,
    typer.Option("--decay-embeddings", help="Apply weight decay to embeddings too.", rich_help_panel=TRAIN),
]
Device = Annotated[str, typer.Option(help="cpu, cuda, or auto.", rich_help_panel=TRAIN)]
Workers = Annotated[
    int | None,
    typer.Option(help="Worker processes on the CPU (default: one per core).", rich_help_panel=TRAIN),
]
Vectors = Annotated[
    str,
    typer.Option(
        help="Pre-trained word vectors: a name, a file, 'none', or 'auto' (glove-100d if installed).",
        rich_help_panel=TEXTS,
    ),
]
DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder with the named data sets (default: $HOLDFAST_DATA).", rich_help_panel=DATA),
]
Out = Annotated[
    Path | None, typer.Option(help="Folder for the run (default: holdfast-runs/…).", rich_help_panel=SAY)
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Start over instead of resuming.", rich_help_panel=SAY)]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print the answer as JSON on standard output.", rich_help_panel=SAY)
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.", rich_help_panel=SAY)]
Junit = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write a test case for each explainer and question, as JUnit XML.",
        rich_help_panel=SAY,
    ),
]  # fmt: skip
Markdown = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a summary for a pull request.", rich_help_panel=SAY),
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        help="Exit with code 3 if a question fails, or if the lower end of the hold is below this, for the "
        "first --explainer (default: the headline's).",
        rich_help_panel=SAY,
    ),
]
Entities = Annotated[
    str | None,
    typer.Option(
        help="Cloze questions: column with the entities that can be the answer, separated by ; "
        "(default: those marked @name in the text).",
        rich_help_panel=TEXTS,
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(
        help="Windows per history and epoch (default: enough for 20 batches of 128).",
        rich_help_panel=ITEMS,
    ),
]
Holdout = Annotated[
    str | None,
    typer.Option(
        help="Item to predict: the last (test) or the one before it (validation).", rich_help_panel=ITEMS
    ),
]
Repeats = Annotated[
    str | None,
    typer.Option(
        help="Rows that repeat another (same user, item and time): keep or drop them (keep).",
        rich_help_panel=ITEMS,
    ),
]
Recipe = Annotated[
    str | None,
    typer.Option(
        metavar="./FILE.py:NAME",
        help="Audit anything that can be trained again: an object with train(seed), predict(model, inputs) "
        "and explain(model, inputs, target), of a file or a module; without NAME the file itself. "
        "Its data() has the rows, or DATA.",
        rich_help_panel=TRAIN,
    ),
]
