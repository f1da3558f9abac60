"""Scores that somebody brought, of the same columns in every example: signed bars, as tables have them."""

from collections.abc import Collection
from typing import ClassVar

from holdfast.report.modalities.features import Features
from holdfast.report.modality import Unit


class Columns(Features):
    """Reports about scores of columns show what each column adds."""

    unit: ClassVar[Unit] = Features.unit._replace(examples="examples", example="example")
    # an explainer of another library may have the name of one of ours, and be another
    described: ClassVar[Collection[str]] = ("comparisons",)
