"""Pre-training: a student starts from finished members of other models, which are trained first and once."""

import json
import shutil

import pytest
import torch

from holdfast.commands.audit import carry_out
from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.core.settings import label
from holdfast.data.base import Task
from holdfast.data.source import Source
from holdfast.models.interaction.deepicf import Deepicf
from holdfast.models.interaction.fism import Fism
from holdfast.models.interaction.gmf import Gmf
from holdfast.models.interaction.ncf import Ncf
from holdfast.models.interaction.neumf import Neumf
from holdfast.repair.pretrained import Pretrained
from holdfast.study.engine import in_order
from holdfast.study.jobs import job_of
from holdfast.study.plan import Plan
from holdfast.study.store import Store
from holdfast.testing.repair import check_repair
from holdfast.testing.training import check_first
from holdfast.train.composed import Composed
from holdfast.train.family import Family, fit_all, initial
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from holdfast.train.loop import train
from holdfast.train.optimise import Sgd
from holdfast.train.repair import Nothing, Repair, Teacher
from holdfast.train.teacher import taught
from holdfast.train.timing import member_seconds
from tests.study.test_engine import gpu  # noqa: F401
from tests.study.tiny import contents, here
from tests.test_cli import spawn, until
from tests.test_kill import done, kill, needs_proc
from tests.train.cases import assert_same, both, doubles

SEEDS = (Member(0), Member(1))
FIT = Fit(epochs=1, batch=32)
DEEPICF, FISM = Deepicf(dim=4, hidden=3, layers=(5,), negatives=2), Fism(dim=4, negatives=2)
NEUMF = Neumf(dim=4, width=3, layers=(5, 2), negatives=2)
GMF, NCF = Gmf(dim=4, negatives=2), Ncf(dim=3, layers=(5, 2), negatives=2)
WRITTEN = "deepicf:dim=4,negatives=2,hidden=3,layers=5"


def test_the_contract():
    check_repair(Pretrained())
    check_repair(make("repairs", "pretrained+aswa"))
    for model in (DEEPICF, NEUMF):
        check_first(Pretrained(), model, Task(9, (), length=5, users=4))


def test_who_teaches_has_the_settings_of_the_student():
    assert Pretrained().teachers(DEEPICF) == {"fism": Teacher(FISM, "none")}
    assert Pretrained().teachers(NEUMF) == {"gmf": Teacher(GMF, "none"), "ncf": Teacher(NCF, "none")}
    assert make("repairs", "pretrained+aswa").teachers(DEEPICF) == Pretrained().teachers(DEEPICF)


@pytest.mark.parametrize("model", ["fism", "gmf", "sasrec:dim=4", "gru4rec"])
def test_other_models_are_refused(plays, model):
    sentence = r"^pretrained: expected deepicf or neumf, but got \w+: choose another --repair$"
    with pytest.raises(BadSetting, match=sentence):
        Family.fit(make("models", model), plays, SEEDS, FIT, Pretrained())


def by_hand(plays, student, first, repair):
    """Members trained from these first weights, without a teacher."""
    start = Family.init(student, plays.task, SEEDS).parameters | first
    model, trained = Family.init(student, plays.task, SEEDS).model, []
    for m, member in enumerate(SEEDS):
        one = {name: tensor[m : m + 1] for name, tensor in start.items()}
        trained += train(model, one, plays, (member,), FIT, repair)
    return Family.of(student, plays.task, trained)


def assert_equal(one, other):
    assert one.members == other.members
    for name, tensor in other.parameters.items():
        assert torch.equal(one.parameters[name], tensor), name


@pytest.mark.parametrize("joined", ["none", "aswa", "class_balanced"])
def test_deepicf_starts_from_the_vectors_of_fism(plays, joined):
    text = "pretrained" if joined == "none" else f"pretrained+{joined}"
    family = Family.fit(DEEPICF, plays, SEEDS, FIT, make("repairs", text))
    fism = Family.fit(FISM, plays, SEEDS, FIT).parameters
    first = {name: fism[name] for name in fism if name.startswith("embedding")}
    assert len(first) == 3
    assert_equal(family, by_hand(plays, DEEPICF, first, make("repairs", joined)))
    assert_equal(Family.fit(DEEPICF, plays, SEEDS[1:], FIT, make("repairs", text)), family.select(SEEDS[1:]))


def test_neumf_starts_from_gmf_and_ncf(plays):
    gmf, ncf = (Family.fit(model, plays, SEEDS, FIT).parameters for model in (GMF, NCF))
    first = {f"factors.{name}": gmf[name] for name in ("embedding_user.weight", "embedding_item.weight")}
    names = [name for name in ncf if name != "temperature" and not name.startswith("last")]
    first |= {f"tower.{name}": ncf[name] for name in names}
    first["last.weight"] = torch.cat([0.5 * gmf["last.weight"], 0.5 * ncf["last.weight"]], 2)
    first["last.bias"] = 0.5 * gmf["last.bias"] + 0.5 * ncf["last.bias"]
    assert first.keys() | {"temperature"} == Family.init(NEUMF, plays.task, SEEDS).parameters.keys()
    assert_equal(Family.fit(NEUMF, plays, SEEDS, FIT, Pretrained()), by_hand(plays, NEUMF, first, Nothing()))


