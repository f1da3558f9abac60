import pyarrow as pa
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.names import Names, padded

texts = st.lists(st.text(alphabet=st.characters(codec="utf-8"), max_size=8), max_size=12)


@given(texts)
def test_names_are_kept_as_they_are(some: list[str]) -> None:
    for names in (Names.of(some), Names.of_arrow(pa.array(some, pa.string()))):
        assert list(names) == some
        assert len(names) == len(some)
        assert list(Names.read(names.tensors("x"), "x")) == some


@given(texts.filter(len), st.data())
def test_some_of_them(some: list[str], data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(some) - 1)))
    taken = Names.of(some).take(torch.tensor(places, dtype=torch.long))
    assert list(taken) == [some[place] for place in places]


def test_a_slice_of_an_arrow_array() -> None:
    assert list(Names.of_arrow(pa.array(["a", "bc", "d"]).slice(1))) == ["bc", "d"]


def test_numbers_and_what_is_known() -> None:
    names = Names.of(["a\nb", 'say "x"', "<b>"])
    assert [names.number(name) for name in ("<b>", "a\nb", "c")] == [2, 0, None]
    assert list(padded(names, {"<b>": "Bold", "other": "?"})) == ["", "", "Bold"]
