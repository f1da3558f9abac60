"""SEAT: the objective beside its twin, what it does to attention, and its teacher."""

import json
import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.commands.audit import carry_out
from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit, Member
from holdfast.models.run import Run
from holdfast.models.text.cnn import Cnn
from holdfast.repair.seat import Seat, cross_entropy, surrogate
from holdfast.study.compare import compare_runs
from holdfast.study.engine import in_order
from holdfast.study.jobs import job_of
from holdfast.study.store import Store
from holdfast.testing.repair import check_repair
from holdfast.train.family import Family, template
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from holdfast.train.optimise import Adam
from holdfast.train.repair import Teacher
from holdfast.train.teacher import left_out
from holdfast.train.worker import fit_member
from tests.reference import adversaries
from tests.repair.attacked import CLASSES, WORDS, attacked
from tests.study.tiny import here, plan
from tests.train.cases import assert_same, both

SEEDS = (Member(0), Member(1))
DRAWN = {"repair/start": torch.rand(5, 2, generator=torch.Generator().manual_seed(4))}
weights = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7]), min_size=6, max_size=6)


@pytest.mark.parametrize(
    "text",
    [
        "seat:steps=2",
        "seat:steps=2+aswa",
        "seat:steps=1,norm=linf,renormalised=true,trained=attention,teacher=shared",
    ],
)
def test_the_contract(text):
    check_repair(make("repairs", text))


@given(weights, weights, st.integers(1, 6), st.integers(1, 9))
def test_the_surrogate_is_that_of_the_document(vanilla, own, count, k):
    exists = torch.arange(6) < count
    found = surrogate(
        torch.tensor(vanilla, dtype=torch.float64) * exists,
        torch.tensor(own, dtype=torch.float64) * exists,
        exists,
        k,
    )
    assert float(found) == pytest.approx(adversaries.surrogate(vanilla[:count], own[:count], k))


def test_positions_tied_for_the_last_place_are_in_no_top_k():
    w, own = torch.tensor([0.4, 0.2, 0.2, 0.2]), torch.tensor([0.4, 0.3, 0.1, 0.2])
    exists = torch.ones(4, dtype=torch.bool)
    assert float(surrogate(w, own, exists, 2)) == pytest.approx(0.1 / 4)
    assert float(surrogate(w, w, exists, 2)) == 0


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=2), st.lists(st.floats(-5, 5), min_size=2, max_size=2))
def test_of_two_classes_the_divergence_is_binary_cross_entropy(target, logits):
    p, q = (torch.tensor(x, dtype=torch.float64) for x in (target, logits))
    found = cross_entropy(p, q)
    assert float(found) == pytest.approx(adversaries.cross_entropy(target, logits))
    yes = p.softmax(-1)[1], q.softmax(-1)[1]
    torch.testing.assert_close(found, torch.nn.functional.binary_cross_entropy(yes[1], yes[0]))


def taught(own, other):
    return {f"teacher/{name}": tensor for name, tensor in other.run.parameters.items()}


def by_hand(seat, own, teacher, row):
    """Objective (6) of one text, from the twin's parts."""
    one, exists = own.alone(row), own.batch.mask[row]
    clean, vanilla = own.run(one), teacher.run(one)

    def predicted(delta):
        whole = torch.zeros(len(exists), dtype=torch.float64).masked_scatter(exists, delta)

        def door(w, site):
            moved = (w[0] + whole).clamp(min=0) if seat.renormalised else w[0] + whole
            return (moved / moved.sum() if seat.renormalised else moved)[None]

        return own.run(one, Edit(attention=door)).logits[0]

    def harm(delta):
        q, p = predicted(delta).log_softmax(-1), clean.logits[0].softmax(-1)
        return -sum(p[c] * q[c] for c in range(len(p)))

    maps = [[float(x) for x in trace.attention[0][0][exists]] for trace in (vanilla, clean)]
    loss = adversaries.cross_entropy(vanilla.logits[0].tolist(), clean.logits[0].tolist())
    loss += seat.lambda2 * adversaries.surrogate(*maps, seat.k)
    start = adversaries.inside(*DRAWN["repair/start"][row].tolist(), exists.tolist(), seat.radius, seat.norm)
    start = [x for x, e in zip(start, exists.tolist(), strict=True) if e]
    size = 2.5 * seat.radius / seat.steps if seat.size is None else seat.size
    way = adversaries.ascent(harm, start, seat.radius, seat.norm, seat.steps, size)
    worst = predicted(torch.tensor(way[-1], dtype=torch.float64))
    return loss + seat.lambda1 * adversaries.cross_entropy(clean.logits[0].tolist(), worst.tolist())