@pytest.mark.parametrize(
    "device",
    [
        "cpu",
        pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")),
    ],
)
def test_training_starts_from_the_teacher_on_the_device(plays, device):
    """With steps that move nothing, a student ends where its teacher was."""
    weights = [{n: 2 * t for n, t in initial(FISM, plays.task, member).items()} for member in SEEDS]
    still = Fit(epochs=1, batch=32, optimiser=Sgd(lr=1e-30))
    about = (DEEPICF, plays, SEEDS, still, Pretrained(), device, lambda progress: None, None)
    chunks = fit_all(*about, {"fism": lambda member: weights[member.seed]})
    trained = [one for chunk in chunks for one in chunk]
    assert [one.member for one in trained] == list(SEEDS)
    for one, teacher in zip(trained, weights, strict=True):
        assert one.parameters["embedding.weight"].device.type == device
        for name in ("embedding.weight", "embedding_target.weight", "embedding_bias.weight"):
            torch.testing.assert_close(one.parameters[name].cpu(), teacher[name])
        drawn = initial(DEEPICF, plays.task, one.member)["energy"]
        torch.testing.assert_close(one.parameters["energy"].cpu(), drawn)


def test_before_training_neumf_scores_the_mean_of_both(plays):
    """h = ½ [h_gmf, h_ncf]: the log-odds are the mean of theirs."""
    models = {"gmf": GMF, "ncf": NCF}
    weights = {name: Family.init(model, plays.task, SEEDS[:1]) for name, model in models.items()}
    student = Family.init(NEUMF, plays.task, SEEDS[:1])
    given = {name: family.parameters_of(SEEDS[0]) for name, family in weights.items()}
    begun = Pretrained().first(taught(student.parameters_of(SEEDS[0]), given), student.model)
    split = plays.splits["test"]
    own = Family(
        NEUMF, plays.task, SEEDS[:1], {name: begun[name][None] for name in student.parameters}
    ).logits(split)
    mean = (weights["gmf"].logits(split) + weights["ncf"].logits(split)) / 2
    torch.testing.assert_close(own, mean)


@pytest.mark.parametrize(
    ("student", "teachers"), [(DEEPICF, {"fism": FISM}), (NEUMF, {"gmf": GMF, "ncf": NCF})]
)
def test_members_train_together_as_each_does_alone(plays, student, teachers):
    first = {name: doubles(label(teacher), plays.task) for name, teacher in teachers.items()}
    start = taught(doubles(label(student), plays.task), first)
    for text in ("pretrained", "pretrained+class_balanced"):
        assert_same(*both(label(student), plays, Fit(epochs=2, batch=32), make("repairs", text), start))


def test_one_name_is_one_teacher():
    class Other(Repair):
        name = "other"

        def teachers(self, model):
            return {"fism": Teacher(Fism(dim=9), "none")}

    with pytest.raises(BadSetting, match=r"expected one teacher called 'fism', but got two$"):
        Composed((Pretrained(), Other())).teachers(DEEPICF)


DATA = "planted-plays:users=80,length=12"
ABOUT = {"seeds": 2, "explainers": ("leave_one_out",), "fit": FIT, "instances": 10}


def plan(**changes):
    return Plan(
        **({"data": (Source(DATA),), "models": (WRITTEN,), "repairs": ("pretrained",)} | ABOUT | changes)
    )


