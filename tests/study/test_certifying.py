"""SEAT's Definition 2 in an audit: its rows beside certificates that are made one by one."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.records import Member
from holdfast.data.store import load_dataset
from holdfast.measure.certificate import BALL, Definition, certified
from holdfast.models.run import Run
from holdfast.repair.ball import Ball
from holdfast.repair.seat import Seat
from holdfast.study import certifying
from holdfast.study import result as results
from holdfast.study.certifying import certificate_rows, definition_of, rows_of
from holdfast.study.findings_file import read_findings
from holdfast.study.jobs import job_of
from holdfast.study.store import Store
from holdfast.train.family import template
from holdfast.train.job import stack
from tests.study import tiny

OWN, SHARED = "seat:radius=0.3,steps=2", "seat:k=2,steps=2,teacher=shared+aswa"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certified") / "run"
    with tiny.here():
        tiny.carry_out(tiny.plan(repairs=("none", OWN, SHARED)), folder)
    return folder


@pytest.fixture(scope="module")
def rows(run):
    return read_findings(run).rows


def families(run):
    store = Store(run)
    plan, data = store.plan, load_dataset(store.data(0))
    model = plan.models_of(0)[0]
    jobs = [job_of(plan, store, 0, data.name, model, repair) for repair in plan.repairs]
    return [results.load(job, plan.members, plan.members, data) for job in jobs]


def pick(rows, quantity, repair, other, by="all"):
    return [
        row
        for row in rows
        if (row.quantity, row.repair, row.other_repair, row.by) == (quantity, repair, other, by)
    ]


def test_a_student_beside_the_certificates_of_its_members(run, rows):
    plain, own, _ = families(run)
    asked, split = Definition(replace(BALL, radius=0.3)), plain.dataset.splits["test"]
    alone = []
    for member in own.members:
        one, teacher = own.job.parameters(member), plain.job.parameters(member)
        family = certifying.Family(own.job.architecture, plain.dataset.task, (member,), stack([one]))
        taught_by = replace(family, parameters=stack([teacher]))
        alone.append(certified(family, taught_by, split, own.rows, asked))
    for quantity, name in certifying.NUMBERS.items():
        each = torch.cat([getattr(one, name) for one in alone])
        [row] = pick(rows, quantity, OWN, "none")
        assert row.value == pytest.approx(float(each.mean()), abs=1e-6)
        assert (row.n, row.at) == (3, 0.3)
        quantiles = {one.at: one.value for one in pick(rows, quantity, OWN, "none", "quantile")}
        assert quantiles[1.0] == pytest.approx(float(each.max()), abs=1e-6)
        assert quantiles[0.5] == pytest.approx(float(each.flatten().quantile(0.5)), abs=1e-6)
    examples = pick(rows, "worst_case", OWN, "none", "example")
    assert [int(row.bin) for row in examples] == own.rows.tolist()
    assert examples[3].value == pytest.approx(float(torch.cat([a.alpha_kl for a in alone])[:, 3].mean()))


def test_without_a_repair_a_model_is_its_own_teacher_in_the_ball_of_each_student(rows):
    for other, radius in ((OWN, 0.3), (SHARED, 0.1)):
        [distance] = pick(rows, "teacher_distance", "none", other)
        [overlap] = pick(rows, "teacher_overlap", "none", other)
        [worst] = pick(rows, "worst_case", "none", other)
        assert distance.value == pytest.approx(0.0, abs=1e-9)
        assert (overlap.value, worst.at) == (1.0, radius)
        assert worst.value > 0


def test_a_shared_teacher_is_one_member_for_all(run, rows):
    plain, _, shared = families(run)
    test, of = plain.dataset.splits["test"], plain.members.index(Member(0))
    model = template(plain.job.architecture, plain.dataset.task)
    teacher = plain.probabilities[of, plain.rows].log()
    kl = []
    for member in shared.members:
        batch = test.batch(shared.rows)
        own = Run(model, shared.job.parameters(member))(batch).logits.double().log_softmax(-1)
        kl.append(float((teacher.exp() * (teacher - own)).sum(-1).mean()))
    [row] = pick(rows, "teacher_distance", SHARED, "none")
    assert row.value == pytest.approx(sum(kl) / 3, rel=1e-3)
    assert pick(rows, "teacher_overlap", SHARED, "none")[0].comparison == "topk_overlap:k=2"


def test_the_worst_case_grows_with_the_radius_up_to_which_it_is_stable(rows):
    for repair, other in ((OWN, "none"), ("none", OWN)):
        by_radius = pick(rows, "worst_case", repair, other, "radius")
        assert [row.at for row in by_radius] == pytest.approx([0.075, 0.15, 0.3, 0.6])
        values = [row.value for row in by_radius]
        assert values == sorted(values)
        assert values[2] == pick(rows, "worst_case", repair, other)[0].value
        [stable] = pick(rows, "stable_radius", repair, other)
        each = [row.value for row in pick(rows, "stable_radius", repair, other, "example")]
        assert stable.value == pytest.approx(sum(each) / len(each))
        assert 0 <= stable.value <= 0.6


def test_where_random_search_finds_more_the_ascent_missed_it(run, monkeypatch):
    family = families(run)[:2]

    def weak(*arguments):
        found = certified(*arguments)
        return found._replace(ascent_kl=found.ascent_kl - 1.0)

    assert pick(certificate_rows(family), "ascent_missed", OWN, "none")[0].value == 0.0
    monkeypatch.setattr(certifying, "certified", weak)
    assert pick(certificate_rows(family), "ascent_missed", OWN, "none")[0].value > 0


def test_each_setting_is_measured_once_of_the_family_without_a_repair(run, monkeypatch):
    plain, own, _ = families(run)
    asked, heard = [], []
    measured = certifying.measured
    monkeypatch.setattr(certifying, "measured", lambda *a: asked.append(a[0].repair) or measured(*a))
    found = certificate_rows([plain, own, own], lambda done, total: heard.append((done, total)))
    assert asked == [OWN, "none", OWN]
    assert len(pick(found, "worst_case", "none", OWN)) == 2
    assert heard == [(0, 2), (1, 2), (1, 2), (2, 2)]


def test_families_that_learned_from_no_teacher_have_no_certificate():
    assert certificate_rows([tiny.family(), tiny.family(repair="aswa+temperature")]) == []


def test_a_student_is_asked_in_its_own_ball_with_enough_steps():
    seat = Seat(k=3, radius=0.2, norm="linf", steps=40, size=0.001, renormalised=True)
    assert definition_of(seat) == Definition(Ball(0.2, "linf", 40), k=3, renormalised=True)
    assert definition_of(Seat(steps=2)).ball.steps == 20


def test_of_many_rows_the_first_hundred_that_were_chosen(monkeypatch):
    family = tiny.family()
    assert rows_of(family).tolist() == family.rows.tolist()
    monkeypatch.setattr(certifying, "MOST", 5)
    few = rows_of(family).tolist()
    assert few == sorted(few)
    assert len(few) == 5
    assert set(few) <= set(family.rows.tolist())
