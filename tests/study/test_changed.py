import torch

from holdfast.data.perturb.split import PerturbedSplit
from holdfast.study.changed import Changed
from tests.study.tiny import dataset


def test_some_of_the_members():
    split = PerturbedSplit.of("dropped", dataset(), dataset().splits["test"], torch.arange(3))
    scores = torch.rand(4, 3, split.mask.shape[1])
    some = Changed(split, {"gradient": scores}).only(torch.tensor([2, 0]))
    assert torch.equal(some.scores["gradient"], scores[[2, 0]])
    assert some.split is split
