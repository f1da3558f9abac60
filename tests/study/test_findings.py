from dataclasses import FrozenInstanceError, replace

import pytest

from holdfast.study.findings import Example, Findings, Heat, without_text
from holdfast.study.findings_file import read_findings
from holdfast.study.measurement import Measurement
from holdfast.study.picture import Picture
from tests.study.answers import answer
from tests.study.tiny import finished


def test_findings_are_frozen_records() -> None:
    heat = Heat("attention", False, ((0.5, 0.5),), (0.5, 0.5), None, None, None, "undecided", 0, 1)
    one = Example("d", "m", "r", ("a", "b"), "", "yes", (0.5,), (0,), (heat,))
    found = Findings("t", "c", {}, answer(), (), (one,))
    assert (one.rationale, found.notes) == (None, ())
    with pytest.raises(FrozenInstanceError):
        one.label = "x"  # type: ignore[misc]
    assert one == Example("d", "m", "r", ("a", "b"), "", "yes", (0.5,), (0,), (heat,))


def test_without_text_no_word_of_the_data_is_left() -> None:
    found = read_findings(finished())
    words = Measurement("d", "m", "none", "word", 0.5, sentence="1", by="word", bin="3:wonderful", at=2.0)
    bare = without_text(replace(found, rows=(*found.rows, words)))
    tokens = {token for one in found.examples for token in one.tokens if len(token) > 3} | {"wonderful"}
    tokens.discard("matters")  # which is a quantity, too
    assert tokens
    assert not [token for token in tokens if token in repr((bare.examples, bare.rows))]
    assert bare.answer == found.answer
    assert len(bare.rows) == len(found.rows) + 1
    assert bare.notes[-1] == "Words, items and images of the data are left out of this report."


def classes(*names: str) -> tuple[Measurement, ...]:
    """Rows of an audit of these classes, and of a study that names one in another place."""
    return (
        *(
            Measurement("d", "m", "none", "hold", 0.5, by="label", label=name, at=float(i))
            for i, name in enumerate(names)
        ),
        Measurement(
            "d", "m", "none", "stability", 0.5, by="probability of label", bin="0.4", label=names[-1]
        ),
        Measurement("d", "m", "aswa", "gain", 0.5, other_repair="none"),
    )


def test_class_names_stay_unless_one_may_be_a_text() -> None:
    found = Findings("t", "c", {}, answer(), classes("good", "bad"), ())
    assert without_text(found).rows == found.rows
    long = "the service was slow, and nobody cared"
    bare = without_text(replace(found, rows=classes("good", long))).rows
    assert [row.label for row in bare] == ["class 1", "class 2", "class 2", ""]


def test_a_class_that_may_be_a_text_is_not_named_by_its_f1_either() -> None:
    long = "the service was slow, and nobody cared"
    quality = {"f1": {"macro": {"mean": 0.5}, "by_class": {"good": 0.4, long: 0.6}}}
    found = Findings("t", "c", {}, replace(answer(), quality=quality), classes("good", long), ())
    bare = without_text(found).answer.quality
    assert bare == {"f1": {"macro": {"mean": 0.5}, "by_class": {"class 1": 0.4, "class 2": 0.6}}}
    assert found.answer.quality == quality


def test_without_text_no_picture_is_left() -> None:
    """The shape of an image can be made out in its heat maps."""
    shape = Picture("d", "m", "lrp", 0, 3, "1", "1", 1, 2, (127, -64))
    found = Findings("t", "c", {}, answer(), (), (), pictures=(replace(shape, explainer="input"), shape))
    assert without_text(found).pictures == ()
