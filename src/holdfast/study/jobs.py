"""The jobs of a plan: one for each family, with those that its repair needs first."""

from dataclasses import replace

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.settings import label
from holdfast.study.plan import Plan
from holdfast.study.store import Store
from holdfast.train.job import Job


def job_of(
    plan: Plan,
    store: Store,
    number: int,
    data: str,
    model: str,
    repair: str,
    students: tuple[tuple[str, str], ...] = (),
) -> Job:
    """The job of one family; ``data`` is the name of data set ``number``.

    A family that the repair needs has the folder that it has in a plan that names it, so it is reused. A
    model that looks at nothing of its input is trained, and not explained.
    """
    if (model, repair) in students:
        raise BadSetting(f"expected a repair that does not need itself, but got {repair}")
    own, teachers = make("models", model), list[tuple[str, Job]]()
    for name, first in make("repairs", repair).teachers(own).items():
        text = model if first.model is own else label(first.model)
        methods = text, label(make("repairs", first.repair)), (*students, (model, repair))
        teachers.append((name, replace(job_of(plan, store, number, data, *methods), seed=first.seed)))
    folder = store.family(f"{number}-{data}", model, repair)
    explainers = plan.explainers if own.explains else ()
    return Job(folder, store.data(number), model, repair, plan.fit, explainers, tuple(teachers))
