import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting, TooFewMembers
from holdfast.core.records import Member
from holdfast.models.base import TEMPERATURE
from holdfast.repair.temperature import Temperature
from holdfast.train.family import Family
from holdfast.train.fitting import check_repair
from tests.models.features.cases import table

MEMBERS = [Member(0), Member(1)]


def test_seeds_make_the_difference_where_something_is_drawn():
    data = table()
    forest = Family.fit(make("models", "forest:trees=3,leaves=4"), data, MEMBERS)
    assert not torch.equal(*forest.parameters["threshold"])
    boosted = Family.fit(make("models", "hgb:trees=3,leaves=4"), data, MEMBERS)
    assert torch.equal(*boosted.parameters["threshold"])
    drawn = Family.fit(make("models", "hgb:trees=3,leaves=4"), table(resample=True), MEMBERS)
    assert not torch.equal(*drawn.parameters["threshold"])


def test_a_member_is_the_same_alone_and_beside_others():
    data, model = table(resample=True), make("models", "forest:trees=3,leaves=4")
    together, alone = Family.fit(model, data, MEMBERS), Family.fit(model, data, MEMBERS[1:])
    for name, tensor in alone.parameters.items():
        assert torch.equal(tensor[0], together.parameters[name][1]), name


def test_a_family_comes_back_from_its_file(tmp_path):
    data, model = table(3), make("models", "hgb:trees=3,leaves=4")
    family = Family.fit(model, data, MEMBERS)
    family.save(tmp_path)
    again = Family.load(tmp_path, model, data.task)
    assert torch.equal(again.logits(data.splits["test"]), family.logits(data.splits["test"]))


def test_a_draw_without_a_class_is_left_out():
    data = table(resample=True)
    lacking = data.splits["train"].classes.clone().fill_(0)
    lacking[0] = 1
    object.__setattr__(data.splits["train"], "classes", lacking)
    without = [seed for seed in range(40) if 0 not in data.splits["train"].trains(Member(seed)).tolist()]
    with pytest.raises(TooFewMembers, match=r"its draw of the training rows has none of class 'yes'"):
        Family.fit(make("models", "logistic"), data, [Member(without[0])])


def test_a_temperature_is_fitted_after_training():
    data = table()
    family = Family.fit(make("models", "logistic:c=100"), data, MEMBERS[:1], repair=Temperature())
    assert float(family.parameters[TEMPERATURE][0]) != 1.0


@pytest.mark.parametrize("repair", ["aswa", "class_balanced", "balanced_sampling", "temperature+aswa"])
def test_repairs_of_training_are_refused(repair):
    with pytest.raises(
        BadSetting, match=r"^hgb: expected no repair, as it is fitted without gradient steps, but got"
    ):
        check_repair(make("models", "hgb"), make("repairs", repair))
    with pytest.raises(BadSetting, match=r"^the model: expected no repair, .* or choose the model mlp$"):
        Family.fit(make("models", "hgb"), table(), MEMBERS, repair=make("repairs", repair))


def test_what_only_finishes_is_not():
    check_repair(make("models", "hgb"), make("repairs", "temperature"))
    check_repair(make("models", "hgb"), make("repairs", "none"))
    check_repair(make("models", "mlp"), make("repairs", "aswa"))
