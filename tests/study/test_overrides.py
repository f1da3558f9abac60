import pytest

from holdfast.core.errors import UnknownName
from holdfast.study.overrides import Overrides
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam, Sgd

OWN = Fit(epochs=12, batch=25, patience=4, optimiser=Adam(lr=1e-2), decay_embeddings=False)


def test_what_is_left_open_is_as_the_study_does_it() -> None:
    assert Overrides().fit(OWN) == OWN
    assert Overrides().vectors("sst2") is None


def test_what_is_asked_is_done_and_the_rest_is_the_studys_own() -> None:
    overrides = Overrides(epochs=3, optimiser="sgd:lr=0.5", decay_embeddings=True)
    assert overrides.fit(OWN) == Fit(3, 25, 4, Sgd(lr=0.5), True)
    assert Overrides(batch=7, patience=1).fit(OWN) == Fit(12, 7, 1, Adam(lr=1e-2))


def test_an_unknown_optimiser_offers_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'adam'"):
        Overrides(optimiser="adamm").fit(OWN)
