"""The study of Jain's chapter 4: do explanations survive another seed, and does averaging weights help?"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

import torch
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.data.sources import Source
from holdfast.data.text import TextDataset
from holdfast.measure.bins import by_confidence
from holdfast.measure.pairing import over_members
from holdfast.measure.reduce import mean_over_members, over_pairs, spread
from holdfast.study.asked import Asked
from holdfast.study.cell import Cell
from holdfast.study.claims import Claim, claims
from holdfast.study.layers import layer_rows
from holdfast.study.needs import Needs
from holdfast.study.plan import Plan
from holdfast.study.table import Row
from holdfast.train.fit import Fit

NAME = "seed-stability"
ABOUT = "Jain ch. 4: do explanations survive another seed; do ASWA and NASWA help?"
NEEDS = Needs("words", attends=True)
EXPLAINERS = ("attention", "gradient", "random")
COMPARISONS = ("kl", "jensen_shannon", "jaccard")
MODELS = ("cnn", "bilstm", "cnn:attention=dot", "bilstm:attention=dot")
REPAIRS = ("none", "aswa", "naswa", "naswa:per=tensor")
DATA = {"sst2": "SST", "imdb": "IMDB", "ag_news/world-business": "AgNews"}
SENTENCES = 2


@dataclass(frozen=True)
class Published:
    """One published number beside ours."""

    table: str
    row: str
    column: str
    published: float
    measured: float | None  # None: not run
    low: float | None
    high: float | None
    n: int


def plan(asked: Asked) -> Plan:
    """The plan of what was asked; two models and three repairs unless said otherwise."""
    names = ("planted",) if asked.data is None else asked.data
    return plan_of(
        [Source(name, vectors=asked.vectors(name)) for name in names],
        MODELS[:2] if asked.models is None else asked.models,
        REPAIRS[:3] if asked.repairs is None else asked.repairs,
        10 if asked.seeds is None else asked.seeds,
        asked.fit(Fit()),
        None if asked.instances == "own" else asked.instances,
        asked.device,
        asked.quick,
    )


def plan_of(
    data: Sequence[Source],
    models: Sequence[str],
    repairs: Sequence[str],
    seeds: int,
    fit: Fit,
    instances: int | None,
    device: str,
    quick: bool,
) -> Plan:
    """The study's plan; ``quick`` is the same on a little planted data."""
    plan = Plan(
        data=tuple(data),
        models=tuple(models),
        repairs=tuple(repairs),
        seeds=seeds,
        explainers=EXPLAINERS,
        comparisons=COMPARISONS,
        fit=fit,
        instances=instances,
        device=device,
        study=NAME,
    )
    if not quick:
        return plan
    small = (Source("planted:train=600,validation=100,test=150"),)
    # averaging needs steps, more than it needs texts: small batches
    fast = replace(fit, epochs=min(fit.epochs, 12), batch=min(fit.batch, 8))
    return replace(plan, data=small, seeds=min(seeds, 5), fit=fast)


def own_rows(cells: Sequence[Cell]) -> list[Row]:
    """What this study measures beyond every audit."""
    found: list[Row] = []
    for cell in cells:
        found += layer_rows(cell)
        found += path_rows(cell)
        found += label_rows(cell)
    for group in _groups(cells):
        found += word_rows(group)
    return found


def word_rows(cells: Sequence[Cell]) -> Iterator[Row]:
    """The deviation of each word's attention over seeds, on the sentences where it is largest without repair
    (Jain Figures 4.19 and 4.20)."""
    plain = next((cell for cell in cells if cell.repair == "none"), cells[0])
    dataset = plain.dataset
    if "attention" not in plain.explanations or not isinstance(dataset, TextDataset):
        return
    apart = plain.explanations["attention"].scores.std(0)
    lengths = plain.mask.sum(1)
    fitting = (lengths >= 5) & (lengths <= 25)
    ordered = torch.where(fitting, apart.amax(1), -1.0).argsort(descending=True)
    for number, place in enumerate(ordered[:SENTENCES].tolist(), 1):
        tokens = dataset.tokens("test", int(plain.rows[place]))
        for cell in cells:
            own = cell.explanations["attention"].scores[:, place].std(0)
            for position, token in enumerate(tokens):
                yield Row(
                    cell.data, cell.model, cell.repair, "word", float(own[position]), n=len(cell.members),
                    explainer="attention", other=str(number), by="word",
                    bin=f"{position + 1}:{token}", at=float(position),
                )  # fmt: skip


