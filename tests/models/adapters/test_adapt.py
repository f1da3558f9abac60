"""From a module, or from state dicts of it, to a report."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

import holdfast
from holdfast.core.admit import admit
from holdfast.core.catalogue import make
from holdfast.core.errors import BadData, BadRun, BadSetting
from holdfast.core.outside import part_of
from holdfast.core.records import Member
from holdfast.models.adapters.adapt import adapt, family, fitted
from holdfast.models.base import Architecture
from holdfast.study.findings_file import read_findings
from tests.core.outsider import forgotten
from tests.models.adapters.modules import TWO, Attends, Masked
from tests.study.tiny import here

PLANTED = "planted:train=40,validation=10,test=10"
FILE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, vocabulary, classes):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, 8)
        self.out = nn.Linear(8, classes)

    def forward(self, ids, mask):
        return self.out((self.emb(ids).tanh() * mask[..., None]).sum(1))
"""


@pytest.fixture(autouse=True)
def _alone(tmp_path, monkeypatch):
    with forgotten():
        monkeypatch.chdir(tmp_path)
        yield


def checkpoints(count=3, make=Masked, classes=2):
    """State dicts of modules that know that 4 speaks for the second class, and 9 for the first."""
    files = []
    for seed in range(count):
        torch.manual_seed(seed)
        module = make(12, classes)
        with torch.no_grad():
            module.emb.weight[4], module.emb.weight[9] = 2.0, -2.0
            module.out.weight[:2] = torch.tensor([[-1.0], [1.0]]) + 0.1 * torch.randn(2, 6)
        save_file(module.state_dict(), f"{seed}.safetensors")
        files.append(f"{seed}.safetensors")
    return files


def texts(count=40):
    draw = torch.Generator().manual_seed(1)
    ids = torch.randint(1, 4, (count, 6), generator=draw)
    labels = torch.arange(count) % 2
    ids[torch.arange(count), torch.randint(0, 4, (count,), generator=draw)] = torch.where(labels > 0, 4, 9)
    mask = torch.arange(6) < torch.randint(4, 7, (count, 1), generator=draw)
    return {"ids": ids, "mask": mask, "label": labels.tolist()}


def test_state_dicts_are_a_family_and_end_in_a_report():
    data = texts()
    words = [[f"word {one}" for one in row] for row in data["ids"].tolist()]
    own = holdfast.family(Masked(), checkpoints(), embedding="emb", attention="attn")
    answer = holdfast.audit(data | {"tokens": words}, own, classes=["bad", "good"], device="cpu", out="run")
    found = read_findings(Path("run"))
    assert {row.explainer for row in answer.answer.rows} == {*own.explainers} - {"random"}
    assert found.answer.members.trained == 3
    assert found.answer.quality["mean"] > 0.8
    assert {example.label for example in found.examples} <= {"bad", "good"}
    assert all(word.startswith("word ") for example in found.examples for word in example.tokens)
    told = " ".join(found.notes)
    assert "Nothing is trained, so every row is a test row." in told
    assert (
        "was trained here: seed 0 is 0.safetensors, seed 1 is 1.safetensors and seed 2 is 2.safetensors."
        in told
    )
    assert "Of Masked, a deleted word is hidden by the mask." in told
    assert "Trained on the CPU" not in told
    assert found.command.endswith("# in Python only (holdfast.audit): no other program can import "
                                  "tests.models.adapters.modules:Masked")  # fmt: skip
    assert Path("run/report.html").stat().st_size > 10_000
    plan = json.loads(Path("run/plan.json").read_text())
    assert plan["seeds"] == 3
    assert plan["data"][0]["whole"]
    saved = Path("run").rglob("seed-1.safetensors")
    assert any(saved)
    before = (Path("run") / "manifest.json").read_bytes()
    again = holdfast.family(Masked(), ["0.safetensors", "1.safetensors", "2.safetensors"], "emb", "attn")
    holdfast.audit(data | {"tokens": words}, again, classes=["bad", "good"], device="cpu", out="run")
    assert (Path("run") / "manifest.json").read_bytes() == before, "the same call again resumes"


def test_other_files_are_another_plan():
    files = checkpoints()
    one, other = (family(Masked(), some, "emb") for some in (files[:2], files[1:]))
    assert part_of(type(one)).sha256 != part_of(type(other)).sha256
    assert part_of(type(one)).sha256 == part_of(type(family(Masked(), files[:2], "emb"))).sha256


def test_members_are_the_files():
    files = checkpoints()
    own = family(Masked(), files)
    weights = own.weights(TWO, Member(1))
    assert weights.keys() == own.build(TWO).tensors().keys()
    torch.manual_seed(1)
    plain = Masked().state_dict()
    assert torch.equal(weights["module.score.weight"], plain["score.weight"])
    state = torch.random.get_rng_state()
    own.weights(TWO, Member(0))
    assert torch.equal(torch.random.get_rng_state(), state)


def test_what_no_layer_draws_is_not_compared_with():
    files = []
    for seed in range(2):
        torch.manual_seed(seed)
        save_file(Attends().state_dict(), f"{seed}.safetensors")
        files.append(f"{seed}.safetensors")
    own = holdfast.family(Attends(), files, "words", ids="input_ids", hides=True)
    how = {"explainers": "gradient", "instances": 10, "device": "cpu", "out": "run"}
    holdfast.audit(texts(), own, **how)
    found = read_findings(Path("run"))
    (row,) = found.answer.rows
    assert set(row.against) == {"shuffled", "another input"}
    assert (
        "no hold is measured against untrained networks, because no layer of Attends has a reset_parameters "
        "that draws scale (give fresh=…, a function that makes a new one)." in " ".join(found.notes)
    )


