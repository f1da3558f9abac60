from pathlib import Path
from typing import Any

import pytest

from holdfast.core.errors import BadSetting, Failed
from holdfast.core.files import sha256
from holdfast.core.records import Member
from holdfast.study.engine import Engine
from tests.study.test_cell import job_of
from tests.study.tiny import Here, copied, finished, flip, here, weights

MEMBERS = [Member(0), Member(1), Member(2)]


def test_no_gpu_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(BadSetting) as caught:
        Engine("cuda")
    assert str(caught.value) == ("expected a GPU for --device cuda, but torch sees none: use --device cpu")


def test_only_what_is_not_done_is_handed_out(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    job = job_of(run)
    job.save()
    flip(weights(run, 1))
    heard: list[tuple[str, float, float]] = []
    files: dict[Path, str] = {}
    with here(), Engine(listen=lambda *said: heard.append(said), finished=files.update) as engine:
        engine.fit([(job, member) for member in MEMBERS], {})
    assert heard == [("training", 2, 3), ("training", 3, 3)]
    assert files == {job.path(m): sha256(job.path(m).read_bytes()) for m in MEMBERS}
    assert weights(run, 1).read_bytes() == weights(finished(), 1).read_bytes()


def test_nothing_to_do_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.study.engine.Pool", None)
    job = job_of(finished())
    with Engine() as engine:
        engine.fit([(job, member) for member in MEMBERS], {})
        engine.explain([(job, member) for member in MEMBERS], {})


def test_progress_never_runs_backwards_or_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Talks(Here):
        def run(self, tasks: list[dict[str, Any]]) -> Any:
            for number, task in enumerate(tasks):
                for epoch in (1, 2):
                    yield task | {"id": number}, {"epoch": epoch, "epochs": 4, "ended": epoch == 2}
            yield from super().run(tasks)

    monkeypatch.setattr("holdfast.study.engine.Pool", Talks)
    run = copied(tmp_path / "run")
    job = job_of(run)
    job.save()
    for seed in range(3):
        flip(weights(run, seed, ".explained"))
    heard: list[float] = []
    with Engine(listen=lambda stage, done, total: heard.append(done)) as engine:
        engine.explain([(job, member) for member in MEMBERS], {})
    assert heard == sorted(heard)
    assert heard[-1] == 3


def test_what_a_worker_could_not_do_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Fails(Here):
        def run(self, tasks: list[dict[str, Any]]) -> Any:
            yield tasks[0] | {"id": 0}, {"error": "[Errno 28] No space left on device", "kind": "OSError"}

    monkeypatch.setattr("holdfast.study.engine.Pool", Fails)
    run = copied(tmp_path / "run")
    flip(weights(run, 2))
    with Engine() as engine, pytest.raises(Failed) as caught:
        engine.fit([(job_of(run), member) for member in MEMBERS], {})
    assert str(caught.value) == "seed 2: [Errno 28] No space left on device"
