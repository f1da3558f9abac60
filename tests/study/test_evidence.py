from dataclasses import replace

import torch

from holdfast.measure.impostors import UntrainedOrder
from holdfast.measure.learned import learned
from holdfast.study.evidence import evidence_of, impostors_of
from holdfast.study.findings_file import read_findings
from tests.study import items
from tests.study.strips import families
from tests.study.tiny import family


def test_impostors_suit_the_modality_and_untrained_scores_are_the_third() -> None:
    one = family(names=("attention",))
    assert [own.name for own in impostors_of(one, "attention")] == ["shuffled", "another input"]
    scores = torch.rand(2, *one.mask.shape)
    three = impostors_of(replace(one, untrained={"attention": scores}), "attention")
    assert isinstance(three[2], UntrainedOrder)
    assert three[2].scores is scores
    image = families()[0]
    assert impostors_of(image, "lrp")[1].same_class == "always"  # type: ignore[attr-defined]


def test_classifiers_are_balanced_and_recommenders_are_not() -> None:
    one = family(names=("attention",))
    chance, by = one.chance
    assert evidence_of(one).learned == learned(one.right_each, chance, by, "accuracy", one.targets)
    told = read_findings(items.finished()).answer
    question = told.rows[0].question("learned")
    assert question is not None
    assert "the recall is" in question.because
    assert told.quality["metric"] == "recall@10 %"
