from holdfast.study.published_number import Published, published_table


def test_what_was_not_run_says_so() -> None:
    about = ("4.2", "Diabetes cnn none", "sd", 2.26)
    assert Published(*about, None, None, None, 0).note == "not run"
    assert Published(*about, None, None, None, 0, "cannot be had").note == "cannot be had"
    assert Published(*about, 2.0, 1.0, 3.0, 10).note == ""


def test_every_published_line_can_be_read() -> None:
    lines = published_table("holdfast.studies.seed_stability", "jain_tables_4_2_4_3_seed_stability")
    assert len(lines) == 36
    for line in lines:
        assert set(line) == {"dataset", "encoder", "repair", "accuracy_mean", "accuracy_sd"}
        assert 50 < float(line["accuracy_mean"]) < 100
        assert 0 < float(line["accuracy_sd"]) < 10
