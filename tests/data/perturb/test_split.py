import pytest
import torch

from holdfast.core.errors import BadRun
from holdfast.core.files import write_tensors
from holdfast.data.perturb.split import PerturbedSplit
from tests.data.perturb.cases import histories, images, texts


@pytest.mark.parametrize(
    ("data", "text"), [(texts, "dropped:count=2"), (histories, "repeated"), (images, "noise")]
)
def test_batches_of_any_rows_and_length_are_those_of_the_file(tmp_path, data, text):
    base, rows = data().splits["test"], torch.tensor([1, 4, 6, 9])
    made = PerturbedSplit.of(text, data(), base, rows)
    made.write(tmp_path / "made.safetensors")
    split = PerturbedSplit.read(tmp_path / "made.safetensors", base)
    for some in (torch.tensor([6, 1, 6]), torch.tensor([4])):
        plain, changed = base.batch(some), split.batch(some)
        assert plain.mask.shape == changed.mask.shape
        for spot, row in enumerate(some.tolist()):
            at = rows.tolist().index(row)
            count = int(plain.mask[spot].sum())
            here = plain.mask[spot]
            there = base.batch(rows, None if plain.pixels else made.mask.shape[1]).mask[at]
            assert torch.equal(changed.inputs[spot][here], made.inputs[at][there])
            assert int(changed.mask[spot].sum()) == int(made.mask[at].sum()) <= count
    assert torch.equal(split.lengths, base.lengths)
    assert torch.equal(split.targets, base.targets)
    assert split.scored(rows).shape == base.scored(rows).shape
    assert (split.padded, split.widest) == (base.padded, base.widest)


def test_scores_are_laid_over_the_original():
    base, rows = histories().splits["test"], torch.arange(5)
    split = PerturbedSplit.of("repeated", histories(), base, rows)
    scores = torch.rand(2, *split.scored(rows).shape) * split.scored(rows)
    laid, common = split.laid_over(scores)
    for row in range(5):
        for t, now in enumerate(split.place[row].tolist()):
            assert bool(common[row, t]) == (now >= 0)
            assert torch.equal(laid[:, row, t], scores[:, row, now] if now >= 0 else torch.zeros(2))


def test_rows_that_were_not_perturbed_are_refused(tmp_path):
    split = PerturbedSplit.of("dropped", texts(), texts().splits["test"], torch.tensor([2, 3]))
    with pytest.raises(BadRun, match="expected rows that were perturbed"):
        split.batch(torch.tensor([4]))
    write_tensors(tmp_path / "x.safetensors", {"rows": torch.arange(2)})
    with pytest.raises(BadRun, match="does not hold perturbed examples"):
        PerturbedSplit.read(tmp_path / "x.safetensors", split.base)
