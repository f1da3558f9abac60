import json

import pytest

from holdfast.measure.reduce import Interval
from holdfast.measure.statistics import Paired
from holdfast.study.worth import Cost
from tests.study.changed import change, changes


@pytest.mark.parametrize(
    ("ends", "word", "worse", "worth"),
    [
        ((0.05, 0.25), "rose", False, "it is worth it"),
        ((-0.05, 0.25), "did not change beyond chance", False, "it is not shown to be worth it"),
        ((-0.05, 0.0), "did not change beyond chance", False, "it is not shown to be worth it"),
        ((-0.25, -0.05), "rose", True, "it costs more than it gives"),
    ],
)
def test_it_is_worse_where_the_whole_interval_lies_below_0(
    ends: tuple[float, float], word: str, worse: bool, worth: str
) -> None:
    found = changes(change(ends=ends), change("attention", (-0.3, -0.2)))
    assert found.worse == worse
    assert found.sentence == (
        f"The hold of gradient input {word}: 0.35 before, 0.50 after "
        f"(95 % interval {ends[0]:+.2f} to {ends[1]:+.2f}); ".replace("-", "−")
        + f"accuracy changed by −1.0 points (95 % interval −2.00 to +0.00), so {worth}."
    )


def test_two_seeds_say_nothing_of_chance() -> None:
    found = changes(change(ends=(None, None)))
    assert not found.worse
    assert found.sentence.startswith("The hold of gradient input may have changed: 0.35 before, 0.50 after")
    assert "no interval from two seeds" in found.sentence


def test_what_says_nothing_cannot_be_compared() -> None:
    said = changes(change(verdicts=("shaky", "says nothing"))).sentence
    assert said.startswith("gradient input says nothing after, so the hold cannot be compared; ")


def test_json() -> None:
    told = json.loads(json.dumps(changes().to_json(), allow_nan=False))
    assert {name: told[name] for name in ("schema", "worse", "decides", "seeds", "instances")} == {
        "schema": 2, "worse": False, "decides": "gradient_input", "seeds": 10, "instances": 200,
    }  # fmt: skip
    assert told["before"] == {"run": "one", "model": "cnn", "repair": "none", "others": 0}
    assert told["rows"] == [
        {
            "explainer": "gradient_input",
            "before": {"verdict": "does not hold", "hold": 0.35, "low": 0.3, "high": 0.4},
            "after": {"verdict": "shaky", "hold": 0.5, "low": 0.0, "high": 1.0},
            "change": {"value": 0.15, "low": 0.05, "high": 0.25, "p": 0.02},
            "moved": {"value": 0.1, "low": 0.05, "high": 0.2, "n": 10},
            "lacking": {},
        }
    ]
    assert (told["quality"]["metric"], told["quality"]["change"]["value"]) == ("accuracy", -0.01)
    assert "page" not in told


def test_a_choice_is_said() -> None:
    assert changes().notes == (
        "two has 3 families; compared is cnn with repair aswa: choose another with --model and --repair.",
    )


def test_a_repair_is_weighed_against_f1() -> None:
    lost = Cost("macro-F1", Paired(0.8, 0.77, Interval(-0.03, -0.04, -0.02, 10), 0.01))
    found = changes(cost=lost)
    assert found.sentence == (
        "The hold of gradient input rose: 0.35 before, 0.50 after (95 % interval +0.05 to +0.25); macro-F1 "
        "changed by −3.0 points (95 % interval −4.00 to −2.00), so the hold is paid for with macro-F1."
    )
    assert found.to_json()["cost"]["metric"] == "macro-F1"
    assert found.to_json()["quality"]["metric"] == "accuracy"
    flat = changes(change(ends=(-0.05, 0.25)), cost=lost)
    assert flat.sentence.endswith(", so it costs more than it gives.")


def test_models_that_have_not_learned_cannot_be_compared() -> None:
    said = changes(change(verdicts=("not learned", "not learned"))).sentence
    assert said.startswith("The models have not learned before and after, so the hold cannot be compared")
