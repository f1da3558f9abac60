"""Recommenders that start from simpler ones."""

from dataclasses import dataclass

import torch

from holdfast.core.errors import BadSetting
from holdfast.core.settings import name_of
from holdfast.models.base import Architecture, Model
from holdfast.models.interaction.deepicf import Deepicf
from holdfast.models.interaction.fism import Fism
from holdfast.models.interaction.gmf import Gmf
from holdfast.models.interaction.ncf import Ncf
from holdfast.models.interaction.neumf import Fused, Neumf
from holdfast.train.job import under
from holdfast.train.repair import Repair, Teacher, Tensors

VECTORS = ("embedding.weight", "embedding_target.weight", "embedding_bias.weight")


@dataclass(frozen=True)
class Pretrained(Repair):
    """Start from simpler models of the same seed: deepicf from the item vectors and biases of fism (Xue et
    al. 2019), neumf from gmf and ncf, ``h ← ½ [h_gmf, h_ncf]`` (He et al. 2017, α = 0.5).

    The simpler models have the sizes, negatives and spread of the model that takes over their weights, and no
    repair. All train as the plan says, whereas He et al. go on with SGD after Adam.

    >>> Pretrained().teachers(Deepicf(dim=8))
    {'fism': Teacher(model=Fism(dim=8, negatives=4, spread=0.1, alpha=0.5), repair='none', seed=None)}
    """

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """fism, or gmf and ncf."""
        match model:
            case Deepicf(dim=dim, negatives=negatives, spread=spread):
                return {"fism": Teacher(Fism(dim=dim, negatives=negatives, spread=spread), "none")}
            case Neumf(dim=dim, negatives=negatives, spread=spread, width=width, layers=layers):
                gmf = Gmf(dim=dim, negatives=negatives, spread=spread)
                ncf = Ncf(dim=width, negatives=negatives, spread=spread, layers=layers)
                return {"gmf": Teacher(gmf, "none"), "ncf": Teacher(ncf, "none")}
        came = name_of(type(model))
        raise BadSetting(f"pretrained: expected deepicf or neumf, but got {came}: choose another --repair")

    def first(self, parameters: Tensors, model: Model) -> Tensors:
        """What the simpler models learned; the rest as it was drawn."""
        if not isinstance(model, Fused):
            fism = under("teacher/fism/", parameters)
            return parameters | {name: fism[name] for name in VECTORS}
        gmf, ncf = under("teacher/gmf/", parameters), under("teacher/ncf/", parameters)
        own = {name: gmf[name.removeprefix("factors.")] for name in parameters if name.startswith("factors.")}
        own |= {name: ncf[name.removeprefix("tower.")] for name in parameters if name.startswith("tower.")}
        weight = torch.cat([gmf["last.weight"], ncf["last.weight"]], -1)
        bias = gmf["last.bias"] + ncf["last.bias"]
        return parameters | own | {"last.weight": weight / 2, "last.bias": bias / 2}
