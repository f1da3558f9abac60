"""The contract of an explainer, as checks that any explainer can be put through."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.data.base import Task
from holdfast.explain.base import Explainer, exists
from holdfast.explain.relevance import RuleExplainer
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run
from holdfast.testing.modality import modality
from holdfast.testing.model import build, example_for, pad
from holdfast.train.job import stack
from holdfast.train.scores import explain

TOLERANCE = 1e-6  # of the largest score


@dataclass(frozen=True)
class Case:
    """One explainer with all it is called with."""

    explainer: Explainer
    model: Model
    batch: Batch
    target: Tensor
    noise: Tensor | None

    def scores(self) -> Tensor:
        """The scores, by the model's own parameters."""
        run = Run(self.model, detached(self.model))
        return self.explainer.scores(run, self.batch, self.target, self.noise).detach()


def detached(model: Model) -> dict[str, Tensor]:
    """A model's own tensors, as a run wants them."""
    return model.tensors()


def check_explainer(explainer: Explainer, architecture: Architecture, task: Task) -> None:
    """Run every check; an ``AssertionError`` says which promise is broken.

    >>> from holdfast.explain.gradient_input import GradientInput
    >>> from holdfast.models.text.average import Average
    >>> check_explainer(GradientInput(), Average(hidden=4, dim=3), Task(9, ("no", "yes")))
    """
    model = build(architecture, task)
    batch = example_for(model, task)
    target = torch.arange(len(batch)) % modality(task.kind).classes(model, batch, task)
    if batch.options is not None and batch.targets is not None:
        target = batch.targets  # what cannot be the answer is never explained
    case = Case(explainer, model, batch, target, draw(explainer, batch))
    checks = (
        check_scores,
        check_promises,
        check_relevance,
        check_total,
        check_padding,
        check_composition,
        check_untouched,
    )
    for check in checks:
        check(case)
    check_mapping(case, [build(architecture, task, seed) for seed in range(3)])
    check_single_precision(case, architecture, task)


def draw(explainer: Explainer, batch: Batch, seed: int = 0) -> Tensor | None:
    """The uniform draws that the explainer wants for this batch."""
    if not explainer.draws:
        return None
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(*batch.inputs.shape, explainer.draws, generator=generator, dtype=torch.float64)


def check_scores(case: Case) -> None:
    """One finite score per word or pixel, 0 where nothing is, not all 0, and the same again."""
    scores = case.scores()
    assert scores.shape == case.batch.inputs.shape, f"scores have shape {tuple(scores.shape)}"
    assert scores.isfinite().all(), "a score is not finite"
    assert not (scores * ~exists(case.batch, scores)).any(), "a masked position has a score"
    # relevance of a single example may all be lost, where a bias alone decides
    assert (scores if case.explainer.conserves else scores[0]).any(), "every score of a whole example is 0"
    assert scores.dtype == torch.float64, f"scores of a float64 model are {scores.dtype}"
    assert torch.equal(case.scores(), scores), "the same call twice gives other scores"


def check_promises(case: Case) -> None:
    """Unsigned scores are never negative; signed ones turn round with the target; draws are read."""
    scores, task = case.scores(), case.model.evidence(case.model(case.batch).logits)
    if not case.explainer.signed:
        assert (scores >= 0).all(), "an unsigned explainer gave a negative score"
    elif task.shape[1] == 2 and torch.equal(task[:, 0], -task[:, 1]):
        other = replace(case, target=1 - case.target).scores()
        assert near(other, -scores), "signed scores do not turn round with the target"
    if case.noise is not None:
        assert not near(replace(case, noise=1 - case.noise).scores(), scores), "the draws are not used"


def check_relevance(case: Case) -> None:
    """Rules change no value, and scores with what is lost make up the evidence for the class."""
    explainer, run = case.explainer, Run(case.model, detached(case.model))
    explainer.suits(run, case.batch, case.target)
    if not isinstance(explainer, RuleExplainer):
        return
    relevance = explainer.relevance(run, case.batch, case.target)
    evidence = run.evidence(run(case.batch).logits).gather(1, case.target[:, None])[:, 0]
    assert near(relevance.evidence, evidence), "rules change the evidence"
    total = relevance.scores.flatten(1).sum(1) + relevance.lost
    assert near(total, evidence), "scores and what is lost are not the evidence"
    assert torch.equal(relevance.scores, case.scores()), "scores are not the relevance"