@pytest.mark.parametrize(
    ("settings", "task"),
    [
        ({"k": 2}, WORDS),
        ({"k": 2, "norm": "linf", "lambda1": 3.0, "lambda2": 0.5}, CLASSES),
        ({"renormalised": True, "radius": 0.3, "steps": 3, "size": 0.2}, WORDS),
    ],
)
def test_the_objective(settings, task):
    seat, own, teacher = Seat(**settings), attacked(task=task), attacked("average:hidden=4,dim=3", task)
    teacher = teacher._replace(
        run=Run(teacher.run.model, {n: t * 0.6 for n, t in teacher.run.parameters.items()})
    )
    found = seat.losses(own.run, own.batch, DRAWN, taught(own, teacher))
    for row in range(len(own.batch) - 1):  # the last has no word
        expected = by_hand(seat, own, teacher, row)
        assert float(found[row]) == pytest.approx(float(expected), rel=1e-6)


def test_a_penalty_that_is_switched_off_costs_nothing():
    own, asked = attacked(), []

    class Counting(Run):
        def decide(self, *arguments):
            asked.append(1)
            return super().decide(*arguments)

    run = Counting(own.run.model, own.run.parameters)
    seat = Seat(lambda1=0.0, lambda2=0.0)
    assert seat.draws(own.batch) == {}
    found = seat.losses(run, own.batch, {}, taught(own, own))
    assert len(asked) == 1
    torch.testing.assert_close(found, cross_entropy(*[own.run(own.batch).logits] * 2))


def test_a_detached_target_has_no_gradient_of_its_own():
    own = attacked()
    slopes = []
    for detached in (False, True):
        head = own.run.parameters["head.weight"].clone().requires_grad_()
        run = Run(own.run.model, own.run.parameters | {"head.weight": head})
        losses = Seat(detached=detached).losses(run, own.batch, DRAWN, taught(own, own))
        slopes.append(torch.autograd.grad(losses.sum(), head)[0])
    assert not torch.allclose(*slopes)


def test_members_train_together_as_each_does_alone(planted):
    assert_same(*both("cnn:filters=4,dim=8", planted, Fit(epochs=2), make("repairs", "seat:steps=2+aswa")))


FIT = Fit(epochs=8, optimiser=Adam(lr=0.01))
NETWORK = Cnn(filters=4, dim=8)


@pytest.fixture(scope="module")
def vanilla(planted):
    return Family.fit(NETWORK, planted, SEEDS, FIT)


def moved_most(family, m, batch):
    """How far random shifts of the weights move the prediction."""
    run, draw = family.run(m), torch.Generator().manual_seed(0)
    plain, worst = run(batch).logits.softmax(-1), torch.zeros(len(batch))
    for _ in range(20):
        shift = torch.randn(batch.mask.shape, generator=draw) * batch.mask
        shift = 0.5 * shift / shift.norm(dim=-1, keepdim=True).clamp(min=1e-9)
        moved = run(batch, Edit(attention=lambda w, site, shift=shift: w + shift)).logits.softmax(-1)
        worst = torch.maximum(worst, (moved - plain).abs().sum(-1) / 2)
    return float(worst.mean())


def test_predictions_stay_and_move_less_when_attention_is_moved(planted, vanilla):
    seat, split = Family.fit(NETWORK, planted, SEEDS, FIT, Seat(radius=0.5, steps=3)), planted.splits["test"]
    batch = split.batch(torch.arange(40))
    for m in range(len(SEEDS)):
        assert moved_most(seat, m, batch) < 0.8 * moved_most(vanilla, m, batch)
    far = (seat.logits(split).softmax(-1) - vanilla.logits(split).softmax(-1)).abs().sum(-1) / 2
    assert float(far.mean()) < 0.1


def test_the_attention_alone(planted, vanilla):
    family = Family.fit(
        NETWORK, planted, SEEDS, Fit(epochs=1), Seat(trained="attention", steps=1, radius=0.5)
    )
    teachers = Family.fit(NETWORK, planted, SEEDS, Fit(epochs=1))
    assert make("repairs", "seat:trained=attention+aswa").attention_alone
    for name, tensor in family.parameters.items():
        assert torch.equal(tensor, teachers.parameters[name]) == (name not in family.model.attention_names)


