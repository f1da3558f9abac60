import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast.cli import app
from holdfast.commands.audit import Audited
from holdfast.core.places import remember
from holdfast.data.source import Source, source_of
from holdfast.measure.question import Question
from holdfast.models.text.cnn import Cnn
from holdfast.study.advice import advice
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.command import FROM_PYTHON, SAME, in_folder
from holdfast.study.difference import difference
from holdfast.study.plan import Plan, defaults_for
from tests.study.answers import answer, row

PLAN = Plan((Source("planted"),), seeds=10)
WORKED = "Longer training would not help: check the labels, or try more data or another --model."
REPAIR = "Try a repair, training that should make explanations hold: "
ENOUGH = "No repair of this run is enough: show what several seeds agree on, or try another --model."


def asked(verdict: str, hold: float = 0.6, **changes: Any) -> ExplainerVerdict:
    made: ExplainerVerdict = row("gradient", verdict, hold, **changes)
    return made


@pytest.mark.parametrize(
    ("about", "plan", "instances", "last", "sentence"),
    [
        (asked("holds"), PLAN, 200, False, "Nothing more to do."),
        (asked("not learned"), PLAN, 200, False, WORKED),
        (
            asked("not learned"), Plan((Source("planted-plays"),), ("deepicf",)), 200, False,
            WORKED.replace("labels", "times"),
        ),
        (
            asked("not learned"), PLAN, 200, True,
            "The best epoch was the last one, so train longer: holdfast audit --device cpu --epochs 40",
        ),
        (asked("shaky"), PLAN, 200, False, REPAIR + "holdfast audit --repair none,aswa --device cpu"),
        (
            asked("does not hold"), replace(PLAN, repairs=("swa",)), 200, False,
            REPAIR + "holdfast audit --repair swa,aswa --device cpu",
        ),
        (asked("shaky"), replace(PLAN, repairs=("none", "naswa")), 200, False, ENOUGH),
        (
            asked("says nothing"), replace(PLAN, explainers=("attention", "random")), 200, False,
            f"Try other explainers ({SAME}): holdfast audit "
            "--explainer gradient,gradient_input,integrated_gradients,leave_one_out --device cpu",
        ),
        (
            asked("does not matter"), PLAN, 200, False,
            REPAIR + "holdfast audit --repair none,aswa --device cpu",
        ),
        (
            asked("undecided", settle=14), PLAN, 200, False,
            f"Train more seeds, about 14 in all (those trained are kept; {SAME}): "
            "holdfast audit --seeds 14 --device cpu",
        ),
        (
            asked("undecided", settle=0), PLAN, 200, False,
            "More than 50 seeds would be needed to settle it, so treat it as “shaky”. "
            + REPAIR + "holdfast audit --repair none,aswa --device cpu",
        ),
        (
            asked("undecided"), PLAN, 200, False,
            f"Train more seeds, 20 in all (those trained are kept; {SAME}): "
            "holdfast audit --seeds 20 --device cpu",
        ),
        (
            asked("undecided", undecided="learned"), replace(PLAN, seeds=3, instances=50), 50, False,
            f"Train more seeds, 10 in all (those trained are kept; {SAME}): "
            "holdfast audit --instances 50 --device cpu",
        ),
        (
            asked("undecided", undecided="learned"), PLAN, 200, True,
            "The best epoch was the last one, so train longer: holdfast audit --device cpu --epochs 40",
        ),
        (
            asked("undecided"), PLAN, 60, False,
            "Test on more examples: only 60 can be judged, and 100 are needed.",
        ),
        (
            asked("undecided"), replace(PLAN, instances=None), 60, False,
            "Test on more examples: only 60 can be judged, and 100 are needed.",
        ),
        (
            asked("undecided"), replace(PLAN, instances=60), 60, False,
            f"Explain more test examples ({SAME}): holdfast audit --device cpu",
        ),
        (
            asked("undecided", against={"shuffled": 0.8}), PLAN, 200, False,
            f"Explain more test examples ({SAME}): holdfast audit --instances 400 --device cpu",
        ),
        (
            asked("undecided", settle=10), replace(PLAN, seeds=2, instances=60), 60, False,
            f"Train more seeds, about 10 in all (those trained are kept; {SAME}): "
            "holdfast audit --instances 60 --device cpu",
        ),
    ],
)  # fmt: skip
def test_what_to_do(
    about: ExplainerVerdict, plan: Plan, instances: int, last: bool, sentence: str, heard: list[Plan]
) -> None:
    """In one sentence; the command in it does what the sentence says."""
    assert advice(about, plan, instances, last) == sentence
    if "holdfast audit" in sentence:
        app(shlex.split(sentence.partition("holdfast ")[2]), standalone_mode=False)
        assert heard[0] != plan
        grows = difference(heard[0], plan) is None
        assert (SAME in sentence) == grows


