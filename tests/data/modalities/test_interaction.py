"""What sources of interactions say."""

from dataclasses import asdict

import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.modality import modality
from holdfast.data.source import Source


@pytest.mark.parametrize(
    "said", [{"item": "i"}, {"least": 2}, {"holdout": "validation"}, {"repeats": "keep"}]
)
def test_any_of_its_options_claims_a_file(said: dict[str, object]) -> None:
    assert modality("interaction").claims(Source("x.csv", **said))
    assert not modality("interaction").claims(Source("x.csv"))


def test_what_is_not_said_is_as_usual_and_a_bad_choice_is_refused_at_once() -> None:
    whole = modality("interaction").complete(Source("x.csv", least=3))
    usual = {"filter": "once", "least": 3, "length": 50, "samples": None, "holdout": "test"}
    assert whole == usual | {"repeats": None}
    assert asdict(Source("x.txt", least=3)).items() >= whole.items()
    with pytest.raises(BadSetting, match=r"^expected least to be 1 or more, but got 0$"):
        Source("x.txt", least=0)
    with pytest.raises(BadSetting, match=r"^expected repeats to be keep or drop, but got 'some'$"):
        Source("x.txt", repeats="some")


def test_to_keep_repeats_is_what_is_meant_where_nothing_is_said() -> None:
    assert Source("x.csv", user="u", repeats="keep") == Source("x.csv", user="u")
