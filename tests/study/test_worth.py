"""Is a repair worth it?"""

from dataclasses import replace
from typing import Any

import pytest
import torch

from holdfast.measure.quality import macro_f1
from holdfast.study.evidence import evidence_of
from holdfast.study.judge import verdicts
from holdfast.study.worth import cost_of, worths
from tests.study.tiny import family


def asked(*families: Any) -> list[str]:
    evidences = [evidence_of(one) for one in families]
    pairs = zip(families, evidences, strict=True)
    rows = [replace(row, verdict="shaky") for one, evidence in pairs for row in verdicts(one, evidence)]
    return list(worths(families, evidences, rows))


def test_a_sentence_for_every_repair() -> None:
    plain, calm = family(noise=2.0), family(noise=0.1, repair="seat")
    told, *others = asked(plain, calm)
    assert not others
    assert told.startswith("cnn with seat: the hold of attention rose: 0.")
    assert "; macro-F1 changed by " in told
    assert told.endswith(("so it is worth it.", "so the hold is paid for with macro-F1."))
    (back,) = asked(replace(calm, repair="none"), replace(plain, repair="aswa"))
    assert back.startswith("cnn with aswa: the hold of attention fell: 0.")
    assert back.endswith(", so it costs more than it gives.")


def test_the_same_is_not_shown_to_be_worth_it() -> None:
    one = family(noise=1.0)
    (told,) = asked(one, replace(one, repair="seat"))
    assert "did not change beyond chance" in told
    assert told.endswith(", so it is not shown to be worth it.")
    assert "macro-F1 changed by +0.0 points" in told


@pytest.mark.parametrize("about", [{"model": "rnn"}, {"data": "other"}, {"repair": "none"}])
def test_only_of_what_stands_beside_it(about: dict[str, str]) -> None:
    assert asked(family(), replace(family(repair="seat"), **about)) == []


def test_two_seeds_show_nothing() -> None:
    (told,) = asked(family(members=2, noise=2.0), family(members=2, noise=0.1, repair="seat"))
    assert told.endswith(", so it is not shown to be worth it.")


def test_the_cost_is_macro_f1_of_the_members_that_both_have() -> None:
    plain, repaired = family(members=4), family(members=3, noise=1.0, repair="seat")
    cost = cost_of(plain, repaired)
    each = [macro_f1(one.probabilities[:3], one.targets) for one in (plain, repaired)]
    assert cost.metric == "macro-F1"
    assert cost.score.difference.value == pytest.approx(float((each[1] - each[0]).mean()))
    assert torch.tensor(cost.score.before).item() == pytest.approx(float(each[0].mean()))
