from dataclasses import replace

import pytest
import torch

from holdfast.measure.probes import alone as module
from holdfast.measure.probes.alone import alone_together
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from tests.measure.probes.pairs import pair_family


def naive_alone(run, split, row, target, places):
    """How far the probability falls without each position, a pass for each; the last one stays."""
    batch = split.batch(torch.tensor([row]))
    aim = torch.tensor([target])

    def watched(mask):
        asked, place = run.model.focused(replace(batch, mask=mask), aim)
        return float(run(asked).logits.softmax(-1)[0, place])

    falls = {}
    for place in places:
        mask = batch.mask.clone()
        mask[0, place] = len(places) == 1
        falls[place] = watched(batch.mask) - watched(mask)
    return falls


@pytest.mark.parametrize("kind", ["texts", "pairs"])
def test_each_part_alone_naively_and_all_together(kind, request, monkeypatch):
    """What a GPU does with all examples at once is what a CPU does with one after the other."""
    data = request.getfixturevalue("planted" if kind == "texts" else "plays")
    whole = request.getfixturevalue("family") if kind == "texts" else pair_family(data)
    split, rows, run = data.splits["test"], torch.arange(8), whole.run(1)
    batch, target = run.model.focused(split.batch(rows), split.targets[rows])
    batch.mask[5, batch.mask[5].nonzero()[1:, 0]] = False  # one position alone
    monkeypatch.setattr(module, "AT_ONCE", 40)
    by_example = Comprehensiveness().alone(run, batch, target)
    together = alone_together(run, batch, target, "probability")
    torch.testing.assert_close(by_example[batch.mask], together[batch.mask], atol=1e-6, rtol=0.0)
    assert bool((by_example[~batch.mask] == -torch.inf).all())
    for row in (0, 3, 7):
        places = batch.mask[row].nonzero()[:, 0].tolist()
        twin = naive_alone(run, split, row, int(split.targets[row]), places)
        for place, fall in twin.items():
            assert float(by_example[row, place]) == pytest.approx(fall, abs=1e-6)
    assert by_example[5].max() == 0.0
    one = batch.take(torch.tensor([5]))
    assert not alone_together(run, one, target[5:6], "probability").any()
