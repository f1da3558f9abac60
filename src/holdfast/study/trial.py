"""A trial: does the explainer that decides the verdict suit the model at all?"""

import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.models.base import Run
from holdfast.train.family import initial, template
from holdfast.train.job import Job


def try_out(job: Job, dataset: Dataset) -> None:
    """Ask a job's first explainer to explain one example with an untrained member: refused is refused before
    anything is trained."""
    explainer = make("explainers", job.explainers[0])
    if explainer.draws:
        return
    run = Run(template(job.architecture, dataset.task), initial(job.architecture, dataset.task, Member(0)))
    one, first = dataset.splits["test"].batch(torch.tensor([0])), torch.tensor([0])
    try:
        explainer.suits(run, one, first)
        explainer.scores(run, one, first)
    except BadSetting as error:
        raise BadSetting(f"{job.model} cannot be explained so: {error}") from error
    except (RuntimeError, ValueError):
        return  # recorded with the others, if it happens again
