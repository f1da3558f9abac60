import inspect

from holdfast.core.catalogue import catalogue
from holdfast.studies.base import Study, heard


def test_every_folder_is_a_study():
    assert {cls.__module__.rpartition(".")[2] for cls in catalogue("studies").values()} == {
        "calibration",
        "relevance",
        "rollout",
        "seat",
        "seed_stability",
    }
    assert inspect.isabstract(Study)


def test_families_come_one_by_one_and_each_is_heard_of_when_it_is_done():
    said = []
    families = heard(["a", "b"], lambda done, total: said.append((done, total)))
    assert next(families) == "a"
    assert said == [(0, 2)]
    assert list(families) == ["b"]
    assert said == [(0, 2), (1, 2), (2, 2)]
