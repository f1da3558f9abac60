from holdfast.report.certificate import certificate_section
from holdfast.study.measurement import Measurement


def made(repair, other, radius=0.1, missed=0.0, worst=0.02, model="cnn"):
    """The rows of one family."""
    about = {"other_repair": other, "at": radius}

    def row(quantity, value, low=None, high=None, **more):
        return Measurement("d", model, repair, quantity, value, low, high, 3, **(about | more))

    return [
        row("teacher_distance", 0.001),
        row("teacher_distance", 0.003, by="quantile", bin="0.95", at=0.95),
        row("teacher_overlap", 0.9),
        row("worst_case", worst, worst / 2, 2 * worst),
        row("worst_case", 0.001, by="radius", bin="0.05", at=0.05),
        row("worst_case_ascent", worst),
        row("worst_case_random", worst / 2),
        row("ascent_missed", missed),
        row("stable_radius", 0.15),
    ]


ROWS = [*made("seat", "none"), *made("none", "seat", worst=0.06)]


def test_a_student_stands_below_the_same_model_without_a_repair():
    [table] = certificate_section(ROWS).tables
    assert [line[:2] for line in table.rows] == [("none", "0.1"), ("seat", "0.1")]
    place = table.columns.index("worst case (α)")
    assert [(line[place].text, line[place].interval) for line in table.rows] == [
        ("0.0600", "[0.0300, 0.1200]"),
        ("0.0200", "[0.0100, 0.0400]"),
    ]
    assert certificate_section(ROWS).notes == ()


def test_quantiles_and_other_radii_are_folded():
    quantiles, radii = certificate_section(ROWS).folded
    place = quantiles.columns.index("95 %")
    assert quantiles.rows[0][:2] == ("none", "distance to the teacher (γ)")
    assert quantiles.rows[0][place].value == 0.003
    assert radii.rows[0][:2] == ("none", "0.05")


def test_a_weak_ascent_is_said():
    rows = [*made("seat", "none", missed=0.12), *made("none", "seat")]
    assert certificate_section(rows).notes == (
        "The ascent was weak (seat): for 12.0 % of the examples random search found a worse point. α counts "
        "it, but may lie well below the true worst case.",
    )


def test_students_with_the_same_ball_share_the_line_without_a_repair():
    rows = [*ROWS, *made("seat+aswa", "none"), *made("none", "seat+aswa", worst=0.06)]
    [table] = certificate_section(rows).tables
    assert [line[0] for line in table.rows] == ["none", "seat", "seat+aswa"]
    other = [*ROWS, *made("seat:radius=0.3", "none", 0.3), *made("none", "seat:radius=0.3", 0.3, worst=0.4)]
    [table] = certificate_section(other).tables
    assert [line[:2] for line in table.rows] == [
        ("none", "0.1"), ("seat", "0.1"), ("none", "0.3"), ("seat:radius=0.3", "0.3"),
    ]  # fmt: skip


def test_a_student_alone_is_shown_alone():
    [table] = certificate_section(made("seat", "none")).tables
    assert [line[0] for line in table.rows] == ["seat"]


def test_models_are_told_apart():
    rows = [*ROWS, *made("seat", "none", model="rnn")]
    [table] = certificate_section(rows).tables
    assert [line[:2] for line in table.rows] == [("cnn", "none"), ("cnn", "seat"), ("rnn", "seat")]


def test_without_a_student_there_is_nothing_to_say():
    assert certificate_section([]).empty
    assert certificate_section(made("none", "seat")).empty