@pytest.mark.parametrize(
    ("about", "grows"), [(asked("undecided"), True), (asked("shaky"), False), (asked("not learned"), False)]
)
@pytest.mark.parametrize("out", [None, "mine", "it's my run"])
def test_a_command_that_goes_on_with_a_run_names_its_folder(
    about: ExplainerVerdict, grows: bool, out: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that starts another run does not: the folder holds another plan."""
    outs: list[Path | None] = []

    def take(plan: Plan, out: Path | None, *rest: Any) -> Audited:
        outs.append(out)
        return Audited(Path("run"), answer(), 1.0)

    monkeypatch.setattr("holdfast.commands.audit.carry_out", take)
    told = in_folder(advice(about, PLAN, 200, True), out)
    assert SAME not in told
    app(shlex.split(told.partition("holdfast ")[2]), standalone_mode=False)
    assert outs == [Path(out) if out is not None and grows else None]


def test_a_file_is_named_as_it_was_typed(tmp_path: Path, heard: list[Plan]) -> None:
    path = tmp_path / "my films.csv"
    path.write_text("text,label\nfine,1\ndull,0\n")
    plan = replace(PLAN, data=(Source(str(path), text="text", label="label"),))
    kept = advice(asked("shaky"), plan, 200, True)
    assert "audit 'my films.csv' " in kept
    assert str(tmp_path) not in kept
    told = in_folder(kept, None, plan.data[0].data)
    app(shlex.split(told.partition("holdfast ")[2]), standalone_mode=False)
    assert heard[0].data[0].data == str(path)


def test_data_from_python_have_the_folder_before_the_remark() -> None:
    frame = source_of({"text": ["a", "b"], "label": ["x", "y"]})
    told = in_folder(advice(asked("undecided"), replace(PLAN, data=(frame,)), 200, True), "mine")
    assert told.endswith(f" --seeds 20 --device cpu --out mine  # {FROM_PYTHON}")


@pytest.mark.parametrize("data", ["planted", "digits-maj", "planted-plays"])
@pytest.mark.parametrize("verdict", ["not learned", "says nothing", "shaky", "undecided"])
def test_commands_of_every_modality_parse(data: str, verdict: str, heard: list[Plan]) -> None:
    usual = defaults_for(Source(data))
    plan = Plan((Source(data),), usual.models, explainers=usual.explainers[:1], comparisons=usual.comparisons)
    plan = replace(plan, fit=usual.fit)
    told = advice(asked(verdict), plan, 200, True)
    app(shlex.split(told.partition("holdfast ")[2]), standalone_mode=False)
    changed = {"not learned": "fit", "says nothing": "explainers", "shaky": "repairs", "undecided": "seeds"}
    grown = heard[0]
    assert getattr(grown, changed[verdict]) != getattr(plan, changed[verdict])
    same = {name: getattr(plan, name) for name in changed.values() if name != changed[verdict]}
    assert same == {name: getattr(grown, name) for name in same}


def test_where_nothing_can_be_judged_more_seeds_would_not_help() -> None:
    questions = (Question("survives", "not asked", because="no example has two positions or more"),)
    told = advice(asked("undecided", questions=questions), PLAN, 0, False)
    assert told == "Test on more examples: only 0 can be judged, and 100 are needed."


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """The plans that commands would carry out."""
    plans: list[Plan] = []

    def take(plan: Plan, *rest: Any) -> Audited:
        plans.append(plan)
        return Audited(Path("run"), answer(), 1.0)

    monkeypatch.setattr("holdfast.commands.audit.carry_out", take)
    return plans


@pytest.mark.parametrize(("value", "more_seeds"), [(0.69, False), (0.71, True)])
def test_more_seeds_are_no_advice_for_models_at_chance(value, more_seeds):
    about = asked("undecided", undecided="learned")
    first, *others = about.questions
    about = replace(about, questions=(replace(first, value=value), *others))
    assert (advice(about, PLAN, 200, False) == WORKED) is not more_seeds


def test_where_a_small_change_decides_other_explainers_are_tried_before_repairs() -> None:
    failed = Question("survives_change", "failed", 0.3, 0.25, 0.35, 0.4, ("does not hold",), "under typos")
    questions = tuple(replace(one, answer="passed", words=()) for one in asked("holds").questions)
    changed = replace(asked("does not hold"), questions=(*questions[:3], failed, *questions[3:]))
    some = replace(PLAN, explainers=("gradient", "random"), perturbations=("typos",))
    assert advice(changed, some, 200, False) == (
        f"Try other explainers ({SAME}): holdfast audit "
        "--explainer attention,gradient_input,integrated_gradients,leave_one_out --perturb typos --device cpu"
    )
    every = replace(PLAN, perturbations=("typos",))
    assert advice(changed, every, 200, False) == (
        REPAIR + "holdfast audit --repair none,aswa --perturb typos --device cpu"
    )


@pytest.mark.parametrize(
    ("verdict", "settle", "sentence"),
    [
        (
            "shaky", None,
            "Show what several checkpoints agree on, or train others: a repair changes training.",
        ),
        ("undecided", 14, "Bring more checkpoints, about 14 in all, each trained with a seed of its own."),
        (
            "not learned", None,
            "Check the labels, their order, and whether these are the data that the models are for.",
        ),
    ],
)  # fmt: skip
def test_members_from_files_are_not_trained_on(monkeypatch, verdict, settle, sentence):
    monkeypatch.setattr(Cnn, "files", property(lambda self: ("a.safetensors", "b.safetensors")))
    assert advice(asked(verdict, settle=settle), replace(PLAN, models=("cnn",)), 200, False) == sentence


def test_advice_names_the_folder_of_a_checkpoint_where_it_lies(tmp_path):
    folder = tmp_path / "my checkpoint"
    remember("feed0123", folder)
    told = in_folder(
        f"Train more ({SAME}): holdfast audit --model hf:path=x,sha256=feed0123,trains=all", None
    )
    assert told.endswith(f"--model 'hf:path={folder},sha256=feed0123,trains=all'")
    assert "path=x" in in_folder("holdfast audit --model hf:path=x,sha256=beef", None)
