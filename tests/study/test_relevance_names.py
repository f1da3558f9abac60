from holdfast.study.relevance_names import CELLS, cell_of, is_majority, majority, place_of, steps_of
from holdfast.study.table import Row


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
    rows = [Row(name, "deep", "none", "cosine", 0.5) for name in ("digits", "digits-maj")]
    assert majority(rows) == rows[1:]


def test_folds_count_where_there_are_enough_of_them():
    from holdfast.study.relevance_names import cosines_of_members

    rows = [
        Row("digits-maj", "deep", "none", "cosine", 0.5, by="member", bin=name)
        for name in ("0", "1", "fold 0", "fold 1", "fold 2")
    ]
    assert [row.bin for row in cosines_of_members(rows)] == ["fold 0", "fold 1", "fold 2"]
    assert len(cosines_of_members(rows[:4])) == 4
