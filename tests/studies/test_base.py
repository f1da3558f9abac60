import inspect

from holdfast.core.catalogue import catalogue
from holdfast.studies.base import Study


def test_every_folder_is_a_study():
    assert {cls.__module__.rpartition(".")[2] for cls in catalogue("studies").values()} == {
        "calibration",
        "relevance",
        "rollout",
        "seat",
        "seed_stability",
    }
    assert inspect.isabstract(Study)
