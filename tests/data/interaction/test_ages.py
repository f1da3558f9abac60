import pytest

from holdfast.data.interaction.ages import GROUPS, group


def test_groups_are_those_of_movielens() -> None:
    found = [group(age) for age in range(0, 101)]
    assert sorted(set(found)) == list(GROUPS)
    assert [found.count(first) for first in GROUPS] == [18, 7, 10, 10, 5, 6, 45]


@pytest.mark.parametrize("code", GROUPS)
def test_a_code_is_in_its_own_group(code: int) -> None:
    assert group(code) == code
