"""Perturbed examples: explained by every member, judged, and grown by."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from holdfast.commands.audit import carry_out
from holdfast.core.catalogue import make
from holdfast.core.draws import generator
from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit, Member
from holdfast.data.perturb.split import PerturbedSplit
from holdfast.data.source import Source
from holdfast.data.store import load_dataset
from holdfast.models.run import Run
from holdfast.study.digests import with_digests
from holdfast.study.findings_file import read_findings
from holdfast.study.growth import holds
from holdfast.study.perturbing import flips, survivals_of
from holdfast.study.plan import Plan
from holdfast.study.result import FamilyResult
from holdfast.study.run import run_study
from holdfast.study.store import locked_run
from holdfast.train import explaining
from holdfast.train.family import template
from holdfast.train.fit import Fit
from tests.study import items
from tests.study.test_growth import counted
from tests.study.tiny import contents, here, plan

SOME = ("gradient", "random")
BOTH = ("dropped:count=2", "typos")


def small(**changes: Any) -> Plan:
    return plan(**({"seeds": 2, "instances": 20, "explainers": SOME} | changes))


def carried(own: Plan, run: Path) -> None:
    with here():
        carry_out(own, run)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run without perturbations. Look, do not touch."""
    run = tmp_path_factory.mktemp("plain") / "run"
    carried(small(), run)
    return run


