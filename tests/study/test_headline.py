import itertools

import pytest

from holdfast.study.headline import headline, ranked, said
from tests.study.answers import row

INPUTS = {"nearest": "another input"}


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            [row("integrated_gradients")],
            "Show integrated gradients: it holds (hold 0.80 [0.70, 0.90], the only one asked; "
            "8 of 10 pairs of re-trained models name the same strongest word).",
        ),
        (
            [row("lrp", same_strongest=None), row("rollout", "does not hold", 0.1, **INPUTS)],
            "Show LRP: it holds (hold 0.80 [0.70, 0.90], chosen among two explainers); "
            "do not show rollout (does not hold: it says much the same of other inputs).",
        ),
        (
            [
                row("lrp", same_strongest=None),
                row("rollout", "shaky", 0.5, nearest="untrained order"),
                row("attention", "does not matter"),
                row("gradient", "says nothing"),
                row("sensitivity", "undecided", 0.6),
                row("shapley:samples=64", "does not hold", 0.1),
            ],
            "Show LRP: it holds (hold 0.80 [0.70, 0.90], chosen among six explainers); do not show "
            "rollout (shaky: an untrained network ranks much the same), attention (does not matter) "
            "or two more.",
        ),
        (
            [row("lrp", repair="aswa", same_strongest=None), row("lrp", "shaky", 0.5)],
            "Show LRP of cnn with aswa: it holds (hold 0.80 [0.70, 0.90], chosen among two pairs of "
            "model and explainer).",
        ),
        (
            [row("lrp", "undecided", 0.65)],
            "Undecided: LRP lies between “shaky” and “holds” (hold 0.65 [0.55, 0.75]).",
        ),
        (
            [row("lrp", "undecided", 0.65), row("rollout", "shaky", 0.5), row("gradient", "shaky", 0.4)],
            "Undecided: LRP, the best of three explainers, lies between “shaky” and “holds” "
            "(hold 0.65 [0.55, 0.75]).",
        ),
        (
            [row("lrp", "undecided", None, between=("not learned", "says nothing"))],
            "Undecided: LRP lies between “not learned” and “says nothing” (no hold).",
        ),
        ([row("lrp", "shaky", 0.5)], "Do not show LRP: it is shaky (hold 0.50 [0.40, 0.60])."),
        ([row("lrp", "does not hold", 0.1)], "Do not show LRP: it does not hold (hold 0.10 [0.00, 0.20])."),
        ([row("lrp", "says nothing")], "Do not show LRP: it says nothing."),
        ([row("lrp", "does not matter")], "Do not show LRP: it does not matter to the model."),
        (
            [row("lrp", "shaky", 0.5), row("rollout", "does not hold", 0.1)],
            "Show neither of the two explainers: the best, LRP, is shaky (hold 0.50 [0.40, 0.60]).",
        ),
        (
            [row("lrp", "shaky", 0.5, repair="aswa"), *[row("rollout", "does not hold", 0.1)] * 11],
            "Show none of the 12 pairs of model and explainer: the best, LRP of cnn with aswa, is "
            "shaky (hold 0.50 [0.40, 0.60]).",
        ),
        (
            [row("lrp", "not learned")],
            "The cnn models have not learned, so their explanations mean nothing.",
        ),
        (
            [row("lrp", "not learned"), row("lrp", "not learned", repair="aswa")],
            "No model has learned, so no explanation means anything.",
        ),
    ],
)  # fmt: skip
def test_the_headline(rows, sentence):
    assert headline(rows, "word") == sentence


ORDER = [
    row("a", "holds", 0.9),
    row("b", "holds", 0.8),
    row("c", "undecided", 0.6),
    row("d", "undecided", 0.5, between=("does not hold", "shaky")),
    row("e", "shaky", 0.45),
    row("f", "does not hold", 0.2),
    row("g", "undecided", None, between=("does not hold", "shaky")),
    row("h", "does not matter", 0.99),
    row("i", "says nothing", 0.99),
    row("j", "not learned", 0.99),
]


def test_the_interval_of_the_hold_ends_where_its_scale_does():
    said = headline([row("attention", verdict="does not hold", hold=-0.1, low=-0.93, high=0.2)], "word")
    assert "(hold 0.00 [0.00, 0.20])" in said


def test_the_best_comes_first_and_what_fails_otherwise_last():
    for one, two in itertools.combinations(ORDER, 2):
        assert ranked([two, one]) == [one, two], (one.explainer, two.explainer)


def test_among_those_that_hold_the_highest_lower_end_is_the_best():
    sure, unsure = row("sure", hold=0.8, low=0.78), row("unsure", hold=0.9, low=0.71)
    assert ranked([unsure, sure]) == [sure, unsure]


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("gradient_input", "gradient input"),
        ("shapley:samples=64", "shapley:samples=64"),
        ("integrated_gradients:steps=8", "integrated gradients:steps=8"),
        ("my_file.py:My_Class", "my_file.py:My_Class"),
        ("my_package.module:Mine", "my_package.module:Mine"),
    ],
)
def test_names_are_said_as_a_person_says_them(name, spoken):
    assert said(name) == spoken
