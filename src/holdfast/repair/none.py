"""No repair."""

from dataclasses import dataclass

from holdfast.train.repair import Repair


@dataclass(frozen=True)
class Nothing(Repair):
    """Training as it is: what every repair is held against."""

    name = "none"
