from holdfast.report.cells import cell, lead
from holdfast.study.measurement import Measurement


def test_only_columns_that_differ_lead_a_table():
    first, head = lead([("d", "m", "none"), ("e", "m", "none")], always="repair")
    assert head == ("data", "repair")
    assert first(("e", "m", "none")) == ("e", "none")


def test_holds_have_two_digits_and_other_numbers_three():
    assert cell(Measurement("d", "m", "none", "gain", 0.1234)).text == "0.12"
    assert cell(Measurement("d", "m", "none", "ece", 0.1234)).text == "0.123"
    assert cell(None).text == "–"
