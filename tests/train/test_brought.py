"""Members that come from files: taken as they are, by every way that would train them."""

from dataclasses import dataclass, field

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.core.settings import label
from holdfast.models.text.average import Average
from holdfast.repair.aswa import Aswa
from holdfast.train.brought import brought, check_repair
from holdfast.train.family import Family, initial
from holdfast.train.fit import Fit
from holdfast.train.repair import Nothing


@dataclass(frozen=True)
class Brought(Average):
    """An average of words whose members were drawn elsewhere."""

    count: int = field(default=3)

    @property
    def files(self):
        return tuple(f"{number}.safetensors" for number in range(self.count))

    def weights(self, task, member):
        return initial(Average(self.attention, self.dim, self.dropout), task, Member(100 + member.seed))


OWN = Brought(dim=4)


def test_a_member_is_what_its_file_says(planted):
    one = brought(OWN, planted.task, Member(2))
    expected = initial(Average(dim=4), planted.task, Member(102))
    assert one.why is None
    assert (one.best, one.history, one.path.shape) == (0, (), (0, 0))
    assert one.parameters.keys() == expected.keys()
    assert all(torch.equal(one.parameters[name], expected[name]) for name in expected)


@pytest.mark.parametrize("member", [Member(3), Member(0, 0)])
def test_there_is_no_other_member(planted, member):
    with pytest.raises(BadSetting) as refused:
        brought(OWN, planted.task, member)
    said = f"expected one of the 3 checkpoints that were given, but got {member}: give more of them"
    assert str(refused.value) == said


def test_repairs_change_training_and_there_is_none():
    check_repair(OWN, Nothing())
    check_repair(Average(), Aswa())
    with pytest.raises(BadSetting) as refused:
        check_repair(OWN, Aswa())
    assert str(refused.value) == (
        "aswa changes training, but these members come trained, from 0.safetensors and others: "
        "leave --repair out"
    )


def test_a_family_trains_none_of_them(planted):
    members = [Member(0), Member(2)]
    family = Family.fit(OWN, planted, members, Fit(epochs=50))
    for member in members:
        expected = initial(Average(dim=4), planted.task, Member(100 + member.seed))
        own = family.parameters_of(member)
        assert all(torch.equal(own[name], expected[name]) for name in expected)
    assert label(family.architecture) == "brought:dim=4"
    with pytest.raises(BadSetting, match="aswa changes training"):
        Family.fit(OWN, planted, members, repair=Aswa())
