from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from holdfast.data.source import Source
from holdfast.measure.contrast import contrast_of
from holdfast.measure.hold import hold
from holdfast.measure.matters import Matters
from holdfast.measure.odd_members import groups_of
from holdfast.measure.reduce import Interval
from holdfast.measure.strongest import same_strongest
from holdfast.measure.survives import survives
from holdfast.study.evidence import evidence_of
from holdfast.study.judge import _cost, answer_of, verdicts
from holdfast.study.plan import Plan
from holdfast.study.result import FamilyResult
from holdfast.train.family import LeftOut
from tests.study.tiny import family, shortened

PLAN = Plan((Source("planted"),))
NAMES = ("gradient", "attention", "random")


def answered(*families: FamilyResult, **changes: object):
    return answer_of(families, [evidence_of(one) for one in families], replace(PLAN, **changes))  # type: ignore[arg-type]


def test_every_explainer_has_a_verdict_but_random_is_no_answer() -> None:
    one = family(names=NAMES)
    evidence = evidence_of(one)
    rows = {row.explainer: row for row in verdicts(one, evidence)}
    assert list(rows) == ["gradient", "attention"]
    for name, row in rows.items():
        scale, explanation = evidence.scales[name], one.explanations[name]
        held = hold(scale)
        assert held is not None
        assert (row.hold, row.low, row.high, row.nearest) == (held.value, held.low, held.high, held.nearest)
        assert row.against == {against.impostor: against.value for against in held.against}
        asked = ["learned", "says", "survives", "matters", "calibrated"]
        assert [question.name for question in row.questions] == asked
        assert row.question("survives") == survives(held, groups_of(scale), len(one.rows))
        assert row.question("learned") == evidence.learned
        contrast, same = contrast_of(explanation, one.rows), same_strongest(explanation)
        assert contrast is not None
        assert same is not None
        assert (row.concentration, row.even, row.same_strongest) == (contrast.top, contrast.even, same.value)


def test_what_matters_is_asked_where_it_was_measured() -> None:
    one = family(names=("gradient", "attention"))
    little = Matters(Interval(0.1, 0.0, 0.15, 4), 0.2, 0.1, 1.0)
    rows = {row.explainer: row for row in verdicts(one, evidence_of(one, {"gradient": little}))}
    asked = {name: row.question("matters") for name, row in rows.items()}
    assert asked["gradient"] is not None
    assert asked["attention"] is not None
    assert (asked["gradient"].answer, asked["gradient"].value) == ("failed", 0.1)
    assert (asked["attention"].answer, asked["attention"].because) == (
        "not asked",
        "no deletion was measured",
    )


def test_the_best_explainer_decides_and_comes_first() -> None:
    one = family(names=NAMES)
    answer = answered(one)
    first = answer.rows[0]
    assert answer.row == first
    assert answer.decides is not None
    assert (answer.decides.model, answer.decides.explainer) == (one.model, first.explainer)
    assert (answer.verdict, answer.between, answer.reason) == (first.verdict, first.between, first.reason)


def test_quality_is_of_the_family_that_decides() -> None:
    plain, mended = family(names=("attention",)), family(names=("attention",), repair="aswa", noise=0.01)
    for pair in ((plain, mended), (mended, plain)):
        answer = answered(*pair)
        assert answer.decides is not None
        assert answer.decides.repair == "aswa"
        right = (mended.probabilities.argmax(-1) == mended.targets).double().mean(1)
        assert answer.quality["mean"] == pytest.approx(float(right.mean()))
        assert answer.quality["sd"] == pytest.approx(float(right.std()))
        assert (answer.quality["metric"], answer.quality["n"]) == ("accuracy", 4)


def test_the_same_model_of_two_data_sets_is_told_apart() -> None:
    one, two = family(names=("attention",)), family(names=("attention",), noise=0.01)
    other = replace(two, data="elsewhere", probabilities=1 - two.probabilities)
    answer = answered(one, other)
    assert answer.rows[0].data == "elsewhere"
    right = (other.probabilities.argmax(-1) == other.targets).double().mean()
    assert answer.quality["mean"] == pytest.approx(float(right))


def test_members_left_out_and_odd_ones_are_named() -> None:
    one = family(members=5, noise=0.01, names=("attention",))
    explanation = one.explanations["attention"]
    scores = explanation.scores.clone()
    scores[3] = scores[3].roll(1, 0) * explanation.mask + 0.01 * explanation.mask
    odd = replace(one, explanations={"attention": replace(explanation, scores=scores)})
    gone = replace(odd, left_out=(LeftOut(one.members[2], "diverged in epoch 1"),))
    answer = answered(gone)
    members = answer.members
    assert "Seed 3 explains otherwise than the rest (accuracy " in answer.reason
    assert (members.trained, members.odd) == (5, (3,))
    assert members.left_out == ({"seed": 2, "why": "diverged in epoch 1"},)
    assert answered(one).members.odd == ()


def test_only_audits_say_what_to_do() -> None:
    one = family(names=("attention",))
    assert answered(one, study="seed-stability").do == ""
    assert answered(one).do != ""


def test_short_texts_are_spoken_of_apart() -> None:
    one = family(members=5, noise=0.05, names=("attention",))
    answer = answered(shortened(one, [1, 2, 3, 2, 3, 2, 5, 6, 7, 8, 9, 10]))
    assert " 50 % of the examples have at most three words: their hold is 0." in answer.reason
    assert answer.reason.endswith("1 of 12 examples has only one word and is left out of hold.")
    assert "at most three" not in answered(one).reason


def test_what_a_repair_costs_is_said() -> None:
    def named(repair: str, right: float) -> SimpleNamespace:
        about = {"data": "d", "model": "cnn", "repair": repair, "metric": "accuracy"}
        return SimpleNamespace(**about, right=torch.full((3,), right))

    plain, repaired = named("none", 0.71), named("aswa", 0.48)
    assert _cost(repaired, [plain, repaired]) == "aswa costs accuracy: 48.0 % with it, 71.0 % without."
    for better in (named("aswa", 0.705), named("aswa", 0.9)):
        assert _cost(better, [plain, better]) == ""
    assert _cost(plain, [plain, repaired]) == _cost(repaired, [repaired]) == ""
