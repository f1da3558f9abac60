"""Attention that breaks its promises is found."""

from dataclasses import replace

import pytest

from holdfast.models.interaction.deepicf import Deepicf
from holdfast.models.text.bert import Bert, BertText
from holdfast.testing.attention import check_attention, check_edit
from holdfast.testing.model import build, example_for
from tests.models.interaction.twin import TASK
from tests.models.text.checkpoints import TWO, write_checkpoint


def test_weights_that_are_no_distribution_must_say_so():
    model = build(Deepicf(dim=4, beta=0.5), TASK)
    batch = example_for(model, TASK)
    check_attention(model, batch)
    check_edit(model, batch)
    model.distributes = True
    with pytest.raises(AssertionError, match=r"^attention does not sum to 1$"):
        check_attention(model, batch)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda maps: maps * 2, "attention does not sum to 1"),
        (lambda maps: maps.mT, "attention does not sum to 1"),
        (lambda maps: maps + 1e-9, "a masked position is attended"),
    ],
)
def test_maps_that_are_only_read_keep_the_same(tmp_path, monkeypatch, change, said):
    model, plain = build(Bert(str(write_checkpoint(tmp_path))), TWO), BertText.forward
    batch = example_for(model, TWO)
    check_attention(model, batch)
    check_edit(model, batch)

    def changed(self, *arguments):
        trace = plain(self, *arguments)
        return replace(trace, attention=(change(trace.attention[0]), *trace.attention[1:]))

    monkeypatch.setattr(BertText, "forward", changed)
    with pytest.raises(AssertionError, match=f"^{said}$"):
        check_attention(model, batch)
