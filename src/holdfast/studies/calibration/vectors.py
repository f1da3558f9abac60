"""What recommenders learn of genres and ages, without having been told (Jain §3.1.6, Figures 3.1 to 3.3)."""

from collections.abc import Iterator

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.data.interaction.attributes import Attribute, ages, genres
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.measure.embedding import pca, tsne
from holdfast.measure.neighbours import Purity, purity
from holdfast.study.attending import MakeRow
from holdfast.study.embedding import vectors_of
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult, family_of
from holdfast.train.family import Family

NEAREST = (10, 3)
GENRES = (("Horror", "Action"), ("Horror", "Children's"))
FACTORS, ITEMS = "gmf", "deepicf"
SHOWN, PLANES = 600, 3  # points of a plane that are drawn, seeds that have one


def vector_rows(family: FamilyResult) -> Iterator[Measurement]:
    """Neighbours of the same genre or age, in the full space and in the plane, and the points of a plane."""
    dataset = InteractionDataset.narrow(family.dataset)
    name = family.model.split(":")[0]
    if family.repair != "none" or name not in (FACTORS, ITEMS):
        return
    trained = family_of(family)
    untrained = Family.init(family.job.architecture, family.dataset.task, family.members)
    if dataset.all_genres is not None:
        for pair in GENRES[:1] if name == ITEMS else GENRES[1:]:
            known = genres(dataset)
            if set(pair) <= set(known.groups):
                tables = [vectors_of(one, "items").cpu() for one in (trained, untrained)]
                yield from _rows(family, tables, known.only(*pair), "PCA" if name == ITEMS else "t-SNE")
    if name == FACTORS and dataset.ages is not None:
        tables = [vectors_of(one, "users").cpu() for one in (trained, untrained)]
        yield from _rows(family, tables, ages(dataset), "t-SNE")


def _rows(
    family: FamilyResult, tables: list[Float[Tensor, "M n d"]], known: Attribute, how: str
) -> Iterator[Measurement]:
    row, inside = Measurer(family).row, known.inside.any(1)
    about: dict[str, object] = {"comparison": known.name}
    for kind, vectors in zip(("", "_untrained"), tables, strict=True):
        for one in purity(vectors, known.inside, known.groups, NEAREST):
            yield from _purity(row, f"purity{kind}", one, about)
    some = torch.arange(len(inside))[inside]
    some = some[permutation(len(some), None, "plane")[:SHOWN]].sort().values
    seeds = [table[some].double() for table in tables[0][:PLANES]]
    planes = torch.stack([pca(one).points if how == "PCA" else tsne(one) for one in seeds])
    for one in purity(planes, known.inside[some], known.groups, NEAREST[:1]):
        yield from _purity(row, "purity_plane", one, about)
    scaled = planes[0] / planes[0].abs().max()
    for place, (x, y) in list(zip(some.tolist(), scaled.tolist(), strict=True))[:SHOWN]:
        group = known.groups[int(known.inside[place].double().argmax())]
        yield row("plane", y, by="point", bin=f"{known.name} {how}", label=group, at=round(x, 3), n=1)


def _purity(row: MakeRow, quantity: str, one: Purity, about: dict[str, object]) -> Iterator[Measurement]:
    place = {"by": "group" if one.group else "all", "label": one.group, "bin": str(one.k)}
    yield row(quantity, one.share, **(about | place))
    yield row(f"{quantity}_gain", one.gain, **(about | place))
