"""A trial: does the explainer that decides the verdict suit the model at all?"""

import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.models.base import Run
from holdfast.study.plan import Plan
from holdfast.train.family import initial, template


def try_out(plan: Plan, dataset: Dataset) -> None:
    """Ask the first explainer of a plan to explain one example of its first data with an untrained member of
    its first model: refused is refused before anything is trained, or removed."""
    model = plan.models_of(0)[0]
    explainer, architecture = make("explainers", plan.explainers[0]), make("models", model)
    if explainer.draws:
        return
    run = Run(template(architecture, dataset.task), initial(architecture, dataset.task, Member(0)))
    one, first = dataset.splits["test"].batch(torch.tensor([0])), torch.tensor([0])
    try:
        explainer.suits(run, one, first)
        explainer.scores(run, one, first)
    except BadSetting as error:
        raise BadSetting(f"{model} cannot be explained so: {error}") from error
    except (RuntimeError, ValueError):
        return  # recorded with the others, if it happens again
