from pathlib import Path
from typing import Any

import pytest

from holdfast.cli import app
from holdfast.cli.reproduce import studies
from holdfast.core.catalogue import catalogue
from holdfast.study.overrides import Overrides


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the command asks of the study."""
    found: list[Any] = []

    class Stop(Exception):
        pass

    class Listening:
        def plan(self, overrides: Overrides) -> None:
            found.append(overrides)
            raise Stop

    monkeypatch.setattr("holdfast.commands.plan.study_of", lambda name: Listening())
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)

    def typed(*words: str) -> None:
        with pytest.raises(Stop):
            app(["reproduce", *words], standalone_mode=False)

    found.append(typed)
    return found


def test_nothing_typed_is_the_studys_own_choice(heard: list[Any]) -> None:
    heard[0]("relevance")
    open_ = {name: getattr(Overrides(), name) for name in Overrides.__dataclass_fields__ if name != "vectors"}
    assert {name: getattr(heard[1], name) for name in open_} == open_


def test_everything_typed_is_asked(heard: list[Any], tmp_path: Path) -> None:
    heard[0](
        "relevance", "--data", "digits-maj:limit=600,folds=3,digits", "--model", "deep,rlstm", "--repair",
        "none,aswa", "--seeds", "3", "--folds", "4", "--epochs", "5", "--batch", "6", "--patience", "7",
        "--optimiser", "sgd", "--max-length", "180", "--decay-embeddings", "--instances", "all",
        "--vectors", "mine.txt",
    )  # fmt: skip
    overrides = heard[1]
    assert overrides.data == ("digits-maj:limit=600,folds=3", "digits")
    assert (overrides.models, overrides.repairs) == (("deep", "rlstm"), ("none", "aswa"))
    assert (overrides.seeds, overrides.folds, overrides.epochs, overrides.batch, overrides.patience) == (
        3,
        4,
        5,
        6,
        7,
    )
    assert (overrides.optimiser, overrides.decay_embeddings, overrides.instances) == ("sgd", True, None)
    assert overrides.vectors("sst2") == "mine.txt"
    assert overrides.max_length == 180


def test_quick_is_asked(heard: list[Any]) -> None:
    heard[0]("relevance", "--quick", "--seeds", "3")
    assert (heard[1].quick, heard[1].seeds, heard[1].data) == (True, 3, None)


def test_an_empty_list_is_not_the_studys_own_choice(heard: list[Any]) -> None:
    heard[0]("relevance", "--data", ",", "--model", "", "--repair", ",")
    assert (heard[1].data, heard[1].models, heard[1].repairs) == ((), (), ())


def test_help_names_the_studies_that_there_are() -> None:
    assert studies() == list(catalogue("studies"))
