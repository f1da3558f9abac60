"""The command that repeats a run, where its files are: they are named without folders."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from holdfast.core.outside import loaded_in
from holdfast.core.places import places
from holdfast.core.settings import label
from holdfast.data.source import Source, identity, modality_of
from holdfast.study.plan import Plan, defaults_for, infer_modality
from holdfast.train.fit import Fit

OPTIONS = (
    ("models", "--model"),
    ("repairs", "--repair"),
    ("explainers", "--explainer"),
    ("comparisons", "--comparison"),
    ("probes", "--probe"),
    ("perturbations", "--perturb"),
)

SAME = "add --out and this folder if the run was given one"
"""What advice says, in a file, beside a command that goes on with the run."""
HERE = "in Python only (holdfast.audit): no other program can import {}"
MARK = "  # "
FROM_PYTHON = "the data came from Python (holdfast.audit): save that table under this name first"


def audit_command(plan: Plan) -> str:
    """What to type for an audit; options at their defaults are left out.

    >>> audit_command(Plan((Source("reviews.csv", text="review", vectors="glove-100d"),), seeds=5))
    'holdfast audit reviews.csv --text review --vectors glove-100d --seeds 5 --device cpu'
    """
    typed = _said(plan, _audit(plan.portable), defaults_for(plan.data[0], plan.models).fit, plan.seeds != 10)
    local = [part.name for part in loaded_in((*plan.models, *plan.explainers)) if part.local]
    why = HERE.format(local[0]) if local else "" if plan.data[0].frame is None else FROM_PYTHON
    return f"{typed}{MARK}{why}" if why else typed


def in_folder(do: str, out: Path | str | None, data: str = "") -> str:
    """Advice where it is known how ``data`` was typed, where checkpoints lie, and whether the run was given a
    folder: a command that goes on with the run names it, any other starts a run of its own. The files of a
    run do not know where they, the data or checkpoints lie, and say ``SAME``.

    >>> in_folder(f"Explain more ({SAME}): holdfast audit a.csv --instances 400", "my run", "texts/a.csv")
    "Explain more: holdfast audit texts/a.csv --instances 400 --out 'my run'"
    """
    kept, typed = (f"holdfast audit {shlex.quote(name)} " for name in (Path(data).name, data))
    do = _lying(do.replace(kept, typed))
    if SAME not in do:
        return do
    told = do.replace(f" ({SAME})", "").replace(f"; {SAME}", "")
    command, mark, why = told.partition(MARK)
    folder = "" if out is None else f" --out {shlex.quote(str(out))}"
    return f"{command}{folder}{mark}{why}"


def _lying(do: str) -> str:
    """The same with the folders of checkpoints, where this process was told of them."""
    known = places()

    def lies(said: re.Match[str]) -> str:
        folder = known.get(said["digest"])
        return said[0] if folder is None else shlex.quote(f"{said['model']}{folder}{said['settings']}")

    pinned = r"'?(?P<model>\w+:path=)[^,']*(?P<settings>,sha256=(?P<digest>\w+)[^\s']*)'?"
    return re.sub(pinned, lies, do)


def study_command(
    plan: Plan, data: Sequence[str], models: Sequence[str] | None, fit: Fit, folded: bool = False
) -> str:
    """What to type for a study: its ``--data`` and ``--model`` (None: its own), its own ``fit``, and
    whether it has folds. A study's own defaults are many, and a reader wants to see what was run."""
    words = ["holdfast", "reproduce", plan.study, "--data", ",".join(data), *_vectors(plan.portable.data)]
    length = plan.data[0].max_length  # the same for every data set
    words += [] if length == Source().max_length else ["--max-length", str(length)]
    words += [] if models is None else ["--model", ",".join(models)]
    words += ["--repair", ",".join(plan.repairs)]
    if folded:
        words += ["--folds", str(plan.folds)]
    if folded or plan.instances is not None:
        words += ["--instances", str(plan.instances or "all")]
    return _said(plan, words, fit, folded or plan.seeds != 10)


def _said(plan: Plan, words: Sequence[str], fit: Fit, seeds: bool) -> str:
    seeds_too = ["--seeds", str(plan.seeds)] if seeds else []
    # the device is always said: left out it would mean whatever a reader has
    return shlex.join([*words, *seeds_too, "--device", plan.device, *_fit(plan.fit, fit)])


def _audit(plan: Plan) -> list[str]:
    source = plan.data[0]
    saved = source.data if source.frame is None else f"{source.data}.parquet"
    words = ["holdfast", "audit", *([] if source.data == "planted" else [saved])]
    typed = Source(source.data, user=source.user, item=source.item)
    known = replace(infer_modality(typed, plan.models), user=None, item=None)
    for name, value in identity(source).items():
        if name not in ("data", "vectors") and value != getattr(known, name):
            written = ",".join(value) if isinstance(value, tuple) else str(value)
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [written])]
    words += _vectors(plan.data)
    defaults = defaults_for(source, plan.models)
    plain = Plan(
        plan.data,
        defaults_for(typed).models,
        explainers=defaults.explainers,
        comparisons=defaults.comparisons,
    )
    for name, option in OPTIONS:
        if getattr(plan, name) != getattr(plain, name):
            words += [option, ",".join(getattr(plan, name))]
    if plan.instances != plain.instances:
        words += ["--instances", str(plan.instances or "all")]
    return words


def is_planted(data: str) -> bool:
    """Whether this names the generated texts, whose words are too few for pre-trained vectors."""
    return data.partition(":")[0] in ("planted", "planted-cloze")


def _vectors(sources: tuple[Source, ...]) -> list[str]:
    """Left out where it is what ``auto`` gives, none for planted texts, images and items; several kinds are
    only had by it."""
    kinds = {source.vectors for source in sources}
    plain = [is_planted(source.data) or "vectors" not in modality_of(source).reads for source in sources]
    if len(kinds) > 1 or (kinds == {None} and all(plain)):
        return []
    return ["--vectors", str(kinds.pop() or "none")]


def _fit(fit: Fit, defaults: Fit) -> list[str]:
    words = []
    for name in ("epochs", "batch", "patience"):
        if getattr(fit, name) != getattr(defaults, name):
            words += [f"--{name}", str(getattr(fit, name))]
    if fit.optimiser != defaults.optimiser:
        words += ["--optimiser", label(fit.optimiser)]
    return words + ["--decay-embeddings"] * fit.decay_embeddings
