"""What this study measures beyond every audit, as rows: by seed, by pair of seeds and by group of texts, so
that claims can be made of rows alone; and what its own figures show."""

from collections.abc import Iterator, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.data.text.dataset import TextDataset
from holdfast.measure.bins import by_confidence
from holdfast.measure.pairing import over_members
from holdfast.measure.quality import deviation
from holdfast.measure.reduce import over_instances, over_pairs
from holdfast.studies.base import Listener, heard
from holdfast.studies.seed_stability.layers import layer_rows
from holdfast.study.measurement import Measurement
from holdfast.study.numbers import GROUP, PAIR, WITHOUT, text_groups
from holdfast.study.result import FamilyResult

CLASS, SPLIT = "class", "split"
COMPARED = (("attention", "kl"), ("attention", "jaccard"), ("gradient", "kl"))
SENTENCES = 2


def own_rows(families: Sequence[FamilyResult], listen: Listener) -> list[Measurement]:
    """Every row of the study's own."""
    rows: list[Measurement] = []
    for family in heard(families, listen):
        rows += seed_rows(family)
        rows += layer_rows(family)
        rows += path_rows(family)
        rows += label_rows(family)
    for group in groups(families):
        rows += word_rows(group)
    for family in {family.data: family for family in reversed(families)}.values():
        rows += size_rows(family)
    return rows


def groups(families: Sequence[FamilyResult]) -> list[list[FamilyResult]]:
    """The families of one model on one data set, together."""
    keys = dict.fromkeys((family.data, family.model) for family in families)
    return [[family for family in families if (family.data, family.model) == key] for key in keys]


def seed_rows(family: FamilyResult) -> Iterator[Measurement]:
    """Accuracy, deviation of predictions and distance of explanations: whichever seed, pair of seeds or group
    of texts is left out, the number without it follows. The accuracy of each seed is every audit's."""
    group = text_groups(len(family.targets))
    right = (family.probabilities.argmax(-1) == family.targets).double()
    yield from _by_group(family, "accuracy", right.mean(0), group)
    two = family.probabilities.shape[-1] == 2
    chosen = family.probabilities[..., 1] if two else family.probabilities.max(-1).values
    yield from _by_group(family, "deviation", deviation(chosen), group)
    seeds = [str(member.seed) for member in family.members]
    for place, seed in enumerate(seeds if len(seeds) > 2 else ()):
        rest = torch.arange(len(seeds)) != place
        value = float(deviation(chosen[rest]).mean())
        yield _row(family, "deviation", value, by=WITHOUT, member=seed, n=len(seeds) - 1)
    for explainer, comparison in COMPARED:
        if explainer not in family.explanations:
            continue
        pairs = over_members(
            family.explanations[explainer].to(family.device), make("comparisons", comparison)
        )
        about = {"explainer": explainer, "comparison": comparison}
        means = over_instances(pairs.values).tolist()
        for i, j, value in zip(pairs.left.tolist(), pairs.right.tolist(), means, strict=True):
            pair = {"by": PAIR, "member": seeds[i], "other_member": seeds[j]}
            yield _row(family, "stability", value, n=len(family.rows), **(about | pair))
        each = pairs.values.double().mean(0).cpu()
        yield from _by_group(family, "stability", each, group[family.rows], **about)


def _by_group(
    family: FamilyResult, quantity: str, values: Float[Tensor, "N"], group: Int[Tensor, "N"], **about: object
) -> Iterator[Measurement]:
    for number in sorted(set(group.tolist())):
        chosen = values[group == number]
        yield _row(family, quantity, float(chosen.mean()), by=GROUP, bin=str(number), n=len(chosen), **about)


def _row(family: FamilyResult, quantity: str, value: float, **about: object) -> Measurement:
    return Measurement(family.data, family.model, family.repair, quantity, value, **about)  # type: ignore[arg-type]


