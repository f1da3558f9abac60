"""Models that somebody brought as a function."""

from typing import Any

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.data.scores.given import bring
from holdfast.measure.matters import matters
from holdfast.measure.probes.asked_drops import asked_drops
from holdfast.study.asking import ask_of, completed, matters_of_brought
from tests.data.scores.made import made

MADE = made(members=4, examples=30)


def test_probabilities_and_what_is_explained_come_from_the_function() -> None:
    done = completed(bring(MADE.scores, predict=MADE.predict, labels=MADE.labels))
    assert done.probabilities is not None
    np.testing.assert_allclose(done.probabilities[..., 1], MADE.probabilities)
    assert done.first.target.tolist() == (MADE.probabilities.mean(0) > 0.5).astype(int).tolist()
    assert done.classes == ("0", "1")
    told = completed(bring(MADE.scores, predict=MADE.predict, target=1, classes=["no", "yes"]))
    assert (told.first.target.tolist(), told.classes) == ([1] * 30, ("no", "yes"))


def test_without_a_function_nothing_changes() -> None:
    plain = bring(MADE.scores, probabilities=MADE.probabilities)
    assert completed(plain) is plain
    assert matters_of_brought(plain) == {}


def test_only_what_exists_is_left_in_and_nobody_can_spoil_it() -> None:
    mask = np.ones((30, 6), dtype=bool)
    mask[3, 4:] = False
    seen = []

    def predict(keep: Any) -> Any:
        seen.append(keep.copy())
        odds = MADE.predict(keep)
        keep[:] = True
        return odds

    brought = completed(bring(MADE.scores, mask=mask, predict=predict))
    assert matters_of_brought(brought)["scores"] is not None
    assert not any((keep & ~mask).any() for keep in seen)
    assert all(keep.dtype == bool and keep.shape == (4, 30, 6) for keep in seen)


def test_whether_it_matters_is_measured_by_deletion() -> None:
    brought = completed(bring(MADE.scores, predict=MADE.predict, target=1))
    assert brought.probabilities is not None
    drops = asked_drops(ask_of(brought), brought.probabilities, brought.explanations)
    assert drops.alone is not None
    measured = matters_of_brought(brought)["scores"]
    assert measured == matters(drops.by["scores"], drops.random, drops.alone)
    assert measured is not None
    assert measured.share.value == pytest.approx(1.0, abs=0.02)  # a sum's true explanation


@pytest.mark.parametrize(
    ("about", "answer", "message"),
    [
        (
            {},
            np.full((4, 30), 1.5),
            (
                "expected what predict returns between 0 and 1, but some are not: give "
                "probabilities, not logits"
            ),
        ),
        (
            {},
            np.full((3, 30), 0.5),
            "expected what predict returns to be of 4 members for 30 examples, but got shape (3, 30, 2)",
        ),
        (
            {"probabilities": MADE.probabilities},
            MADE.probabilities[:, ::-1],
            "expected predict to give the probabilities that were given when every position"
            " is left in, but they "
            "are up to 0.92 apart: both must be of the same models and examples, in their order",
        ),
        (
            {"probabilities": MADE.probabilities},
            np.full((4, 30, 3), 1 / 3),
            "expected what predict returns of shape (4, 30, 2), but got (4, 30, 3)",
        ),
        (
            {"labels": [2] * 30},
            MADE.probabilities,
            (
                "expected what predict returns to be of every class that classes, labels and "
                "target name, but got 2"
            ),
        ),
    ],
)
def test_answers_that_do_not_fit_are_one_clear_sentence(about: Any, answer: Any, message: str) -> None:
    with pytest.raises(BadSetting) as caught:
        completed(bring(MADE.scores, predict=lambda keep: answer, **about))
    assert str(caught.value) == message


def test_half_precision_is_the_same_model() -> None:
    half = MADE.probabilities.astype(np.float16)
    brought = completed(bring(MADE.scores, predict=MADE.predict, probabilities=half))
    assert isinstance(brought.probabilities, torch.Tensor)
