import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.models.features.mlp import Mlp
from holdfast.train.family import Family
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam
from tests.models.features.cases import table


def test_it_learns_what_trees_learn():
    data = table()
    family = Family.fit(Mlp(hidden=16), data, [Member(0), Member(1)], Fit(epochs=15, optimiser=Adam(lr=1e-2)))
    right = family.logits(data.splits["test"]).argmax(-1) == data.splits["test"].targets
    assert float(right.double().mean()) > 0.85
    assert not torch.equal(*family.parameters["head.weight"])


def test_members_may_draw_their_rows_anew():
    one, other = (
        Family.fit(Mlp(hidden=4), table(resample=drawn), [Member(0)], Fit(epochs=1))
        for drawn in (False, True)
    )
    assert not torch.equal(one.parameters["head.weight"], other.parameters["head.weight"])


def test_numbers_that_no_column_has_do_not_shrink_the_first_weights():
    model = Mlp(hidden=400, layers=1).build(table(sizes=(1, 1, 8)).task)
    assert float(model.layers[0].weight.detach().abs().max()) == pytest.approx((1 / 10) ** 0.5, rel=0.05)


@pytest.mark.parametrize("settings", [{"hidden": 0}, {"layers": 0}, {"dropout": 1.0}])
def test_settings_out_of_bounds_are_refused(settings):
    with pytest.raises(BadSetting, match=r"^mlp: expected"):
        Mlp(**settings)
