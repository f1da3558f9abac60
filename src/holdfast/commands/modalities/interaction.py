"""A user, and what is recommended to her."""

from functools import partial
from pathlib import Path
from typing import ClassVar

from holdfast.commands.modality import Explained, Modality, Request
from holdfast.core.errors import BadSetting
from holdfast.report.explained import draw_beside, page_path
from holdfast.report.explained_user import render_user
from holdfast.report.reasons import reasons_table
from holdfast.study.explain_user import explain_user

COUNT = 5  # recommendations


class Interaction(Modality):
    """A user of the data."""

    options: ClassVar[tuple[str, ...]] = ("user", "count")

    def explain(self, run: Path, request: Request) -> Explained:
        """Recommendation by recommendation."""
        explainers = request.explainers or (None,)
        if len(explainers) > 1:
            many = " and ".join(map(str, explainers))
            raise BadSetting(f"expected one explainer for a user, but got {many}")
        if request.user is None or request.what is not None:
            raise BadSetting(f"{run} is a run on interactions: expected a user, e.g. --user 42")
        page_path(run, request.out)
        count = COUNT if request.count is None else request.count
        example = explain_user(run, request.user, count, request.model, request.repair, explainers[0])
        page = draw_beside(render_user(example), run, request.out)
        return Explained((example,), reasons_table, partial(render_user, example, cell=True), page)