def label_rows(cell: Cell) -> Iterator[Row]:
    """KL of attention by the predicted probability of each true label, for more than two classes
    (Jain Figure 4.18)."""
    classes = cell.dataset.task.classes
    if len(classes) == 2 or "attention" not in cell.explanations:
        return
    pairs = over_members(cell.explanations["attention"], make("comparisons", "kl"))
    truth = cell.targets[cell.rows]
    for number, name in enumerate(classes):
        probability = cell.probabilities[:, cell.rows, number].mean(0)
        for bin in by_confidence(probability):
            mask = bin.mask & (truth == number)
            if bool(mask.any()):
                found = over_pairs(pairs, mask)
                yield Row(
                    cell.data, cell.model, cell.repair, "stability", found.value, found.low, found.high,
                    int(mask.sum()), explainer="attention", comparison="kl", other=name,
                    by="probability of label", bin=bin.label, at=bin.at,
                )  # fmt: skip


def path_rows(cell: Cell) -> Iterator[Row]:
    """Where each seed went, epoch by epoch, as a function on the validation texts, in two dimensions
    (Jain Figure 2.18, by Isomap)."""
    import warnings

    from sklearn.manifold import Isomap

    paths = [cell.job.tensors(member)["path"] for member in cell.members]
    whole = torch.cat(paths).double()
    if len(whole) < 6:
        return
    # dense, as the iterative solver starts at random; seeds that go apart make it warn, and it mends that
    isomap = Isomap(n_neighbors=min(10, len(whole) - 1), eigen_solver="dense")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        flat: Tensor = torch.as_tensor(isomap.fit_transform(whole.numpy()))
    start = 0
    for member, own in zip(cell.members, paths, strict=True):
        for epoch, (x, y) in enumerate(flat[start : start + len(own)].tolist(), 1):
            for axis, value in (("path_x", x), ("path_y", y)):
                yield Row(
                    cell.data, cell.model, cell.repair, axis, value, n=1, by="path",
                    bin=str(member.seed), at=float(epoch),
                )  # fmt: skip
        start += len(own)


def own_claims(cells: Sequence[Cell]) -> list[Claim]:
    """The document's claims, for every repair."""
    found = []
    for group in _groups(cells):
        plain = next((cell for cell in group if cell.repair == "none"), None)
        for cell in group:
            if plain is not None and cell is not plain:
                found += claims(plain, cell)
    return found


def published(cells: Sequence[Cell]) -> list[Published]:
    """Tables 4.2 and 4.3 beside ours: accuracy and its standard deviation over seeds, in percent."""
    found = []
    for line in _table():
        for cell in cells:
            name = (DATA.get(cell.data), cell.model, cell.repair)
            if name == (line["dataset"], line["encoder"], line["repair"]):
                right = (cell.probabilities.argmax(-1) == cell.targets).double().mean(1) * 100
                measured = spread(right)
                table = "4.2" if cell.model == "cnn" else "4.3"
                row = f"{line['dataset']} {line['encoder']} {line['repair']}"
                mean, said = mean_over_members(right).within(0.0, 100.0), float(line["accuracy_mean"])
                found.append(Published(table, row, "accuracy", said, mean.value, mean.low, mean.high, mean.n))
                ends = _sd_ends(measured.sd, measured.n)
                found.append(
                    Published(table, row, "sd", float(line["accuracy_sd"]), measured.sd, *ends, measured.n)
                )
    return found


def _groups(cells: Sequence[Cell]) -> list[list[Cell]]:
    keys = dict.fromkeys((cell.data, cell.model) for cell in cells)
    return [[cell for cell in cells if (cell.data, cell.model) == key] for key in keys]


def _sd_ends(sd: float, n: int) -> tuple[float | None, float | None]:
    """The 95 % interval of a standard deviation, by χ²(n − 1)."""
    from scipy.stats import chi2

    low, high = chi2.ppf([0.975, 0.025], n - 1)
    return float(sd * ((n - 1) / low) ** 0.5), float(sd * ((n - 1) / high) ** 0.5)


def _table() -> list[dict[str, str]]:
    path = files("holdfast.study").joinpath("published", "jain_tables_4_2_4_3_seed_stability.csv")
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
