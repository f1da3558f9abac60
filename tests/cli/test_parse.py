import pytest

from holdfast.cli.parse import count_of, share_of, workers_of
from holdfast.core.errors import BadSetting


def test_counts() -> None:
    assert (count_of("all"), count_of("20"), workers_of(None), workers_of(3)) == (None, 20, None, 3)
    with pytest.raises(BadSetting, match=r"^expected --instances to be .* or 'all', but got '-1'$"):
        count_of("-1")
    with pytest.raises(BadSetting, match=r"^expected --workers to be 1 or more, but got 0$"):
        workers_of(0)
    with pytest.raises(BadSetting, match=r"^expected --workers to be at most 1,024, but got 1,000,000$"):
        workers_of(10**6)
    with pytest.raises(BadSetting, match=r"^expected --instances to be .* or 'all', but got '9{400}…'$"):
        count_of("9" * 5000)


def test_shares() -> None:
    assert (share_of("--fail-under", None), share_of("--fail-under", 0.5)) == (None, 0.5)
    for value in (-0.1, 1.1, float("nan")):
        with pytest.raises(BadSetting, match=r"^expected --fail-under between 0 and 1, but got "):
            share_of("--fail-under", value)
