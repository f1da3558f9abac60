import pytest
import torch

from holdfast.core.catalogue import catalogue
from holdfast.core.errors import BadSetting
from holdfast.data.perturb.base import in_random_order
from holdfast.data.perturb.dropped import Dropped
from holdfast.data.perturb.swapped import Swapped
from holdfast.testing.perturbation import check_perturbation
from tests.data.perturb.cases import batch, histories, images, tables, texts

OF = {"text": texts, "interaction": histories, "image": images, "features": tables}


@pytest.mark.parametrize("name", [name for name in catalogue("perturbations") if name != "synonyms"])
def test_every_perturbation_of_the_catalogue_keeps_the_contract(name):
    perturbation = catalogue("perturbations")[name]()
    for kind in perturbation.reads:
        check_perturbation(perturbation, OF[kind](), batch(OF[kind]()))


def test_rows_draw_the_same_whatever_the_padding():
    data = texts()
    rows = torch.arange(4)
    wide = [places for _, places, _ in in_random_order(data.splits["test"].batch(rows, 64), "x")]
    assert wide == [places for _, places, _ in in_random_order(data.splits["test"].batch(rows), "x")]
    assert wide != [places for _, places, _ in in_random_order(data.splits["test"].batch(rows), "y")]


def test_another_modality_is_refused():
    with pytest.raises(BadSetting) as caught:
        Swapped().perturb(batch(texts()), texts())
    assert str(caught.value) == (
        "swapped: expected interaction data, but 'planted' is text data: choose another --perturb "
        "(see holdfast list perturbations)"
    )


def test_more_than_any_example_has_is_refused():
    longest = int(batch(texts()).mask.sum(1).max())
    with pytest.raises(BadSetting) as caught:
        Dropped(count=500).perturb(batch(texts()), texts())
    assert str(caught.value) == (
        "dropped:count=500: expected more than 500 positions, but none of the 12 examples can be changed so "
        f"(the longest has {longest} positions)"
    )


@pytest.mark.parametrize("count", [0, -1, 10**10])
def test_a_count_of_none_or_beyond_memory_is_refused(count):
    with pytest.raises(BadSetting, match="dropped: expected count to be"):
        Dropped(count=count)
