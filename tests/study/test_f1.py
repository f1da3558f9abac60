from dataclasses import replace

import pytest
from sklearn.metrics import f1_score

from holdfast.study.f1 import f1_of
from tests.study.tiny import cell


def test_every_class_is_named() -> None:
    one = cell(noise=0.05, seed=5)
    told = f1_of(one)["f1"]
    guess, truth = one.probabilities.argmax(-1).numpy(), one.targets.numpy()
    each = sum(f1_score(truth, g, average=None) for g in guess) / len(guess)
    assert told["by_class"] == pytest.approx(dict(zip(one.dataset.task.classes, each, strict=True)))
    assert told["macro"]["mean"] == pytest.approx(each.mean())
    assert told["macro"]["n"] == len(one.members)


def test_recommenders_have_none() -> None:
    one = cell(noise=0.05, seed=5)
    task = replace(one.dataset.task, length=5, classes=())
    assert f1_of(replace(one, dataset=replace(one.dataset, task=task))) == {}
