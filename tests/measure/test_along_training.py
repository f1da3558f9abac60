import pytest
import scipy.stats

from holdfast.core.compare.spearman import Spearman
from holdfast.core.errors import BadSetting
from holdfast.measure.along_training import along_training
from tests.measure.builders import random_explanation


def test_it_is_scipys_at_every_epoch():
    pairs = [(random_explanation(3, 5, noise=n), random_explanation(3, 5, noise=2 * n)) for n in (0.5, 1.0)]
    agreement = along_training(pairs, Spearman())
    assert agreement.shape == (2, 3)
    for epoch, (a, b) in enumerate(pairs):
        for member in range(3):
            each = [
                scipy.stats.spearmanr(
                    a.scores[member, row, mask].abs().numpy(), b.scores[member, row, mask].abs().numpy()
                ).statistic
                for row, mask in enumerate(a.mask)
            ]
            assert agreement[epoch, member].item() == pytest.approx(sum(each) / len(each), abs=1e-6)


def test_no_epoch_is_refused():
    with pytest.raises(BadSetting, match=r"^expected explanations after at least one epoch, but got none$"):
        along_training([], Spearman())
