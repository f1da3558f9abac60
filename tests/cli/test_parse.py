import pytest

from holdfast.cli.parse import count_of, workers_of
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