def test_a_shared_teacher_is_the_member_of_seed_0(planted, vanilla):
    still = Fit(epochs=1, optimiser=Adam(lr=1e-30))
    shared = Family.fit(NETWORK, planted, SEEDS, still, Seat(teacher="shared", steps=0))
    assert Seat(teacher="shared").teachers(NETWORK) == {"": Teacher(NETWORK, "none", 0)}
    first = Family.fit(NETWORK, planted, SEEDS[:1], still)
    for name, tensor in shared.parameters.items():
        for own in tensor:
            torch.testing.assert_close(own, first.parameters[name][0])
    own = Family.fit(NETWORK, planted, SEEDS, still, Seat(steps=0))
    assert not torch.allclose(own.parameters["head.weight"][1], first.parameters["head.weight"][0])


def test_a_run_trains_a_shared_teacher_once_and_students_of_its_seed_alone(tmp_path, planted):
    text = "seat:steps=1,teacher=shared"
    mine = plan(repairs=(text,), fit=Fit(epochs=1))
    own = job_of(mine, Store(tmp_path / "run"), 0, "planted", mine.models[0], text)
    ((_, teacher),) = own.teachers
    planted.save(own.data)
    stages = in_order([(own, member) for member in SEEDS])
    assert stages == [[(teacher, SEEDS[0])], [(own, SEEDS[0]), (own, SEEDS[1])]]
    for job, member in [*stages[0], *stages[1]]:
        fit_member(Job.from_json(json.loads(json.dumps(job.to_json()))), member, lambda said: None)
    assert [path.stem for path in sorted(teacher.folder.glob("seed-*.json"))] == ["seed-0"]
    assert all(own.about(member)["teacher"] == teacher.weights(SEEDS[0]) for member in SEEDS)
    teacher.keep(SEEDS[0], {}, {"best": 0, "history": [], "why": "diverged in epoch 1"})
    assert own.about(SEEDS[1]) is None, "a student of another teacher does not count"


def test_a_student_of_a_shared_teacher_that_diverged_says_whose_it_is(tmp_path, planted):
    text = "seat:teacher=shared"
    own = job_of(plan(repairs=(text,)), Store(tmp_path), 0, "planted", plan().models[0], text)
    own.teachers[0][1].keep(SEEDS[0], {}, {"best": 0, "history": [], "why": "diverged in epoch 1"})
    assert left_out(own, SEEDS[1]).why == (
        "it learns from none of seed 0, which was left out: diverged in epoch 1"
    )


def test_an_audit_and_a_comparison_in_one_sentence(tmp_path):
    run = tmp_path / "run"
    two = ("none", "seat:steps=2")
    with here():
        carry_out(plan(repairs=two, seeds=2, instances=5, explainers=("attention",)), run)
    assert "seat:steps=2" in (run / "report.html").read_text()
    sentence = compare_runs(run, run, repairs=two).sentence
    assert re.search(r"attention", sentence), sentence


@pytest.mark.parametrize("model", ["sasrec", "shallow", "deepicf"])
def test_other_models_are_refused(model):
    with pytest.raises(BadSetting) as error:
        Seat().teachers(make("models", model))
    assert str(error.value) == (
        f"seat: expected a text classifier with attention, such as bilstm, but got {model}: "
        "choose another --repair"
    )


def test_a_k_that_no_text_is_longer_than_is_refused(planted):
    longest = int(planted.splits["train"].lengths.max())
    Seat(k=longest - 1).suits(template(NETWORK, planted.task), planted)
    for repair in (Seat(k=longest), make("repairs", f"seat:k={longest}+aswa")):
        with pytest.raises(BadSetting) as error:
            Family.fit(NETWORK, planted, SEEDS, FIT, repair)
        assert str(error.value) == (
            f"seat: expected k below {longest}, the words of the longest text to train on, but got "
            f"{longest}: every word would be in the top k, so choose a smaller k"
        )


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"radius": 0.0}, "seat: expected radius above 0, but got 0.0"),
        ({"lambda1": -1.0}, "seat: expected lambda1 of at least 0, but got -1.0"),
        ({"lambda2": math.inf}, "seat: expected lambda2 of at least 0, but got inf"),
        ({"k": 0}, "seat: expected k of at least 1, but got 0"),
        ({"teacher": "my"}, "seat: expected teacher to be own or shared, but got my"),
        ({"trained": "head"}, "seat: expected trained to be all or attention, but got head"),
    ],
)
def test_bad_settings(settings, sentence):
    with pytest.raises(BadSetting) as error:
        Seat(**settings)
    assert str(error.value) == sentence
