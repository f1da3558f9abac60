"""An explained image that nobody trained for: two blocks, four strips, two explainers."""

from typing import Any

from holdfast.study.explain_image import ImageExample, ImageHeat
from holdfast.study.findings import Heat

LRP = Heat(
    "lrp", True, ((0.5, 0.0, 0.25, -0.25), (0.75, 0.0, 0.0, -0.25)), (0.625, 0.0, 0.125, -0.25),
    0.3, 0.2, 0.38, "does not hold", 0, 2, 0.025,
)  # fmt: skip
FLAT = Heat("sensitivity", False, ((0.25,) * 4,) * 2, (0.25,) * 4, None, None, None, "undecided", 0, 2)


def explained(**changes: Any) -> ImageExample:
    """The example, with some fields changed."""
    about: dict[str, Any] = {
        "data": "bars",
        "model": "rlstm",
        "repair": "none",
        "source": "test image 3 of bars",
        "white": 255,
        "row": 3,
        "label": "left",
        "target": "right",
        "probabilities": (0.5, 0.7),
        "seeds": (0, 4),
        "height": 1,
        "width": 4,
        "pixels": (0.0, 1.0, 0.5, 0.0),
        "heats": (
            ImageHeat(LRP, (0.625, 0.0, 0.125, 0.0), (0.0, 0.0, 0.0, 0.25), (0.66, 1.0)),
            ImageHeat(FLAT, (0.25,) * 4, (0.0,) * 4, (0.5, None)),
        ),
        "truth": (True, False),
    }
    return ImageExample(**(about | changes))
