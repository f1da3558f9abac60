from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.saved import pack, unpack


@given(st.text())
def test_pack(text: str) -> None:
    assert unpack(pack(text)) == text
