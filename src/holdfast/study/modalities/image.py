"""Audits of image classifiers: heat maps are looked at, and of known truth only what speaks for it counts."""

from collections.abc import Mapping
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor

from holdfast.data.image.dataset import ImageDataset
from holdfast.measure.impostors import AnotherInput
from holdfast.measure.scale import Scale
from holdfast.study.modality import Defaults, Modality
from holdfast.study.picture import Picture
from holdfast.study.result import FamilyResult
from holdfast.study.views import views


class Image(Modality):
    """Images of thousands of pixels: too many for Kendall's pairs."""

    defaults: ClassVar[Defaults] = Defaults(
        ("convrlstm",),
        ("lrp", "deep_taylor", "guided_backprop", "sensitivity", "integrated_gradients", "random"),
        ("jensen_shannon", "kl", "jaccard", "spearman", "topk_overlap"),
    )
    explains: ClassVar[str] = "a .npz or .npy file with an image, or --row for a test image"
    part: ClassVar[str] = "pixel"
    another: ClassVar[AnotherInput] = AnotherInput(same_class="always")
    lengths: ClassVar[bool] = False
    probe: ClassVar[str] = "comprehensiveness:fill=background"

    def credited(self, scores: Float[Tensor, "M K P"]) -> Float[Tensor, "M K P"]:
        """Only what speaks for the class."""
        return scores.clamp(min=0.0)

    def pictures(self, family: FamilyResult, scales: Mapping[str, Scale], first: str) -> list[Picture]:
        """Images, from the highest hold to the lowest, with their heat maps."""
        return views(family, ImageDataset.narrow(family.dataset), scales[first])
