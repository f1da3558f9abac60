"""Scores that somebody brought, judged: the whole answer."""

from typing import Any

import numpy as np
import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.scores.given import bring
from holdfast.measure.stability import stability
from holdfast.study.brought import COMPARED, FAVOURED, SEEDS, SEEN, UNTRAINED, judge_brought
from holdfast.study.findings import Findings, without_text
from tests.data.scores.made import made

MADE = made()
QUANTITIES = {"hold", "contrast", "contrast_kept", "concentration", "concentration_even", "same_strongest"}


def judged(**given: Any) -> Findings:
    return judge_brought(bring(**({"scores": MADE.scores} | given)), "typed")


def test_the_verdict_is_that_of_the_number_alone() -> None:
    found, alone = judged(), stability(MADE.scores)
    [row] = found.answer.rows
    assert (row.hold, row.low, row.high, row.nearest) == (alone.value, alone.low, alone.high, alone.nearest)
    assert found.answer.verdict == alone.verdict == "holds"
    assert found.answer.headline.startswith("As far as it was asked, this explanation holds (hold 0.")
    assert found.answer.headline.endswith(
        "Not asked: whether the models learned and whether it matters to the model."
    )
    assert found.answer.do == "Give probabilities and labels and predict, from Python, and the rest is asked."


def test_everything_asked_and_passed_is_to_be_shown() -> None:
    found = judged(**{name: own for name, own in MADE.all.items() if name != "scores"}, predict=MADE.predict)
    answers = {question.name: question.answer for question in found.answer.rows[0].questions}
    asked = ("learned", "says", "survives", "matters")
    assert [answers[name] for name in asked] == ["passed"] * 4
    assert found.answer.headline.startswith("Show this explanation: it holds (hold 0.")
    assert found.answer.do == "Nothing more to do."
    assert "Not asked" not in found.answer.reason
    assert found.answer.quality["mean"] == pytest.approx(((MADE.probabilities > 0.5) == MADE.labels).mean())
    assert {"accuracy", "f1", "ece", "reliability", "deviation"} <= {row.quantity for row in found.rows}
    assert found.notes == (SEEDS, SEEN)


def test_models_that_have_not_learned_come_first() -> None:
    found = judged(probabilities=MADE.probabilities, labels=1 - MADE.labels)
    assert found.answer.verdict == "not learned"
    assert found.answer.headline == "The given models have not learned, so their explanations mean nothing."


def test_the_better_of_two_explainers_decides() -> None:
    noise = np.random.default_rng(1).normal(size=MADE.scores.shape)
    found = judged(scores={"noise": noise, "good": MADE.scores, "random": noise})
    assert [row.explainer for row in found.answer.rows] == ["good", "noise"]
    assert "; do not show noise (says nothing)" in found.answer.headline
    assert {row.other_explainer for row in found.rows if row.quantity == "agreement"} == {"good", "random"}


def test_scores_alone_have_the_rows_that_need_no_model() -> None:
    found = judged()
    assert {row.quantity for row in found.rows} == {*QUANTITIES, "stability"}
    assert found.kind == "scores"
    assert found.plan["members"] == 10
    assert found.plan["given"] == "none"
    assert found.notes == (SEEDS, UNTRAINED)
    assert FAVOURED in judged(probabilities=MADE.probabilities).notes


def test_positions_without_names_are_numbered() -> None:
    found = judged(mask=np.arange(6) < np.array([4] * 60 + [6] * 60)[:, None])
    assert {example.tokens for example in found.examples} <= {tuple("1234"), tuple("123456")}
    assert {(example.target, example.label, example.probabilities) for example in found.examples} == {
        ("", "", ())
    }


def test_examples_have_their_words_and_classes() -> None:
    words = [[f"{row}-{place}" for place in range(6)] for row in range(120)]
    found = judged(
        tokens=words, classes=["no", "yes"], **{k: v for k, v in MADE.all.items() if k != "scores"}
    )
    one = found.examples[0]
    row = int(one.tokens[0].partition("-")[0])
    assert one.label == ("no", "yes")[MADE.labels[row]]
    assert one.target == "yes"
    assert one.probabilities == pytest.approx(MADE.probabilities[:, row], abs=1e-4)
    assert one.heats[0].hold is not None
    assert without_text(found).examples == ()


def test_one_member_is_asked_what_needs_no_other() -> None:
    own = made(members=1, examples=200)
    found = judge_brought(bring(own.scores, labels=own.labels, predict=own.predict, target=1))
    [row] = found.answer.rows
    answers = {question.name: question.answer for question in row.questions}
    assert answers == {
        "learned": "passed", "says": "not asked", "survives": "not asked", "matters": "passed",
        "calibrated": answers["calibrated"],
    }  # fmt: skip
    assert found.answer.verdict == "undecided"
    assert found.answer.between == ("does not hold", "shaky", "holds")
    assert (
        found.answer.headline == "Undecided: nobody can say whether this explanation survives another seed."
    )
    assert "give the scores of several seeds" in found.answer.reason
    assert {row.quantity for row in found.rows} >= {"accuracy", "f1", "ece"}
    assert not {"accuracy_sd", "macro_f1_sd", "deviation", "hold"} & {row.quantity for row in found.rows}
    assert [heat.hold for example in found.examples for heat in example.heats] == [None] * 6


@pytest.mark.parametrize(
    ("scores", "why"),
    [
        (
            MADE.scores[:1],
            "whether it says anything and whether it survives another seed (give the scores of ",
        ),
        (MADE.scores[..., :1], "(no example has two positions or more)"),
    ],
)
def test_where_nothing_is_left_to_ask_it_is_refused(scores: Any, why: str) -> None:
    with pytest.raises(BadSetting) as caught:
        judged(scores=scores)
    assert str(caught.value).startswith(
        "nothing can be asked of these scores. Not asked: whether the models "
    )
    assert why in str(caught.value)


def test_an_odd_seed_is_named_with_its_accuracy() -> None:
    scores = MADE.scores.copy()
    scores[3] = np.random.default_rng(5).normal(size=scores[3].shape)
    found = judged(scores=scores, probabilities=MADE.probabilities, labels=MADE.labels)
    assert "Seed 3 explains otherwise than the rest (accuracy " in found.answer.reason
    assert found.answer.members.odd == (3,)
    assert "Seed 3 explains otherwise than the rest." in judged(scores=scores).answer.reason


def test_of_very_many_examples_some_are_compared_in_every_way() -> None:
    found = judge_brought(bring(made(members=3, examples=COMPARED + 100).scores))
    assert {row.n for row in found.rows if row.quantity == "stability" and row.by == "all"} == {COMPARED}
    assert {row.n for row in found.rows if row.quantity == "hold" and row.by == "all"} == {COMPARED + 100}
    assert "Every comparison between seeds is of 500 of the 600 examples." in found.notes


def test_an_impostor_that_few_examples_have_is_named() -> None:
    lengths = np.array([6] * 20 + list(range(7, 47)))
    scores = np.random.default_rng(0).normal(size=(3, 60, 46))
    found = judge_brought(bring(scores, mask=np.arange(46) < lengths[:, None], signed=True))
    assert isinstance(found.answer.reason, str)


def test_how_far_it_is_can_be_heard() -> None:
    heard: list[tuple[str, float, float]] = []
    judge_brought(bring(made(members=2, examples=5).scores), listen=lambda *told: heard.append(told))
    assert heard == [("judging", 0.0, 2.0), ("judging", 1.0, 2.0), ("judging", 2.0, 2.0)]
