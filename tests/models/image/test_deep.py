"""The deep cells, step by step."""

from holdfast.models.image.deep import Deep, DeepV2
from tests.models.image.twin import count


def test_counts_of_the_document():
    assert count(Deep(), (4, 28, 7)) == count(Deep(), (12, 28, 7)) == 153_578
    assert count(Deep(), (7, 28, 4)) == 132_074
    # for one step the document leaves out the recurrent input, which is 0 there
    assert count(Deep(), (1, 28, 28)) - 256 * 128 == 271_338
    assert count(DeepV2(), (12, 28, 7)) == 161_386
