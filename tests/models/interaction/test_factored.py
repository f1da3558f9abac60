"""Models that know a user by a vector, and read no history."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadData, BadSetting
from holdfast.testing.histories import histories as example
from holdfast.testing.model import build, example_for
from tests.models.interaction.twin import TASK

USERS = replace(TASK, users=5)
NO_HISTORY = ("gmf:dim=3", "ncf:dim=3,layers=4+2", "neumf:dim=3,width=2,layers=4+2")


@pytest.mark.parametrize("text", NO_HISTORY)
def test_nothing_to_explain(text):
    model = build(make("models", text), USERS)
    with pytest.raises(
        BadSetting,
        match=r"^this model cannot be explained: it reads no history, so there is nothing to explain: "
        r"choose fism or deepicf$",
    ):
        model.focused(example(USERS, 6), torch.zeros(5, dtype=torch.long))
    with pytest.raises(BadSetting, match=r": expected data of users, but got none$"):
        make("models", text).build(TASK)
    with pytest.raises(
        BadData, match=r"^expected the numbers of the users \(user\) in a batch, but got none$"
    ):
        model.rank(example(TASK, 6))


@pytest.mark.parametrize("text", NO_HISTORY)
def test_history_is_not_looked_at(text):
    model = build(make("models", text), USERS)
    batch = example_for(model, USERS)
    gone = replace(batch, mask=torch.zeros_like(batch.mask), inputs=batch.inputs.flip(1))
    assert torch.equal(model(gone).logits, model(batch).logits)
    other = replace(batch, user=(batch.user + 1) % 5)
    assert not torch.equal(model(other).logits, model(batch).logits)
