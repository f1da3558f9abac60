from holdfast.data.named_set import NamedSet
from holdfast.data.named_sets import named_sets, packages


def test_every_modality_has_its_sets():
    homes = {cls.__module__.rpartition(".")[0] for cls in named_sets().values()}
    assert homes == set(packages())
    assert all(issubclass(cls, NamedSet) and cls.name == name for name, cls in named_sets().items())
    assert list(named_sets()) == sorted(named_sets())
