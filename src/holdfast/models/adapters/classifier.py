"""What a fine-tuned checkpoint has beside its encoder: its head, and the labels that it knows."""

from pathlib import Path
from typing import Any, NamedTuple

from safetensors import SafetensorError, safe_open
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.core.plain import short
from holdfast.data.reading import listed
from holdfast.models.adapters.checkpoint import CONFIG, WEIGHTS, read
from holdfast.models.adapters.head import SHAPES

COUNTS = {
    "vocab_size": "word pieces",
    "num_hidden_layers": "layers",
    "hidden_size": "numbers in a state",
    "num_attention_heads": "heads in a layer",
}
ONE = "expected checkpoints of one model, fine-tuned with other seeds"


class Classifier(NamedTuple):
    """The head's tensors, by their names in :class:`~holdfast.models.adapters.head.Head`, and the labels."""

    head: dict[str, Tensor]
    labels: dict[int, str]


def classifier(folder: Path, expected: str = "") -> Classifier:
    """The head of a checkpoint, in float32; one that has none, or none that chooses one class, is refused."""
    config = read(folder, expected).encoder.config
    shape = SHAPES[config.model_type]
    names = {
        f"{own}.{part}": f"{theirs}.{part}"
        for own, theirs in (("dense", shape.dense), ("out", shape.out))
        for part in ("weight", "bias")
    }
    try:
        with safe_open(folder / WEIGHTS, framework="pt") as file:
            lacks = sorted({*names.values()} - {*file.keys()})
            head = {own: file.get_tensor(name).float() for own, name in names.items() if not lacks}
    except (OSError, SafetensorError) as error:
        raise BadData(f"checkpoint {_name(folder)} cannot be read ({short(str(error))})") from error
    if lacks:
        raise BadData(
            f"checkpoint {_name(folder)} has no classifier: expected {lacks[0]} in {WEIGHTS}, so fine-tune "
            f"it first, for example with --model hf:{_name(folder)}"
        )
    labels = {int(number): str(name) for number, name in config.id2label.items()}
    _check_labels(folder, config, labels, len(head["out.weight"]))
    return Classifier(head, labels)


def check_alike(first: Path, other: Path) -> None:
    """Refuse a checkpoint of another shape, tokenizer or labels than the first."""
    (one, cut), (two, cuts) = ((own.encoder.config, own.tokenizer) for own in (read(first), read(other)))
    if one.model_type != two.model_type:
        _apart(other, f"is of the family {two.model_type}", first, f"of {one.model_type}")
    for field, what in COUNTS.items():
        a, b = getattr(one, field), getattr(two, field)
        if a != b:
            _apart(other, f"has {b:,} {what}", first, f"has {a:,}")
    if cut.get_vocab() != cuts.get_vocab():
        _apart(other, "has word pieces of its own", first, "has others")
    if one.id2label != two.id2label:
        theirs, ours = (listed(config.id2label.values()) for config in (two, one))
        _apart(other, f"knows the labels {theirs}", first, f"knows {ours}")


def _apart(other: Path, has: str, first: Path, had: str) -> None:
    raise BadData(f"checkpoint {_name(other)} {has}, but {_name(first)} {had}: {ONE}")


def _check_labels(folder: Path, config: Any, labels: dict[int, str], outputs: int) -> None:
    if outputs < 2 or config.problem_type not in (None, "single_label_classification"):
        what = "one number" if outputs < 2 else f"a {config.problem_type}"
        raise BadData(
            f"checkpoint {_name(folder)} gives {what}: expected a classifier that chooses one of two labels "
            "or more"
        )
    if sorted(labels) != list(range(outputs)):
        raise BadData(
            f"checkpoint {_name(folder)} has {outputs} outputs, but id2label of {CONFIG} names "
            f"{len(labels)}: put back the files that belong together"
        )


def _name(folder: Path) -> str:
    return short(str(folder))
