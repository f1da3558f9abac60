import pytest

from holdfast.studies.rollout.names import (
    SHAPES,
    Shape,
    by_place,
    is_documented,
    is_plain,
    masked_for,
    model_of,
    pair_name,
    shape_of,
    strength,
)
from holdfast.study.measurement import Measurement


def row(data="ml-1m:holdout=validation", model="sasrec", repair="none"):
    return Measurement(data, model, repair, "recall", 0.8)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("data", ["ml-1m", "amazon-games", "steam"])
def test_every_shape_is_the_studys_own_on_its_data(shape, data):
    text = model_of(shape, data)
    assert shape_of(text) == shape
    assert is_documented(row(f"{data}:holdout=validation", text))


@pytest.mark.parametrize(
    ("data", "model", "repair"),
    [
        ("ml-1m", "sasrec", "none"),
        ("ml-1m:length=200,holdout=validation", "sasrec", "none"),
        ("planted-plays:holdout=validation", "sasrec", "none"),
        ("ml-1m:holdout=validation", "sasrec:dim=32", "none"),
        ("ml-1m:holdout=validation", "sasrec:blocks=4", "none"),
        ("ml-1m:holdout=validation", "bert4rec:masked=0.6", "none"),
        ("ml-1m:holdout=validation", "sasrec", "aswa"),
        ("ml-1m:holdout=validation", "gru4rec", "none"),
    ],
)
def test_other_settings_are_not(data, model, repair):
    assert not is_documented(row(data, model, repair))


def test_a_shape_without_a_repair_is_plain_on_any_data():
    assert is_plain(row("mine.csv", "sasrec:dim=8,blocks=1"))
    assert not is_plain(row("mine.csv", "sasrec:blocks=4"))
    assert not is_plain(row(repair="aswa"))


def test_a_model_that_is_not_known_any_more_has_no_shape():
    assert shape_of("no_such_model") is None
    assert shape_of("cnn") is None


def test_names():
    assert Shape("bert4rec", 2, 2).words == "BERT4Rec, b = 2, h = 2"
    assert Shape("sasrec", 1, 1).short == "b1h1"
    assert pair_name("shapley", "attention_first") == "|Shapley| ~ α first"
    assert (masked_for("ml-1m:holdout=validation"), masked_for("amazon-games")) == (0.2, 0.6)


@pytest.mark.parametrize(
    ("value", "word"),
    [(0.0, "weak"), (0.299, "weak"), (0.3, "moderate"), (-0.69, "moderate"), (0.7, "strong")],
)
def test_the_documents_words(value, word):
    assert strength(value) == word


def test_the_documents_order():
    rows = [row("mine.csv"), row("amazon-games"), row(model="sasrec:blocks=3"), row(model="sasrec:blocks=1")]
    assert by_place(rows) == [rows[3], rows[2], rows[1], rows[0]]