def check_total(case: Case) -> None:
    """As fine as it gets, scores miss no more of their total than is promised; rules promise no bound."""
    explainer, run = case.explainer, Run(case.model, detached(case.model))
    if not explainer.conserves or isinstance(explainer, RuleExplainer):
        return
    assert explainer.within < 1.0, (
        "an explainer that conserves must be by rules, or within a share of its total"
    )
    total = explainer.total(run, case.batch, case.target)
    while (finer := explainer.finer()) is not None:
        assert finer != explainer, "an explainer is finer than itself"
        explainer = finer
    lost = total - replace(case, explainer=explainer).scores().flatten(1).sum(1)
    bound = explainer.within * total.abs().sum()
    assert lost.abs().sum() <= bound, "the finest scores miss more of their total than was promised"


def check_padding(case: Case) -> None:
    """More padding changes no score by more than 1e-6 of the largest; that of histories, which end in the
    last column, comes first."""
    before = case.batch.following is not None
    noise = case.noise
    if noise is not None:
        noise = torch.cat([noise[:, :2], noise] if before else [noise, noise[:, :2]], 1)
    wide = replace(case, batch=pad(case.batch, 2), noise=noise).scores()
    inner, outer = (wide[:, 2:], wide[:, :2]) if before else (wide[:, :-2], wide[:, -2:])
    assert near(inner, case.scores()), "padding changes a score"
    assert not outer.any(), "padding has a score"


def check_composition(case: Case) -> None:
    """Neighbours in the batch change no score by more than 1e-6 of the largest; a text of one word can be
    explained alone."""
    scores = case.scores()
    for row in range(len(case.batch)):
        only = torch.tensor([row])
        noise = None if case.noise is None else case.noise[only]
        alone = replace(case, batch=case.batch.take(only), target=case.target[only], noise=noise).scores()
        assert near(alone, scores[only], scores), "neighbours in the batch change a score"


def check_untouched(case: Case) -> None:
    """Inputs, parameters and the training flag are as before, and no gradient is left behind."""
    batch = case.batch.map(torch.clone)
    state = {name: tensor.clone() for name, tensor in case.model.state_dict().items()}
    flags = [module.training for module in case.model.modules()]
    case.scores()
    for field, value in vars(batch).items():
        assert value is None or torch.equal(value, getattr(case.batch, field)), f"{field} was changed"
    for name, tensor in case.model.state_dict().items():
        assert torch.equal(tensor, state[name]), f"the parameter {name} was changed"
    assert all(tensor.grad is None for tensor in case.model.parameters()), "a gradient was left behind"
    assert [module.training for module in case.model.modules()] == flags, "a training flag was changed"


def check_mapping(case: Case, models: list[Model]) -> None:
    """Members that are stacked are explained as each is alone, to 1e-6 of the largest score."""
    stacked = stack([model.tensors() for model in models])
    several = None if case.noise is None else torch.stack([case.noise] * len(models))
    mapped = explain(models[0], stacked, case.explainer, case.batch, case.target, several, stacked=True)
    for member, model in enumerate(models):
        one = None if case.noise is None else case.noise[None]
        alone = explain(model, detached(model), case.explainer, case.batch, case.target, one, stacked=False)
        assert near(mapped.scores[member], alone.scores[0]), "mapped scores differ"


def check_single_precision(case: Case, architecture: Architecture, task: Task) -> None:
    """In float32 the scores are float32 and, up to its rounding, the same."""
    noise = None if case.noise is None else case.noise.float()
    batch = case.batch
    if batch.inputs.is_floating_point():
        batch = replace(batch, inputs=batch.inputs.float())
    single = replace(case, model=build(architecture, task).float(), batch=batch, noise=noise).scores()
    assert single.dtype == torch.float32, f"scores of a float32 model are {single.dtype}"
    assert near(single.double(), case.scores(), tolerance=1e-3), "scores in float32 are others"


def near(a: Tensor, b: Tensor, of: Tensor | None = None, tolerance: float = TOLERANCE) -> bool:
    """Whether two sets of scores agree to ``tolerance`` of the largest score."""
    largest = (b if of is None else of).abs().max()
    return bool((a - b).abs().max() <= tolerance * largest)