@pytest.fixture(scope="module")
def perturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, perturbed from the start, with another seed. Look, do not touch."""
    run = tmp_path_factory.mktemp("perturbed") / "run"
    carried(small(seeds=3, perturbations=BOTH), run)
    return run


def families(own: Plan, run: Path) -> FamilyResult:
    """The only family of a finished run."""
    own = with_digests(own, None, False, run)
    with here(), locked_run(run, own, fresh=False) as store:
        (family,) = run_study(own, store)
    return family


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> FamilyResult:
    """A family of recommenders whose histories were changed in three ways."""
    changes = ("dropped", "repeated", "swapped")
    own = Plan(
        (Source(items.DATA),),
        (items.MODEL,),
        seeds=3,
        explainers=("leave_one_out", "rollout"),
        fit=Fit(epochs=2, batch=32),
        instances=20,
        perturbations=changes,
    )
    run = shutil.copytree(items.finished(), tmp_path_factory.mktemp("plays") / "run", symlinks=True)
    return families(own, run)


def test_a_run_grown_by_perturbations_is_one_that_began_with_them(
    plain: Path, perturbed: Path, tmp_path: Path
) -> None:
    run = shutil.copytree(plain, tmp_path / "run", symlinks=True)
    carried(small(perturbations=BOTH[:1], instances=6), run)
    carried(small(seeds=3, perturbations=BOTH), run)
    assert contents(run) == contents(perturbed)


def test_nothing_is_trained_or_explained_again(plain: Path, tmp_path: Path) -> None:
    run = shutil.copytree(plain, tmp_path / "run", symlinks=True)
    before = {name: data for name, data in contents(run).items() if name.startswith(("families", "data"))}
    with counted() as asked:
        carried(small(perturbations=BOTH[:1]), run)
    assert asked == [("Gradient", 20)] * 2, "both members, and neither random scores nor untrained networks"
    assert before.items() <= contents(run).items()
    with counted() as asked:
        carried(small(), run)
    assert asked == []
    assert holds(read_findings(run).notes) == "This run also holds explanations under dropped:count=2."


def test_the_question_is_asked_only_where_somebody_asked(plain: Path, perturbed: Path) -> None:
    names = [
        [
            question["name"]
            for question in json.loads((run / "verdict.json").read_text())["rows"][0]["questions"]
        ]
        for run in (plain, perturbed)
    ]
    assert names[0] == ["learned", "says", "survives", "matters", "calibrated"]
    assert names[1] == ["learned", "says", "survives", "survives_change", "matters", "calibrated"]
    rows = [row for row in read_findings(perturbed).rows if row.by == "perturbation"]
    assert {row.bin for row in rows} == set(BOTH)
    assert {row.quantity for row in rows} >= {"hold_change", "flips"}
    assert {row.explainer for row in rows} == {"gradient"}
    assert "survives a change" in (perturbed / "report.html").read_text()
    assert "survives a change" not in (plain / "report.html").read_text()


def test_every_member_explains_the_same_changed_words(perturbed: Path) -> None:
    own = small(seeds=3, perturbations=BOTH)
    family = families(own, perturbed)
    changed = family.changed["typos"]
    data = load_dataset(perturbed / "data-0.safetensors")
    made = make("perturbations", "typos").perturb(data.splits["test"].batch(family.rows), data)
    assert torch.equal(changed.split.inputs, made.batch.inputs)
    model = template(family.job.architecture, data.task)
    for m, member in enumerate(family.members):
        run = Run(model, family.job.parameters(member))
        scores = make("explainers", "gradient").scores(run, made.batch, family.target)
        assert torch.allclose(changed.scores["gradient"][m], scores.detach(), atol=1e-6)
    kept = family.only(family.members[1:])
    assert torch.equal(kept.changed["typos"].scores["gradient"], changed.scores["gradient"][1:])
    assert family.at(family.rows[:2]).changed == {}


def test_flips_are_counted_member_by_member(perturbed: Path) -> None:
    own = small(seeds=3, perturbations=BOTH)
    family = families(own, perturbed)
    split = family.changed[BOTH[0]].split
    found = flips(family, split)
    model = template(family.job.architecture, family.dataset.task)
    for m, member in enumerate(family.members):
        run = Run(model, family.job.parameters(member))
        for k, row in enumerate(family.rows):
            guesses = [
                int(run.rank(one.batch(row[None])).argmax()) for one in (family.dataset.splits["test"], split)
            ]
            assert bool(found[m, k]) == (guesses[0] != guesses[1])


NOISE = "noise:radius=0.3"
SEES = ("gradient", "gradient_input", "leave_one_out", "attention", "random")


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Plan]:
    """A run under noise, of two repairs, with its plan. Look, do not touch."""
    run = tmp_path_factory.mktemp("noisy") / "run"
    own = small(repairs=("none", "aswa"), explainers=SEES, perturbations=(NOISE,))
    carried(own, run)
    return run, own


def test_noise_on_vectors_is_seen_by_every_explainer_and_is_the_same_for_all(
    noisy: tuple[Path, Plan],
) -> None:
    run, own = noisy
    with here(), locked_run(run, own := with_digests(own, None, False, run), fresh=False) as store:
        both = run_study(own, store)
    data, shifts = both[0].dataset, []
    whole = data.splits["test"].batch(both[0].rows)
    rng = [generator(None, "perturb noise", row) for row in both[0].rows.tolist()]
    shift = torch.zeros(*whole.mask.shape, 8)
    for k, mask in enumerate(whole.mask):
        shift[k, mask] = 0.3 * (2 * torch.rand((int(mask.sum()), 8), generator=rng[k]) - 1)
    for family in both:
        changed = family.changed[NOISE]
        assert set(changed.scores) == set(SEES) - {"random"}
        shifts.append(changed.split.batch(family.rows).shift)
        model = template(family.job.architecture, data.task)
        for m, member in enumerate(family.members):
            net = Run(model, family.job.parameters(member))
            vectors = net.embed(whole) + shift
            plain = net.explained(net(whole, Edit(embedded=vectors)).logits, family.target)
            for k, t in whole.mask.nonzero()[::7].tolist():
                mask = whole.mask.clone()
                mask[k, t] = False
                fewer = net(replace(whole, mask=mask), Edit(embedded=vectors * mask[..., None]))
                left = net.explained(fewer.logits, family.target)
                wanted = float(plain[k] - left[k])
                assert float(changed.scores["leave_one_out"][m, k, t]) == pytest.approx(wanted, abs=1e-4)
            maps = net(whole, Edit(embedded=vectors)).attention[0]
            assert torch.allclose(changed.scores["attention"][m], maps, atol=1e-5)
            before = family.explanations["gradient"].scores[m]
            assert not torch.allclose(changed.scores["gradient"][m], before, atol=1e-3)
        found = flips(family, changed.split)
        guess = net(whole, Edit(embedded=vectors)).logits.argmax(-1)
        assert torch.equal(found[-1], guess != net(whole).logits.argmax(-1))
    assert torch.equal(*shifts)
    assert torch.allclose(shifts[0], shift)


def test_a_run_under_noise_grows_and_says_so(noisy: tuple[Path, Plan], tmp_path: Path) -> None:
    run, own = noisy
    begun = tmp_path / "run"
    carried(replace(own, perturbations=()), begun)
    carried(own, begun)
    assert contents(begun) == contents(run)
    asked = json.loads((run / "verdict.json").read_text())["rows"][0]["questions"]
    assert "survives_change" in [question["name"] for question in asked]
    page = (run / "report.html").read_text()
    assert "on the vectors of a text" in page


def test_histories_under_noise_are_compared_in_place(tmp_path: Path) -> None:
    own = Plan(
        (Source(items.DATA),),
        (items.MODEL,),
        seeds=3,
        explainers=("leave_one_out", "rollout"),
        fit=Fit(epochs=2, batch=32),
        instances=20,
        perturbations=("noise:norm=l2,radius=2.0",),
    )
    family = families(own, shutil.copytree(items.finished(), tmp_path / "run", symlinks=True))
    (changed,) = family.changed.values()
    batch = changed.split.batch(family.rows)
    assert torch.allclose(batch.shift.flatten(1).norm(dim=1), torch.tensor(2.0))
    assert not batch.shift[~batch.mask].any()
    for name, scores in changed.scores.items():
        assert not torch.allclose(scores, family.explanations[name].scores, atol=1e-4)
        laid, common = changed.split.laid_over(scores)
        assert torch.equal(laid, torch.where(common, scores, 0.0))
        assert torch.equal(common, family.mask)


def test_histories_are_compared_item_by_item(plays: FamilyResult) -> None:
    assert list(plays.changed) == ["dropped", "repeated", "swapped"]
    found = survivals_of(plays)
    assert list(found) == ["leave_one_out", "rollout"]
    for name, survivals in found.items():
        for survival in survivals:
            changed = plays.changed[survival.perturbation]
            k = int(survival.known.nonzero()[3])
            place = changed.split.place[k].tolist()
            common = [t for t, now in enumerate(place) if now >= 0]
            before = plays.explanations[name].scores[1, k, common].double()
            after = changed.scores[name][1, k, [place[t] for t in common]].double()
            if plays.explanations[name].signed:
                before, after = (
                    torch.cat([own.clamp(min=0), (-own).clamp(min=0)]) for own in (before, after)
                )
            shares = [own.abs() / own.abs().sum() for own in (before, after)]
            apart = float((shares[0] - shares[1]).abs().sum() / 2)
            assert float(survival.near[1, k]) == pytest.approx(apart, abs=1e-5)
    again = PerturbedSplit.of(
        "swapped", plays.dataset, plays.dataset.splits["test"], plays.rows[3:9]
    )  # of other rows, as a smaller run has them
    assert torch.equal(again.inputs, plays.changed["swapped"].split.inputs[3:9])


def test_an_explainer_that_fails_on_changed_inputs_is_named(
    perturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, run = small(seeds=3, perturbations=BOTH), shutil.copytree(perturbed, tmp_path / "run", symlinks=True)
    family = families(own, run)
    replace(family.job, change="typos").path(Member(0), "gradient@typos").unlink()

    def broken(*args: Any) -> Any:
        raise ValueError("no such word")

    monkeypatch.setattr(explaining, "scored", broken)
    again = families(own, run)
    assert again.failed == {"gradient under typos": "ValueError: no such word"}
    assert again.changed["typos"].scores == {}


@pytest.mark.parametrize("text", ["dropped:count=500", "swapped", "neighbours", "synonyms"])
def test_what_cannot_be_is_refused_before_anything_is_trained(
    plain: Path, tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_DATA", str(tmp_path))
    run = shutil.copytree(plain, tmp_path / "run", symlinks=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(Exception, match=text.partition(":")[0]) as caught:
        carried(small(seeds=3, perturbations=(text,)), run)
    assert getattr(caught.value, "exit_code", 1) == 2
    assert contents(run) == contents(plain)
    with pytest.raises(BadSetting, match="expected each perturbation once"):
        small(perturbations=("typos", "typos"))
