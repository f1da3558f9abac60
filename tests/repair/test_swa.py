"""Stochastic weight averaging is what torch's own averaged model gives."""

import pytest
import torch
from torch.optim.swa_utils import AveragedModel

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.repair.swa import Swa
from holdfast.train.fit import Fit
from tests.repair.cases import SGD, assert_close
from tests.train.tiny import Bag, plan_of, start_of, tiny, trained


def by_torch(data, start, fit, repair, member):
    """A plain loop with torch's averaged model."""
    model = Bag().double()
    model.load_state_dict(start)
    averaged = AveragedModel(model)
    optimiser = torch.optim.SGD(model.parameters(), lr=fit.optimiser.lr, momentum=fit.optimiser.momentum)
    for epoch, steps in enumerate(plan_of(data, member, fit), 1):
        late = epoch > repair.start * fit.epochs
        optimiser.param_groups[0]["lr"] = fit.optimiser.lr * (repair.factor if late else 1.0)
        for step in steps:
            rows = torch.tensor([data.split.texts.index(text) for text, _ in step])
            loss = model.losses(data.split.batch(rows)).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        if late:
            averaged.update_parameters(model)
    return dict(averaged.module.named_parameters())


def distinct(seed):
    """Texts that are all different, so that a text names its row."""
    data = tiny(seed, rows=8)
    return data if len(set(data.split.texts)) == len(data.split.texts) else distinct(seed + 100)


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("repair", [Swa(), Swa(start=0.0), Swa(start=0.5, factor=2.0)])
def test_it_is_torchs_averaged_model(repair, members):
    data, start = distinct(0), start_of(members)
    fit = Fit(epochs=5, batch=3, patience=1, optimiser=SGD)
    for m, member in enumerate(trained(data, start, fit, repair)):
        parameters = {name: tensor[m] for name, tensor in start.items()}
        expected = by_torch(data, parameters, fit, repair, Member(m))
        assert_close(member.parameters, {name: tensor.detach() for name, tensor in expected.items()})
        assert member.best == fit.epochs, "every epoch runs, whatever the patience"
        assert len(member.history) == fit.epochs


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("swa:start=1", r"swa: expected start in \[0, 1\), but got 1\.0"),
        ("swa:start=nan", r"swa: expected start to be a number, but got 'nan'"),
        ("swa:factor=0", r"swa: expected factor above 0 and finite, but got 0\.0"),
        ("swa:factor=inf", r"swa: expected factor to be a number, but got 'inf'"),
    ],
)
def test_bad_settings_are_named(text, sentence):
    with pytest.raises(BadSetting, match=f"^{sentence}$"):
        make("repairs", text)
