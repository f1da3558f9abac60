"""The real training loop beside a naive twin, on a problem that can be worked out by hand."""

import torch

from holdfast.core.records import Member
from holdfast.train.fit import Fit
from holdfast.train.optimise import Sgd
from tests.reference.train import bag_gradient
from tests.train.tiny import plan_of, start_of, tiny, trained

SGD = Sgd(lr=0.7, momentum=0.6, weight_decay=0.0)


def last(repair):
    """The repair with the last epoch's weights as the result, whatever the validation score says."""
    return type("Last", (type(repair),), {"stops": False})(**vars(repair))


def assert_twin(repair, twin, seed, members, rows=11):
    """After one, two, three and four epochs the weights are the twin's, for one member and for several."""
    data, start = tiny(seed, rows), start_of(members, seed)
    plans = [plan_of(data, Member(m), Fit(epochs=4, batch=3)) for m in range(members)]
    first = [[w.tolist(), [float(b)]] for w, b in zip(start["weight"], start["bias"], strict=True)]
    expected = [
        twin(weights, bag_gradient, plan, SGD.lr, SGD.momentum)
        for weights, plan in zip(first, plans, strict=True)
    ]
    for epochs in (1, 2, 3, 4):
        results = trained(data, start, Fit(epochs=epochs, batch=3, optimiser=SGD), last(repair))
        for member, path in zip(results, expected, strict=True):
            weight, (bias,) = path[epochs - 1]
            assert_close(member.parameters, {"weight": weight, "bias": bias})


def assert_close(weights, expected):
    """Equal to 1e-12."""
    for name, tensor in weights.items():
        wanted = torch.as_tensor(expected[name], dtype=torch.float64)
        torch.testing.assert_close(tensor, wanted, rtol=1e-12, atol=1e-12)
