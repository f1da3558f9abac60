"""The shallow cell, step by step."""

from holdfast.models.image.shallow import Shallow
from tests.models.image.twin import count


def test_counts_of_the_document():
    assert count(Shallow(), (4, 28, 7)) == count(Shallow(), (12, 28, 7)) == 184_330
    assert count(Shallow(), (7, 28, 4)) == 162_826
    # for one step the document leaves out the recurrent input, which is 0 there
    assert count(Shallow(), (1, 28, 28)) - 256 * 256 == 269_322
