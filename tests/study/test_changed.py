import torch

from holdfast.data.perturb.split import PerturbedSplit
from holdfast.study.changed import Changed
from tests.study import items
from tests.study.tiny import dataset


def test_some_of_the_members():
    split = PerturbedSplit.of("dropped", dataset(), dataset().splits["test"], torch.arange(3))
    scores = torch.rand(4, 3, split.mask.shape[1])
    some = Changed(split, {"gradient": scores}).only(torch.tensor([2, 0]))
    assert torch.equal(some.scores["gradient"], scores[[2, 0]])
    assert some.split is split


def told(text, data, row):
    split = PerturbedSplit.of(text, data, data.splits["test"], torch.arange(8))
    name = data.known if data.task.length is None else data.item_name
    whole = split.base.batch(torch.tensor([row]))
    numbers = whole.inputs[0][whole.mask[0]].tolist()
    tokens = data.tokens("test", row) if data.task.length is None else [name(one) for one in numbers]
    return split, tokens, Changed(split, {}).told(row, tokens, name)


def test_what_became_of_an_example_is_told_in_words():
    split, tokens, said = told("dropped", dataset(), 3)
    (gone,) = split.touched[3].nonzero()[:, 0].tolist()
    assert said == f"without “{tokens[gone]}”"
    split, tokens, said = told("typos", dataset(), 3)
    (place,) = split.touched[3].nonzero()[:, 0].tolist()
    assert said == f"“{tokens[place]}” → an unknown word"
    plays = items.dataset()
    assert told("repeated", plays, 2)[2].endswith("” twice")
    split, tokens, said = told("swapped", plays, 2)
    assert said.count("” moved") == 2
    assert Changed(split, {}).split.touched[2].sum() == 2
    assert told("noise", dataset(), 3)[2] == ""
