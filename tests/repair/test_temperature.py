"""Temperature scaling: as sure as right, and no answer changes."""

from dataclasses import dataclass, replace

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.data.base import Split
from holdfast.data.source import Source, load
from holdfast.models.base import TEMPERATURE
from holdfast.models.run import Run
from holdfast.repair.temperature import COLDEST, LEAST, WARMEST, Temperature, _one_class, best_temperature
from holdfast.testing.model import build, example
from holdfast.testing.training import MODEL, TASK, Examples
from holdfast.train.evaluate import logits
from holdfast.train.family import initial, template
from tests.examples import fewer
from tests.reference.repair import best_temperature as naive


def answers(seed=0, n=200, classes=3, factor=3.0):
    """Scores that are ``factor`` times too large."""
    draw = torch.Generator().manual_seed(seed)
    scores = torch.randn(n, classes, generator=draw, dtype=torch.float64)
    targets = torch.multinomial(scores.softmax(-1), 1, generator=draw)[:, 0]
    return factor * scores, targets


@given(st.integers(0, 1000), st.floats(0.3, 5.0), st.sampled_from([2, 5]))
@fewer(2)
def test_it_is_where_its_naive_twin_finds_the_lowest_nll(seed, factor, classes):
    scores, targets = answers(seed, 60, classes, factor)
    ours = best_temperature(scores, targets)
    assert ours == pytest.approx(naive(scores.tolist(), targets.tolist(), COLDEST, WARMEST), rel=1e-3)


def test_what_was_sharpened_is_blunted():
    assert best_temperature(*answers(n=20_000)) == pytest.approx(3.0, rel=0.03)
    assert best_temperature(*answers(n=20_000, factor=0.2)) == pytest.approx(0.2, rel=0.05)


def test_without_a_best_one_it_stays():
    scores = torch.tensor([[0.0, 2.0], [1.0, 0.0]])
    assert best_temperature(scores, torch.tensor([1, 0])) == 1.0  # all right: the sharper the better
    assert best_temperature(scores, torch.tensor([0, 1])) == 1.0  # all wrong: the blunter the better
    assert best_temperature(torch.zeros(2, 2), torch.tensor([0, 1])) == 1.0  # nothing to scale


def blunter(scores, factor=4.0):
    """Truths that these scores are ``factor`` times too sure of."""
    draw = torch.Generator().manual_seed(1)
    return torch.multinomial((scores / factor).softmax(-1), 1, generator=draw)[:, 0]


def member():
    """A network that is too sure, and texts to validate on."""
    model, one = build(MODEL, TASK, 0), example(TASK)
    many = one.take(torch.arange(LEAST * 4) % len(one))
    parameters = {n: t * 40 if n.startswith("head") else t for n, t in model.tensors().items()}
    truth = blunter(logits(model, parameters, Examples(many)))
    return Run(model, parameters), Examples(replace(many, targets=truth))


@dataclass(frozen=True)
class Told(Split):
    """A split whose true answers are others."""

    of: Split
    truth: torch.Tensor

    @property
    def lengths(self):
        return self.of.lengths

    @property
    def targets(self):
        return self.truth

    def batch(self, rows, length=None):
        return replace(self.of.batch(rows, length), targets=self.truth[rows])


def test_only_the_temperature_changes_and_no_answer_does():
    run, split = member()
    finished = Temperature().finish(run, split)
    assert finished[TEMPERATURE] != run.parameters[TEMPERATURE]
    for name, tensor in run.parameters.items():
        assert name == TEMPERATURE or finished[name] is tensor
    before, after = (logits(run.model, own, split) for own in (run.parameters, finished))
    assert torch.equal(before.argmax(-1), after.argmax(-1))
    assert F.cross_entropy(after, split.targets) < F.cross_entropy(before, split.targets)


def test_a_second_time_nothing_is_left_to_do():
    run, split = member()
    once = Temperature().finish(run, split)
    twice = Temperature().finish(Run(run.model, once), split)
    torch.testing.assert_close(twice[TEMPERATURE], once[TEMPERATURE], rtol=1e-5, atol=0)


@pytest.mark.parametrize("spoilt", ["few", "one class"])
def test_a_validation_split_that_says_nothing_leaves_it_at_one(spoilt):
    run, split = member()
    if spoilt == "few":
        split = Examples(split.whole.take(torch.arange(LEAST - 1)))
    else:
        split = Examples(replace(split.whole, targets=torch.ones_like(split.targets)))
    assert Temperature().finish(run, split)[TEMPERATURE] == 1.0


def test_of_a_ranking_the_true_item_among_its_candidates_is_calibrated():
    data = load(Source("planted-plays:users=80,length=12"))
    architecture = make("models", "sasrec:dim=8,blocks=1,spread=1.0")
    run = Run(template(architecture, data.task), initial(architecture, data.task, Member(0)))
    validation = data.splits["validation"]
    assert set(validation.targets.tolist()) == {0}  # a place among the candidates, and no class
    split = Told(validation, blunter(logits(run.model, run.parameters, validation)))
    before, after = (
        F.cross_entropy(logits(run.model, own, split), split.targets).item()
        for own in (run.parameters, Temperature().finish(run, split))
    )
    assert after < before
    one_place = Told(validation, torch.zeros_like(split.truth))
    assert not _one_class(one_place)


def test_it_composes():
    parts = make("repairs", "aswa+temperature")
    run, split = member()
    assert parts.finish(run, split)[TEMPERATURE] == Temperature().finish(run, split)[TEMPERATURE]
    assert (parts.averages, parts.changes_losses) == (True, False)
