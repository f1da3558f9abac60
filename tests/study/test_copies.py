"""Members that say the same, bit for bit, count once."""

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.data.scores.given import bring
from holdfast.study.brought import judge_brought
from holdfast.study.copies import without_copies
from tests.data.scores.made import made

MADE = made(members=4)
WHY = (
    "all 10 members say the same, bit for bit, and count as one: where a learner makes no use of its seed, "
    "draw its rows by the seed"
)


def copied(values, of=(0, 1, 1, 2, 0)):
    return np.stack([values[place] for place in of])


def test_one_model_brought_ten_times_has_no_hold():
    with pytest.raises(BadSetting, match=f"whether it survives another seed \\({WHY}\\)"):
        judge_brought(bring(np.tile(MADE.scores[:1], (10, 1, 1))))
    odds = np.tile(MADE.probabilities[:1], (10, 1))
    found = judge_brought(bring(np.tile(MADE.scores[:1], (10, 1, 1)), probabilities=odds, labels=MADE.labels))
    assert found.answer.verdict == "undecided"
    assert found.answer.headline.startswith("Undecided: nobody can say")
    assert WHY in found.answer.reason
    assert (found.answer.members.trained, found.answer.rows[0].hold) == (1, None)


def test_copies_of_some_do_not_count_again():
    brought = bring(copied(MADE.scores), probabilities=copied(MADE.probabilities))
    few = without_copies(brought)
    assert torch.equal(few.first.scores, torch.from_numpy(MADE.scores[:3]))
    assert [member.seed for member in few.members] == [0, 1, 3]
    assert few.probabilities.shape == (3, 120, 2)
    [told] = few.notes
    assert told.endswith("bit for bit, do not count again: seed 2 as seed 1 and seed 4 as seed 0.")


def test_the_function_is_asked_about_all_and_copies_alike():
    heard = []

    def predict(keep):
        heard.append(keep)
        return list(keep.mean(-1))

    keep = np.random.default_rng(0).random((3, 120, 6)) < 0.5
    few = without_copies(bring(copied(MADE.scores), predict=predict))
    assert np.array_equal(np.stack(few.predict(keep)), keep.mean(-1))
    assert np.array_equal(heard[0], keep[[0, 1, 1, 2, 0]])


def test_the_same_scores_of_other_models_count():
    scores = np.tile(MADE.scores[:1], (4, 1, 1))
    brought = bring(scores, probabilities=MADE.probabilities)
    assert without_copies(brought) is brought
    assert judge_brought(brought).answer.rows[0].hold == 1.0
