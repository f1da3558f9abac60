import pytest

from holdfast.core.errors import BadRun
from holdfast.studies.relevance.names import (
    CELLS,
    as_documented,
    cell_of,
    is_majority,
    majority,
    once,
    place_of,
    shown,
    steps_of,
)
from holdfast.study.measurement import Measurement


def test_the_ten_cells_of_tables_4_5_and_4_6():
    assert len(CELLS) == 10
    assert sorted(["gru", "rlstm", "shallow"], key=place_of) == ["shallow", "rlstm", "gru"]


def test_stationary_dropout_is_read_in_any_spelling():
    assert cell_of("rlstm:stationary=yes") == cell_of("rlstm:stationary=true") == "rlstm_sd"
    assert cell_of("rlstm:stationary=false") == "rlstm"
    assert cell_of("rlstm:dropout=0.5,stationary=true") == "rlstm_sd:dropout=0.5"


def test_majority_data_have_twelve_strips_unless_they_say_otherwise():
    assert (steps_of("digits-maj"), steps_of("digits-maj:steps=6"), steps_of("digits:steps=2")) == (12, 6, 2)
    assert is_majority("digits-maj:folds=7")
    rows = [Measurement(name, "deep", "none", "cosine", 0.5) for name in ("digits", "digits-maj")]
    assert majority(rows) == rows[1:]


def row(data, model, repair="none"):
    return Measurement(data, model, repair, "cosine", 0.5)


@pytest.mark.parametrize(
    "other",
    [
        row("mnist-maj", "deep", "aswa"),
        row("mnist-maj", "deep:bias=0.1"),
        row("mnist-maj", "deep:bias=0.001"),
        row("mnist-maj", "deep:dropout=0.5"),
        row("mnist-maj:steps=6", "deep"),
        row("mnist-maj:limit=600", "deep"),
        row("mnist:steps=4,seed=1", "deep"),
    ],
)
def test_other_settings_are_not_the_studys_own(other):
    mine = row("mnist-maj", "deep:stationary=true")
    assert as_documented([other, mine]) == [row("mnist-maj", "deep_sd")]


def test_the_studys_own_settings():
    kept = as_documented(
        [row("mnist:steps=7", "lenet"), row("digits-maj", "rlstm:bias=0.001,stationary=true")]
    )
    assert [(r.data, r.model) for r in kept] == [("mnist:steps=7", "lenet"), ("digits-maj", "rlstm_sd")]
    usual, small = row("digits-maj", "deep"), row("digits-maj", "deep:bias=0.001")
    assert as_documented([usual]) == as_documented([small]) == as_documented([usual, small])
    assert len(as_documented([usual, small])) == 1


def test_settings_that_would_share_a_name_keep_their_own():
    labels = [
        ("digits-maj", "rlstm:stationary=true", "none"),
        ("digits-maj", "rlstm:stationary=true", "aswa"),
        ("digits-maj", "deep:bias=0.001", "none"),
        ("digits-maj", "deep", "none"),
        ("mnist-maj", "deep", "none"),
        ("mnist-maj", "deep:bias=0.1", "none"),
    ]
    assert list(shown(labels).values()) == [
        "rlstm_sd", "rlstm_sd (aswa)", "deep:bias=0.001", "deep", "deep", "deep:bias=0.1",
    ]  # fmt: skip


def test_the_same_twice_is_refused():
    once([row("mnist-maj", "deep"), row("mnist-maj", "deep", "aswa")])
    message = (
        r"^expected one cosine of deep on mnist-maj by all, but there are two: "
        r"name every data set and model once$"
    )
    with pytest.raises(BadRun, match=message):
        once([row("mnist-maj", "deep"), row("mnist-maj", "deep")])
