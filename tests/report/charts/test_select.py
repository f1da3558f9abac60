from holdfast.report.charts.select import heading, key, place, select, settings, suffix, words
from holdfast.study.measurement import Measurement


def test_pick_wants_every_field():
    rows = [
        Measurement("d", "m", "none", "hold", 0.1, by="length"),
        Measurement("d", "m", "aswa", "hold", 0.2, by="length"),
    ]
    assert [row.value for row in select(rows, "hold", "length", repair="aswa")] == [0.2]


def test_place_falls_back_to_the_bin():
    assert place(Measurement("d", "m", "none", "hold", 0.1, bin="0.4", at=0.45)) == 0.45
    assert place(Measurement("d", "m", "none", "hold", 0.1, bin="0.4")) == 0.4
    assert place(Measurement("d", "m", "none", "hold", 0.1, bin="long")) == 0.0


def test_settings_are_named_only_where_there_are_several():
    several = settings([Measurement("d", "m", "none", "q", 0.0), Measurement("d", "n", "none", "q", 0.0)])
    assert suffix(several[0], several) == " (m on d)"
    assert suffix(several[0], several[:1]) == ""


def test_names():
    assert words("leave_one_out:x_y=1") == "leave one out (x_y=1)"
    assert heading("kl") == "KL"
    assert key("", "../<a>", "b c") == "a-b-c"
