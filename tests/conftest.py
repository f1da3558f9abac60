"""What all suites share: one small planted data set, one small trained family, nothing of the machine."""

import gc
import os
import random
import tempfile

# Before numpy and torch are loaded: one thread here and in every process that a test starts
os.environ["OMP_NUM_THREADS"] = "1"
# Only tests/data/test_real.py may read data of this machine
if "HOLDFAST_DATA" in os.environ:
    os.environ["HOLDFAST_REAL_DATA"] = os.environ.pop("HOLDFAST_DATA")

import numpy
import pytest
import torch
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from holdfast.core.records import Member
from holdfast.data.source import Source, load
from holdfast.models.text.cnn import Cnn
from holdfast.train.family import Family
from holdfast.train.fit import Fit

torch.set_num_threads(1)

TIMELESS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None}
settings.register_profile("default", derandomize=True, max_examples=20, **TIMELESS)
settings.register_profile("explore", derandomize=False, max_examples=500, print_blob=True, **TIMELESS)
settings.load_profile("default")
# Otherwise Hypothesis also draws constants of the modules that happen to be loaded, and a test would have
# other examples alone than among others, and in another folder
providers._get_local_constants = lambda: providers._local_constants


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What collecting makes stays to the end: no time goes into looking for garbage in it, then or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """What a test draws does not depend on those before it."""
    torch.manual_seed(0)
    random.seed(0)
    numpy.random.seed(0)


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory):
    """Temporary files and caches lie where pytest tidies up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("made")))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def planted():
    """Planted reviews: 160 to train on, 40 to validate, 40 to test."""
    return load(Source("planted:train=160,validation=40,test=40"))


@pytest.fixture(scope="session")
def family(planted):
    """Three seeds of a small convolutional network, trained for two epochs."""
    return Family.fit(Cnn(filters=4, dim=16), planted, [Member(0), Member(1), Member(2)], Fit(epochs=2))


@pytest.fixture(scope="session")
def stories():
    """Planted cloze questions: 160 to train on, 40 to validate, 40 to test."""
    return load(Source("planted-cloze:train=160,validation=40,test=40"))


@pytest.fixture(scope="session")
def plays():
    """Planted histories of 80 users."""
    return load(Source("planted-plays:users=80,length=12"))