def job(run, model=WRITTEN, repair="pretrained"):
    return job_of(plan(), Store(run), 0, "planted-plays:users=80", model, repair)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A run of students whose plan lacks fism. Look, do not touch."""
    run = tmp_path_factory.mktemp("alone") / "run"
    with here():
        carry_out(plan(), run)
    return run


def members_of(own):
    return {name: data for name, data in contents(own.folder).items() if name.startswith("seed-")}


def test_fism_is_trained_first_and_not_reported(alone, plays):
    own = job(alone)
    ((name, teacher),) = own.teachers
    assert (name, teacher.model, teacher.repair) == ("fism", "fism:dim=4,negatives=2", "none")
    assert Job.from_json(json.loads(json.dumps(own.to_json()))) == own
    assert len(members_of(teacher)) == 2 * len(SEEDS)
    assert teacher.model not in (alone / "report.html").read_text()
    family = Family.fit(make("models", WRITTEN), plays, SEEDS, FIT, Pretrained())
    for member in SEEDS:
        for key, tensor in family.parameters_of(member).items():
            assert torch.equal(own.parameters(member)[key], tensor), key


def test_fism_in_the_plan_is_trained_once_and_reported(tmp_path, alone):
    run, fism = tmp_path / "run", job(alone).teachers[0][1].model
    without = (f"{fism} with pretrained", f"{WRITTEN} with none")
    with here():
        carry_out(plan(models=(WRITTEN, fism), repairs=("pretrained", "none"), without=without), run)
    assert len(list((run / "families").iterdir())) == 2
    for model, repair in ((WRITTEN, "pretrained"), (fism, "none")):
        assert members_of(job(run, model, repair)) == members_of(job(alone, model, repair))
    assert fism in (run / "report.html").read_text()


def test_both_teachers_come_a_stage_before(tmp_path):
    student = job(tmp_path, "neumf:dim=4,negatives=2,width=3,layers=5+2")
    gmf, ncf = (teacher for _, teacher in student.teachers)
    assert student.lineage == (gmf, ncf, student)
    stages = in_order([(student, SEEDS[0]), (job(tmp_path, gmf.model, "none"), SEEDS[0])])
    assert stages == [[(gmf, SEEDS[0]), (ncf, SEEDS[0])], [(student, SEEDS[0])]]


def test_it_is_timed_with_teachers_of_another_shape(tmp_path, plays):
    for model in (WRITTEN, "neumf:dim=4,negatives=2,width=3,layers=5+2"):
        assert member_seconds(job(tmp_path, model), plays, 4)[0] > 0


def test_an_audit_of_another_model_is_refused_before_there_is_a_run(tmp_path):
    with pytest.raises(BadSetting, match=r"^pretrained: expected deepicf or neumf, but got fism"):
        carry_out(plan(models=(WRITTEN, "fism")), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_grows_by_seeds(tmp_path, alone):
    run, fresh = tmp_path / "run", tmp_path / "fresh"
    shutil.copytree(alone, run)
    before = {path: path.stat().st_mtime_ns for path in run.glob("families/*/seed-*")}
    with here():
        carry_out(plan(seeds=3), run)
        carry_out(plan(seeds=3), fresh)
    assert len(before) == 2 * 2 * len(SEEDS)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert contents(run) == contents(fresh)


def test_stacked_and_without_one_of_two_teachers(tmp_path, gpu, plays, monkeypatch):  # noqa: F811
    own, order = job(tmp_path, "neumf:dim=4,negatives=2,width=3,layers=5+2"), []
    (_, gmf), (_, ncf) = own.teachers
    plays.save(own.data)
    ncf.keep(Member(1), {}, {"best": 0, "history": [], "why": "diverged in epoch 1"})

    def on_the_cpu(model, data, members, fit, repair, device, *more):
        order.append((type(model), members))
        return fit_all(model, data, members, fit, repair, "cpu", *more)

    monkeypatch.setattr("holdfast.study.engine.fit_all", on_the_cpu)
    gpu.fit([(own, member) for member in SEEDS], {own.data: plays})
    assert order == [(Gmf, SEEDS), (Ncf, SEEDS[:1]), (Neumf, SEEDS[:1])]
    assert (
        own.why(Member(1)) == "it learns from ncf of the same seed, which was left out: diverged in epoch 1"
    )
    family = Family.fit(NEUMF, plays, SEEDS[:1], FIT, Pretrained())
    for name, tensor in own.parameters(SEEDS[0]).items():
        assert torch.equal(tensor, family.parameters[name][0]), name
    assert own.about(SEEDS[0]) is not None
    assert own.about(SEEDS[0])["teacher/gmf"] == gmf.weights(SEEDS[0])
    tensors, note = ncf.tensors(SEEDS[0]), ncf.note(SEEDS[0])
    ncf.keep(SEEDS[0], {name: tensor * 2 for name, tensor in tensors.items()}, note)
    assert own.about(SEEDS[0]) is None, "a student of another teacher does not count"


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("moment", ["*fism*/seed-0.json", "*fism*/seed-1.json", "*pretrained/seed-0.json"])
def test_killed_at_any_moment(tmp_path, moment):
    run, words = tmp_path / "run", ["audit", DATA, "--model", WRITTEN, "--repair", "pretrained"]
    words += ["--seeds", "2", "--epochs", "1", "--instances", "10", "--explainer", "leave_one_out"]
    words += ["--device", "cpu", "--workers", "2", "--out", "run"]
    process = spawn(*words, cwd=tmp_path)
    until(lambda: list(run.glob(f"families/{moment}")), process)
    kill(process)
    kept = done(run)
    out, err = (process := spawn(*words, cwd=tmp_path)).communicate(timeout=300)
    assert process.returncode == 0, (out, err)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    with here():
        carry_out(Store(run).plan, tmp_path / "undisturbed")
    assert contents(run) == contents(tmp_path / "undisturbed")
