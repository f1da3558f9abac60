import pytest

from holdfast.report.texts import badge, describe, flat, number


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.00"), (float("nan"), "–"), (True, "–"), (12, "12"), (-3, "−3"), ("x", "–"), (-1e-7, "−1.0e−7")],
)
def test_numbers(value, text):
    assert number(value) == text


def test_a_method_is_described_by_the_first_sentence_of_its_docstring():
    said = describe("comparisons", "jensen_shannon:x=1")
    assert said
    assert "\n" not in said
    assert describe("colours", "red") == ""


def test_a_description_does_not_stop_at_et_al():
    assert describe("explainers", "deep_taylor").endswith(").")


def test_an_unknown_verdict_is_shown_as_it_is():
    assert (badge("odd").word, badge("odd").tone) == ("odd", "none")


def test_nested_plans_are_flat():
    plan = {"a": {"b": [1, {"c": None}]}, "d": True, "e": []}
    assert flat(plan) == [("a.b.0", "1"), ("a.b.1.c", "–"), ("d", "yes"), ("e", "")]


def test_the_glossary_does_not_cut_at_an_abbreviation_or_a_colon():
    assert describe("models", "cnn").endswith("(Jain ch. 4).")
    assert describe("repairs", "none") == "Training as it is: what every repair is held against."
