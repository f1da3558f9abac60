import pytest
import torch

from holdfast.core.settings import label
from holdfast.measure.probes.adversarial_attention import AdversarialAttention
from holdfast.measure.probes.attention_permutation import AttentionPermutation
from holdfast.measure.probes.moved import Moved, at_once, by_confidence, moved, one_by_one


def found():
    """Two members, two examples: three predictions of 0.6, of which one is wrong, and one of 0.9."""
    return Moved(
        torch.tensor([[0.1, 0.2], [0.3, 0.4]], dtype=torch.float64),
        torch.tensor([[0.6, 0.6], [0.6, 0.9]], dtype=torch.float64),
        torch.tensor([[1, 1], [1, 0]]),
        torch.tensor([1, 0]),
        2,
    )


def test_of_more_than_two_classes_predictions_are_right_or_wrong():
    few = torch.zeros(1, 2)
    found = Moved(few, few, torch.tensor([[0, 2]]), torch.tensor([0, 1]), 3)
    assert {name: one.tolist() for name, one in found.outcomes().items()} == {
        "right": [[True, False]],
        "wrong": [[False, True]],
    }


def test_effects_by_confidence_and_outcome_naively(family, planted):
    rows = torch.arange(30)
    found = moved(family, AttentionPermutation(shuffles=4), planted.splits["test"], rows, rows * 0)
    probabilities = family.logits(planted.splits["test"], rows).softmax(-1)
    assert torch.allclose(found.confidence.float(), probabilities.max(-1).values, atol=1e-6)
    outcomes = found.outcomes()
    assert torch.stack(list(outcomes.values())).sum(0).eq(1).all()
    for outcome, select in outcomes.items():
        for bin in by_confidence(found, select):
            means, count = [], 0
            for m in range(len(family)):
                own = []
                for k, row in enumerate(rows.tolist()):
                    predicted, truth = int(found.predicted[m, k]), int(planted.splits["test"].targets[row])
                    name = (
                        ("true" if predicted == truth else "false")
                        + " "
                        + ("negative", "positive")[predicted]
                    )
                    if name == outcome and f"{int(found.confidence[m, k] * 10 + 1e-6) / 10:.1f}" == bin.label:
                        own.append(float(found.effect[m, k]))
                if own:
                    means.append(sum(own) / len(own))
                    count += len(own)
            assert bin.effect.value == pytest.approx(sum(means) / len(means))
            assert (bin.effect.n, bin.examples) == (len(means), count)


@pytest.mark.parametrize("probe", [AttentionPermutation(4), AdversarialAttention(steps=5)], ids=label)
def test_all_members_at_once_are_those_one_by_one(family, planted, probe):
    batch = planted.splits["test"].batch(torch.arange(12))
    for mapped, alone in zip(at_once(family, probe, batch), one_by_one(family, probe, batch), strict=True):
        assert torch.allclose(mapped, alone, atol=1e-5)