def refused(call, kind=BadSetting):
    with pytest.raises(kind) as told:
        call()
    return str(told.value)


def test_bad_input_is_refused_at_once():
    files = checkpoints()
    assert refused(lambda: family(Masked, files)) == (
        "expected a module, but got the class Masked: give Masked(…), made as it was when its state dicts "
        "were saved"
    )
    assert refused(lambda: adapt("mine.py")) == "expected an nn.Module or a class of them, but got str"
    for few in ([], files[0]):
        assert refused(lambda few=few: family(Masked(), few)) == (
            "expected a list of .safetensors files, one for each seed"
        )
    assert refused(lambda: family(Masked(), files, attention="a")).startswith("Masked has no layer 'a'")
    assert "it is of another vocabulary" in refused(lambda: family(Masked(9), files), BadData)
    own = family(Masked(), files)
    wrong = texts() | {"label": [0, 1, 2, 1] * 10}
    assert "(3, 3), one for each of 3 texts and 3 classes" in refused(lambda: holdfast.audit(wrong, own))
    far = texts()
    far["ids"] = far["ids"] + 10
    assert "use the id 19" in refused(lambda: holdfast.audit(far, own))
    assert refused(lambda: holdfast.audit(texts(), own, repairs="aswa")).startswith("aswa changes training")
    assert "at most 3, as many as there are checkpoints" in refused(
        lambda: holdfast.audit(texts(), own, seeds=4)
    )
    Path("0.safetensors").write_bytes(Path("1.safetensors").read_bytes())
    assert "is damaged" in refused(lambda: own.weights(TWO, Member(0)), BadData)
    assert not Path("holdfast-runs").exists() or not list(Path("holdfast-runs").iterdir())


def test_a_class_of_modules_is_a_model_by_its_file(tmp_path):
    Path("mine.py").write_text(FILE)
    assert admit("models", "./mine.py:Net,embedding=emb") == "mine.py:Net,embedding=emb"
    assert admit("models", "./mine.py:Net") == "mine.py:Net"
    made = make("models", "mine.py:Net,embedding=emb")
    assert isinstance(made, Architecture)
    assert made.build(TWO).module.emb.num_embeddings == 12
    assert admit("models", made) == "mine.py:Net,embedding=emb"
    with here():
        answer = holdfast.audit(
            PLANTED,
            "./mine.py:Net",
            explainers="gradient",
            seeds=2,
            epochs=1,
            instances=4,
            device="cpu",
            out="run",
        )
    assert answer.answer.rows[0].model == "mine.py:Net"
    assert "Worker processes cannot import" not in " ".join(read_findings(Path("run")).notes)


def test_an_instance_runs_in_this_process_alone():
    own = adapt(Masked(2000), "emb")
    how = {"explainers": "gradient", "seeds": 2, "epochs": 1, "instances": 4, "device": "cpu", "out": "run"}
    holdfast.audit(PLANTED, own, **how)
    told = " ".join(read_findings(Path("run")).notes)
    name = "tests.models.adapters.modules:Masked"
    assert f"Worker processes cannot import {name}: what it takes part in ran in the process that" in told
    first, second = (
        json.loads(p.read_text())["sha256"] for p in sorted(Path("run").rglob("seed-[01].json"))[:2]
    )
    assert first != second, "each seed is drawn anew"


def test_other_classes_stay_what_they_are():
    assert fitted(int) is int
    assert issubclass(fitted(Masked), Architecture)
    assert fitted(Masked) is fitted(Masked)
    assert "is not a kind of model" in refused(
        lambda: admit("models", "./mine.py:Other") if _other() else None
    )


def _other():
    Path("mine.py").write_text("class Other:\n    pass\n")
    return True


def test_a_class_of_a_script_needs_no_source():
    """As in a notebook, where no file has the code."""
    space = {"__name__": "__main__"}
    exec(FILE, space)
    one = part_of(type(adapt(space["Net"], "emb")))
    assert one.local
    assert one.name == "__main__:Net"
    exec(FILE.replace("tanh", "relu"), space)
    assert part_of(type(adapt(space["Net"], "emb"))).sha256 != one.sha256


def test_a_run_of_ids_explains_no_new_text():
    own = family(Masked(), checkpoints())
    holdfast.audit(texts(), own, explainers="gradient", instances=8, device="cpu", out="run")
    from holdfast.study.explain import explain_text

    said = refused(lambda: explain_text(Path("run"), "a new text"), (BadData, BadRun, BadSetting))
    assert said == (
        "the texts of table came as ids of a tokenizer that is not known here: audit those that you want "
        "explained, with holdfast.audit"
    )


def test_one_file_is_judged_by_what_can_be_asked_of_it():
    own = family(Masked(), checkpoints(1), attention="attn")
    answer = holdfast.audit(texts(), own, explainers="attention", instances=8, device="cpu", out="run").answer
    asked = {question.name: question.answer for question in answer.rows[0].questions}
    assert asked["survives"] == "not asked"
    assert asked["matters"] != "not asked"
    assert answer.verdict != "holds"
