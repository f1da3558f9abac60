"""The jobs of a plan: one for each family, with those that its repair needs first."""

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.settings import label
from holdfast.study.plan import Plan
from holdfast.study.store import Store
from holdfast.train.job import Job


def job_of(
    plan: Plan, store: Store, number: int, data: str, model: str, repair: str, students: tuple[str, ...] = ()
) -> Job:
    """The job of one family; ``data`` is the name of data set ``number``.

    A family that the repair needs has the folder that it has in a plan that names it, so it is reused. A
    model that looks at nothing of its input is trained, and not explained.
    """
    if repair in students:
        raise BadSetting(f"expected a repair that does not need itself, but got {repair}")
    needs = make("repairs", repair).needs
    teacher = None
    if needs is not None:
        first = label(make("repairs", needs))
        teacher = job_of(plan, store, number, data, model, first, (*students, repair))
    folder = store.family(f"{number}-{data}", model, repair)
    explainers = plan.explainers if make("models", model).explains else ()
    return Job(folder, store.data(number), model, repair, plan.fit, explainers, teacher)
