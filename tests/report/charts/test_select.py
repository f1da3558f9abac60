from holdfast.report.charts.select import heading, key, pick, place, settings, suffix, words
from holdfast.study.measurement import Row


def test_pick_wants_every_field():
    rows = [Row("d", "m", "none", "hold", 0.1, by="length"), Row("d", "m", "aswa", "hold", 0.2, by="length")]
    assert [row.value for row in pick(rows, "hold", "length", repair="aswa")] == [0.2]


def test_place_falls_back_to_the_bin():
    assert place(Row("d", "m", "none", "hold", 0.1, bin="0.4", at=0.45)) == 0.45
    assert place(Row("d", "m", "none", "hold", 0.1, bin="0.4")) == 0.4
    assert place(Row("d", "m", "none", "hold", 0.1, bin="long")) == 0.0


def test_settings_are_named_only_where_there_are_several():
    several = settings([Row("d", "m", "none", "q", 0.0), Row("d", "n", "none", "q", 0.0)])
    assert suffix(several[0], several) == " (m on d)"
    assert suffix(several[0], several[:1]) == ""


def test_names():
    assert words("leave_one_out:x_y=1") == "leave one out:x_y=1"
    assert heading("kl") == "KL"
    assert key("", "../<a>", "b c") == "a-b-c"
