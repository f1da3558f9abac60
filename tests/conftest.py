"""What all suites share: one small planted data set and one small trained family."""

import pytest
import torch

from holdfast.core.records import Member
from holdfast.data.sources import Source, load
from holdfast.models.text.cnn import Cnn
from holdfast.train.family import Family
from holdfast.train.fit import Fit

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def planted():
    """Planted reviews: 160 to train on, 40 to validate, 40 to test."""
    return load(Source("planted:train=160,validation=40,test=40"))


@pytest.fixture(scope="session")
def family(planted):
    """Three seeds of a small convolutional network, trained for two epochs."""
    return Family.fit(Cnn(filters=4, dim=16), planted, [Member(0), Member(1), Member(2)], Fit(epochs=2))


@pytest.fixture(scope="session")
def plays():
    """Planted histories of 80 users."""
    return load(Source("planted-plays:users=80,length=12"))
