"""Methods have a written form, and come back from it as they were."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import KINDS, catalogue, make
from holdfast.core.errors import BadSetting, UnknownName
from holdfast.core.settings import DIGITS, build, defaults, label, name_of, split_label, split_list


@dataclass(frozen=True)
class Everything:
    promise: ClassVar[bool] = True

    whole: int = 3
    number: float = 0.5
    word: str = "plain"
    flag: bool = False
    kind: Literal["one", "two"] = "one"
    several: tuple[int, ...] = (1, 3)
    flags: tuple[bool, ...] = (True,)
    maybe: int | None = None
    perhaps: Optional[float] = 1.0  # noqa: UP045 - both ways of writing it


FAR = 10**DIGITS - 1
METHODS = st.builds(
    Everything,
    whole=st.integers(-FAR, FAR),
    number=st.floats(allow_nan=False, allow_infinity=False),
    word=st.text("abc_-.", min_size=1),
    flag=st.booleans(),
    kind=st.sampled_from(["one", "two"]),
    several=st.lists(st.integers(0, FAR), min_size=1).map(tuple),
    flags=st.lists(st.booleans(), min_size=1).map(tuple),
    maybe=st.none() | st.integers(-FAR, FAR),
    perhaps=st.none() | st.floats(allow_nan=False, allow_infinity=False),
)


@given(METHODS)
def test_a_method_comes_back_from_its_label(method):
    name, written = split_label(label(method))
    assert name == "everything"
    assert build(Everything, written) == method


@given(st.lists(METHODS, min_size=1, max_size=4))
def test_a_list_of_methods_comes_apart_again(methods):
    labels = tuple(map(label, methods))
    assert split_list(",".join(labels)) == labels


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in catalogue(kind)])
def test_every_method_of_the_catalogue_has_a_label_that_makes_it(kind, name):
    method = make(kind, name)
    assert label(method) == name
    assert make(kind, label(method)) == method
    written = defaults(type(method))
    assert build(type(method), written) == method, "every default can be written out"


def test_a_label_tells_only_what_differs():
    assert label(Everything()) == "everything"
    changed = Everything(flag=True, several=(5,), perhaps=None, kind="two")
    assert label(changed) == "everything:flag=true,kind=two,several=5,perhaps=none"


@pytest.mark.parametrize(
    ("text", "value"), [("yes", True), ("ON", True), ("1", True), ("No", False), ("off", False)]
)
def test_truth_is_written_in_several_ways(text, value):
    assert build(Everything, {"flag": text}).flag is value


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ({"whole": "2.5"}, "everything: expected whole to be a whole number, but got '2.5'"),
        (
            {"whole": "9" * 5000},
            f"everything: expected whole to be a whole number of at most 18 digits, but got '{'9' * 400}…'",
        ),
        ({"number": "inf"}, "everything: expected number to be a number, but got 'inf'"),
        ({"number": "nan"}, "everything: expected number to be a number, but got 'nan'"),
        ({"number": "much"}, "everything: expected number to be a number, but got 'much'"),
        ({"flag": "maybe"}, "everything: expected flag to be true or false, but got 'maybe'"),
        ({"kind": "three"}, "everything: expected kind to be one or two, but got 'three'"),
        (
            {"several": "1+x"},
            "everything: expected several to be one or more of these, joined by +: a whole number, "
            "but got '1+x'",
        ),
        ({"maybe": "x"}, "everything: expected maybe to be a whole number or none, but got 'x'"),
        ({"perhaps": ""}, "everything: expected perhaps to be a number or none, but got ''"),
    ],
)
def test_a_bad_value_is_one_sentence(written, sentence):
    with pytest.raises(BadSetting) as caught:
        build(Everything, written)
    assert str(caught.value) == sentence


def test_an_unknown_setting_offers_the_nearest():
    with pytest.raises(
        UnknownName, match=r"^unknown setting of everything 'numbr': did you mean 'number'\? "
    ):
        build(Everything, {"numbr": "1"})
    with pytest.raises(UnknownName, match="unknown setting of everything 'promise'"):
        build(Everything, {"promise": "false"})


def test_a_setting_without_a_value_is_one_sentence():
    with pytest.raises(BadSetting, match=r"^expected 'key=value' after 'cnn:', but got 'filters'$"):
        split_label("cnn:filters")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("cnn", ("cnn",)),
        (" cnn , bilstm ", ("cnn", "bilstm")),
        ("cnn:filters=8,dim=4,bilstm:hidden=3", ("cnn:filters=8,dim=4", "bilstm:hidden=3")),
        ("", ()),
        (",,cnn,", ("cnn",)),
    ],
)
def test_lists_are_cut_between_methods(text, parts):
    assert split_list(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("attention,./mine.py:Mine,k=3,gradient", ("attention", "./mine.py:Mine,k=3", "gradient")),
        ("a.b:C,k=1,l=2,./d.py:E", ("a.b:C,k=1,l=2", "./d.py:E")),
        ("mine:Mine,cnn:filters=8", ("mine:Mine", "cnn:filters=8")),
    ],
)
def test_classes_outside_the_package_may_stand_among_names(text, parts):
    assert split_list(text) == parts


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("./mine.py:Mine", "./mine.py:Mine", {}),
        ("./mine.py:Mine,k=3, l=x ", "./mine.py:Mine", {"k": "3", "l": "x"}),
        ("mine:Mine,k=3", "mine:Mine", {"k": "3"}),
        ("a.b:Outer.Inner", "a.b:Outer.Inner", {}),
        ("a.b:thing", "a.b:thing", {}),
    ],
)
def test_a_class_is_named_by_its_home(text, name, settings):
    assert split_label(text) == (name, settings)


def test_spaces_do_not_matter():
    assert split_label(" cnn:filters = 8 , dim= 4 ") == ("cnn", {"filters": "8", "dim": "4"})


def test_names_are_the_classes_own():
    class IntegratedGradients:
        pass

    class Other:
        name = "none"

    class Inherits(Other):
        pass

    assert [name_of(cls) for cls in (IntegratedGradients, Other, Inherits)] == [
        "integrated_gradients",
        "none",
        "inherits",
    ]
