from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from holdfast.core.records import Member
from holdfast.measure.drawn import Drawn
from holdfast.measure.hold import hold
from holdfast.study.findings_file import read_findings
from holdfast.study.notes import coarse, notes
from holdfast.train.fit import Fit, Trained
from holdfast.train.job import Job
from tests.measure.scales import scale
from tests.study import items, tiny

COUNTS = "Of at most 20 epochs, every seed keeps the one that is best on the validation split"


@dataclass(frozen=True)
class Told(Job):
    """A job whose members' best epochs are known."""

    best: tuple[int, ...] = ()

    def note(self, member: Member, kind: str = "") -> dict:
        return {"best": self.best[member.seed]}


def said(*best: int, repair: str = "none", fit: Fit = Fit(), data: str = "planted") -> list[str]:  # noqa: B008
    """The notes on the training of two families."""
    own = tiny.family(members=len(best), repair=repair)
    job = Told(Path("nowhere"), Path("nowhere"), "cnn", repair, fit, best=best)
    families = [replace(own, job=job), replace(own, job=replace(job, best=(4,) * len(best)), data=data)]
    found = notes(families, tiny.plan(fit=fit))
    return [note for note in found if "epoch" in note]


def test_the_best_epochs_are_said() -> None:
    assert said(3, 2, 7) == [f"{COUNTS}: epoch 2 to 7 for cnn and epoch 4 for cnn."]
    (told,) = said(3, 2, 7, repair="aswa", data="mine")
    assert (
        told == f"{COUNTS}: epoch 2 to 7 for cnn with aswa on planted and epoch 4 for cnn with aswa on mine."
    )


def test_a_first_epoch_that_was_the_best_is_pointed_out() -> None:
    assert said(1, 3, 1)[1:] == [
        "Training of cnn stopped improving after the first epoch in 2 of 3 seeds: if they are not "
        "good enough, try a smaller learning rate (--optimiser) or more data."
    ]


@pytest.mark.parametrize(
    "about", [{"repair": "swa"}, {"fit": Fit(last=True)}, {"fit": Fit(epochs=1)}], ids=["swa", "last", "one"]
)
def test_where_the_last_epoch_counts_nothing_is_said(about: dict) -> None:
    assert said(1, 1, 1, **about) == []


def test_seeds_that_a_gpu_stacked_in_parts_are_said(tmp_path: Path) -> None:
    own = tiny.family(members=3)
    job = Job(tmp_path, Path("nowhere"), "cnn", "none", Fit())
    for parts in (((0, 1, 2),), ((0, 1), (2,))):
        for members in (tuple(map(Member, part)) for part in parts):
            for member in members:
                job.keep_trained(Trained(member, {}, 1, (), torch.empty(0)), {}, members)
        told = [note for note in notes([replace(own, job=job)], tiny.plan()) if "stacked" in note]
        if len(parts) == 1:
            assert told == []
    said = "Seeds were stacked in parts, as the run grew or as memory allowed: seeds 0 to 1 and seed 2."
    assert told == [said]


def test_that_no_true_class_was_explained_is_said() -> None:
    known = tiny.family()
    wrong = replace(known, target=1 - known.targets[known.rows])
    told = f"{known.model}: no explained class is the true one, so nothing is compared with the known truth."
    assert told in notes([wrong], tiny.plan())
    assert told not in notes([known], tiny.plan())


def test_a_finished_run_has_them() -> None:
    found = read_findings(items.finished()).notes
    assert (
        sum(note.startswith("Of at most 2 epochs, every seed keeps the one that is best") for note in found)
        == 1
    )
    assert len(set(found)) == len(found)


def test_the_rule_that_a_model_chose_is_said() -> None:
    known = tiny.family()
    explained = next(iter(known.explanations.values()))
    for model, rule in (("gru", "epsilon"), ("cnn", "alphabeta")):
        job = Told(Path("nowhere"), Path("nowhere"), model, "none", Fit(), best=(1,) * len(known.members))
        asked = {"lrp": explained, "lrp:rule=gamma": explained, "gradient": explained}
        family = replace(known, job=job, model=model, explanations=asked)
        told = [note for note in notes([family], tiny.plan()) if " ran as " in note]
        assert told == [f"lrp ran as lrp:rule={rule} on {model}."]


@dataclass(frozen=True)
class Tempered(Told):
    """A job whose members' temperatures are known."""

    def parameters(self, member: Member) -> dict:
        return {"temperature": torch.tensor((1.0, 1.25, 2.5)[member.seed])}


def test_the_temperatures_are_said_and_how_many_stayed() -> None:
    own = tiny.family(members=3, repair="aswa+temperature")
    job = Tempered(Path("nowhere"), Path("nowhere"), "cnn", "aswa+temperature", Fit(), best=(1, 1, 1))
    assert (
        "Temperature of cnn (aswa+temperature): 1.00 to 2.50 over seeds; it stayed 1 in 1 of 3 seeds: their "
        "validation answers name no best one."
    ) in notes([replace(own, job=job)], tiny.plan())


def test_scores_that_miss_too_much_are_counted() -> None:
    """Those of explainers that promise a bound; rules promise none."""
    own = tiny.family(names=("integrated_gradients", "lrp"))
    total = torch.ones(4, 12).double()
    lost = torch.zeros(4, 12).double()
    lost[0, 3], lost[2, 5], lost[2, 6] = 0.2, -0.06, 0.04
    explanations = {
        name: replace(e, scores=(total - lost)[..., None] * e.mask / e.mask.sum(1)[:, None], lost=lost)
        for name, e in own.explanations.items()
    }
    (told,) = [n for n in notes([replace(own, explanations=explanations)], tiny.plan()) if "add up" in n]
    assert told == (
        "integrated gradients of cnn: the scores of 2 of 48 explanations miss more than 5 % of what "
        "they should add up to."
    )


@pytest.mark.parametrize(("spread", "said"), [(0.001, False), (0.5, True)])
def test_that_few_untrained_networks_leave_a_hold_uncertain_is_said(spread: float, said: bool) -> None:
    dice = torch.Generator().manual_seed(0)
    near, far = (torch.rand(10, 40, generator=dice) + by for by in (0.1, 0.8))
    plain = scale(near, untrained=far)
    each = torch.stack([torch.ones(40), torch.full((40,), 1 + spread)])
    table = plain.impostors["untrained"]._replace(drawn=Drawn(each, torch.zeros(40, dtype=torch.long)))
    one = replace(plain, impostors={"untrained": table})
    family, evidence = SimpleNamespace(model="cnn", repair="none"), SimpleNamespace(scales={"gradient": one})
    error = hold(one).against[0].drawn
    assert (error > 0.01) == said
    sentence = (
        "gradient of cnn (none): other untrained networks would change the hold against untrained "
        f"by ± {error:.2f} (standard error), which its interval includes."
    )
    assert coarse([family], [evidence]) == [sentence] * said
