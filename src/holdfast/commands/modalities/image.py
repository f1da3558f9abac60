"""An image of a file, or of the run's own test split; its heat maps are drawn on a page."""

from functools import partial
from pathlib import Path
from typing import ClassVar

from holdfast.commands.modality import Explained, Modality, Request
from holdfast.report.explained import page_path, render_image, write_page
from holdfast.report.terminal import image_table
from holdfast.study.explain_image import explain_image


class Image(Modality):
    """A new image, or one of the run's own."""

    options: ClassVar[tuple[str, ...]] = ("row",)

    def explain(self, run: Path, request: Request) -> Explained:
        """Pixel by pixel."""
        page = page_path(run, request.out)
        file = None if request.what is None else Path(request.what)
        example = explain_image(run, file, request.row, request.model, request.repair, request.explainers)
        write_page(render_image(example), page)
        return Explained((example,), image_table, partial(render_image, example, cell=True), page)
