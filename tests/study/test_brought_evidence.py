"""What verdicts on brought scores rest on: the same measures as an audit's."""

import pytest
import torch

from holdfast.core.records import Explanation
from holdfast.data.scores.given import bring
from holdfast.measure.calibrated import ask_calibrated, confidence_bins
from holdfast.measure.contrast import contrast_of
from holdfast.measure.impostors import AnotherInput, Shuffled, UntrainedOrder
from holdfast.measure.learned import learned
from holdfast.measure.says import says
from holdfast.measure.scale import scale_of
from holdfast.study.brought_evidence import evidence_of_brought, impostors_of_brought, questions_of
from tests.data.scores.made import made

MADE = made(members=4, examples=60)
ALL = bring(**MADE.all)


def test_every_measure_is_the_one_of_an_audit() -> None:
    evidence, own = evidence_of_brought(ALL), ALL.first
    impostors = [Shuffled(), AnotherInput(same_class="common"), UntrainedOrder(ALL.untrained["scores"])]
    assert evidence.scales["scores"].between.values.equal(scale_of(own, impostors).between.values)
    assert list(evidence.scales["scores"].impostors) == ["shuffled", "another input", "untrained order"]
    assert evidence.contrasts["scores"] == contrast_of(own)
    odds, labels = ALL.probabilities, ALL.labels
    assert odds is not None
    assert labels is not None
    right = (odds.argmax(-1) == labels).double()
    chance = max(labels.double().mean().item(), 1 - labels.double().mean().item())
    assert evidence.learned == learned(
        right, chance, "always predicting the most common class", "accuracy", labels
    )
    assert evidence.calibrated == ask_calibrated(confidence_bins(odds, labels))


def test_the_chain_has_the_questions_of_an_audit() -> None:
    evidence = evidence_of_brought(ALL)
    questions, held = questions_of(ALL, evidence, "scores")
    assert [one.name for one in questions] == ["learned", "says", "survives", "matters", "calibrated"]
    assert questions[1] == says(evidence.contrasts["scores"])
    assert held is not None
    assert held.value == questions[2].value
    assert questions[3].answer == "not asked"


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, "probabilities and labels"),
        ({"labels": MADE.labels}, "probabilities"),
        ({"probabilities": MADE.probabilities}, "labels"),
    ],
)
def test_what_is_not_given_is_not_asked(given: dict[str, object], missing: str) -> None:
    evidence = evidence_of_brought(bring(MADE.scores, **given))  # type: ignore[arg-type]
    for question in (evidence.learned, evidence.calibrated):
        assert question.answer == "not asked"
        assert question.because.startswith(f"give {missing}, and it is asked whether the ")
    assert evidence.bins == []


def test_labels_of_one_class_cannot_tell_whether_anything_was_learned() -> None:
    one = bring(MADE.scores, probabilities=MADE.probabilities, labels=[1] * 60)
    assert evidence_of_brought(one).learned.because == "every label is of the same class"


def test_one_member_is_compared_with_nobody() -> None:
    alone = bring(MADE.scores[:1])
    evidence = evidence_of_brought(alone)
    assert (evidence.scales, evidence.contrasts, evidence.strongest) == ({}, {}, {})
    questions, held = questions_of(alone, evidence, "scores")
    assert held is None
    assert {one.because.partition(",")[0] for one in questions if one.name in ("says", "survives")} == {
        "give the scores of several seeds"
    }


def test_impostors_are_of_each_explainer() -> None:
    both = bring({"a": MADE.scores, "b": MADE.scores}, untrained={"b": MADE.untrained})
    assert [one.name for one in impostors_of_brought(both, "a")] == ["shuffled", "another input"]
    order = impostors_of_brought(both, "b")[2]
    assert isinstance(order, UntrainedOrder)
    assert isinstance(both.first, Explanation)
    assert torch.equal(order.scores, both.untrained["b"])