def size_rows(family: FamilyResult) -> Iterator[Measurement]:
    """How many texts of each class there are, and how long they are (Jain Table 4.1); of cloze questions,
    whose classes are entities, only how long."""
    for name in ("train", "test"):
        split = family.dataset.splits[name]
        for number in range(0 if family.dataset.task.cloze else len(family.dataset.task.classes)):
            count = float((split.targets == number).sum())
            yield _row(family, "texts", count, by=CLASS, bin=f"{name}/{number}", n=len(split))
    train = family.dataset.splits["train"]
    length = float(train.lengths.double().mean())
    yield _row(family, "length", length, by=SPLIT, bin="train", n=len(train))


def word_rows(families: Sequence[FamilyResult]) -> Iterator[Measurement]:
    """The deviation of each word's attention over seeds, on the sentences where it is largest without repair
    (Jain Figures 4.19 and 4.20)."""
    plain = next((family for family in families if family.repair == "none"), families[0])
    if "attention" not in plain.explanations:
        return
    dataset = TextDataset.narrow(plain.dataset)
    apart = plain.explanations["attention"].scores.std(0)
    lengths = plain.mask.sum(1)
    fitting = (lengths >= 5) & (lengths <= 25)
    ordered = torch.where(fitting, apart.amax(1), -1.0).argsort(descending=True)
    for number, place in enumerate(ordered[:SENTENCES].tolist(), 1):
        tokens = dataset.tokens("test", int(plain.rows[place]))
        for family in families:
            deviations = family.explanations["attention"].scores[:, place].std(0)
            for position, token in enumerate(tokens):
                yield Measurement(
                    family.data, family.model, family.repair, "word", float(deviations[position]),
                    n=len(family.members), explainer="attention", sentence=str(number), by="word",
                    bin=f"{position + 1}:{token}", at=float(position),
                )  # fmt: skip


def label_rows(family: FamilyResult) -> Iterator[Measurement]:
    """KL of attention by the predicted probability of each true label, for more than two classes
    (Jain Figure 4.18); not of entities."""
    classes = family.dataset.task.classes
    if len(classes) == 2 or family.dataset.task.cloze or "attention" not in family.explanations:
        return
    pairs = over_members(family.explanations["attention"], make("comparisons", "kl"))
    truth = family.targets[family.rows]
    for number, name in enumerate(classes):
        probability = family.probabilities[:, family.rows, number].mean(0)
        for bin in by_confidence(probability):
            mask = bin.mask & (truth == number)
            if bool(mask.any()):
                interval = over_pairs(pairs, mask)
                yield Measurement(
                    family.data, family.model, family.repair, "stability", interval.value,
                    interval.low, interval.high, int(mask.sum()),
                    explainer="attention", comparison="kl", label=name,
                    by="probability of label", bin=bin.label, at=bin.at,
                )  # fmt: skip


def path_rows(family: FamilyResult) -> Iterator[Measurement]:
    """Where each seed went, epoch by epoch, as a function on the validation texts, in two dimensions
    (Jain Figure 2.18, by Isomap)."""
    import warnings

    from sklearn.manifold import Isomap

    paths = [family.job.tensors(member)["path"] for member in family.members]
    whole = torch.cat(paths).double()
    if len(whole) < 6:
        return
    # dense, as the iterative solver starts at random; seeds that go apart make it warn, and it mends that
    isomap = Isomap(n_neighbors=min(10, len(whole) - 1), eigen_solver="dense")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        flat: Tensor = torch.as_tensor(isomap.fit_transform(whole.numpy()))
    start = 0
    for member, path in zip(family.members, paths, strict=True):
        for epoch, (x, y) in enumerate(flat[start : start + len(path)].tolist(), 1):
            for axis, value in (("path_x", x), ("path_y", y)):
                yield Measurement(
                    family.data, family.model, family.repair, axis, value, n=1,
                    member=str(member.seed), by="epoch", bin=str(epoch), at=float(epoch),
                )  # fmt: skip
        start += len(path)
