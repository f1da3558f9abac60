from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from holdfast.core.errors import BadSetting, Failed
from holdfast.core.files import sha256
from holdfast.core.records import Member
from holdfast.study.engine import Engine
from holdfast.train.fit import Fit, Progress
from holdfast.train.job import Job
from tests.study.test_result import job_of
from tests.study.tiny import Here, copied, dataset, finished, flip, here, weights

MEMBERS = [Member(0), Member(1), Member(2)]


def test_without_its_gpu_it_explains_and_does_not_train(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    run = copied(tmp_path / "run")
    job, units = job_of(run), [(job_of(run), member) for member in MEMBERS]
    flip(weights(run, 1, "gradient"))
    with here(), Engine("cuda") as engine:
        engine.fit(units, {})
        engine.explain(units, {})
    assert weights(run, 1, "gradient").read_bytes() == weights(finished(), 1, "gradient").read_bytes()
    job.path(MEMBERS[2]).unlink()
    with here(), Engine("cuda") as engine, pytest.raises(BadSetting) as caught:
        engine.fit(units, {})
    assert str(caught.value) == ("expected a GPU for --device cuda, but torch sees none: use --device cpu")


def test_only_what_is_not_done_is_handed_out(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    job = job_of(run)
    flip(weights(run, 1))
    heard: list[tuple[str, float, float]] = []
    files: dict[Path, str] = {}
    with here(), Engine(listen=lambda *said: heard.append(said), finished=files.update) as engine:
        engine.fit([(job, member) for member in MEMBERS], {})
    assert heard == [("training", 2, 3), ("training", 3, 3)]
    paths = [job.path(m).with_suffix(kind) for m in MEMBERS for kind in (".safetensors", ".json")]
    assert files == {path: sha256(path.read_bytes()) for path in paths}
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
    for seed in range(3):
        flip(weights(run, seed, "gradient"))
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


class Stream:
    """Where there is no GPU: a stream that is none."""

    def __init__(self, device: str) -> None:
        assert device == "cuda"

    def __enter__(self) -> None: ...

    def __exit__(self, *about: object) -> None: ...


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine that takes this machine for one with a GPU."""
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.Stream", Stream)
    monkeypatch.setattr("torch.cuda.stream", lambda stream: stream)
    return Engine("cuda")


def jobs(folder: Path, count: int) -> list[Job]:
    return [replace(job_of(finished()), folder=folder / str(number)) for number in range(count)]


def progress(epoch: int, ended: bool) -> Progress:
    return Progress(members=tuple(MEMBERS), epoch=epoch, epochs=4, ended=ended)


def test_families_side_by_side_add_up(tmp_path: Path, gpu: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def trains(self: Engine, job: Job, members: Any, dataset: Any, listen: Any) -> Iterator[None]:
        assert members == tuple(MEMBERS)
        listen(progress(2, ended=False))
        yield
        listen(progress(2, ended=True))

    monkeypatch.setattr(Engine, "_fit_stacked", trains)
    heard: list[tuple[str, float, float]] = []
    gpu.listen = lambda *said: heard.append(said)
    four = jobs(tmp_path, 4)
    gpu.fit([(job, member) for job in four for member in MEMBERS], {four[0].data: dataset()})
    assert {(stage, total) for stage, _, total in heard} == {("training", 12)}
    assert heard[-1][1] == 12
    assert len(heard) == 8


def test_one_family_that_fails_ends_the_others(
    tmp_path: Path, gpu: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = [], []

    def trains(self: Engine, job: Job, members: Any, dataset: Any, listen: Any) -> Iterator[None]:
        begun.append(job.folder.name)
        yield
        if job.folder.name == "0":
            raise Failed("no memory left")
        yield
        ended.append(job.folder.name)

    monkeypatch.setattr(Engine, "_fit_stacked", trains)
    many = jobs(tmp_path, 9)
    with pytest.raises(Failed, match="no memory left"):
        gpu.fit([(job, member) for job in many for member in MEMBERS], {many[0].data: dataset()})
    assert begun == ["0", "1", "2", "3"], "what waits is not begun"
    assert not ended


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_families_train_side_by_side_on_a_gpu(tmp_path: Path) -> None:
    """While one captures a graph, the others copy and replay: none may disturb another."""
    path, whole = tmp_path / "data.safetensors", dataset()
    repairs, models = ("none", "aswa", "naswa:per=tensor"), ("cnn:filters=4,dim=8", "bilstm:hidden=4,dim=8")
    many = [
        Job(tmp_path / f"{m}-{r}", path, model, repair, Fit(epochs=3))
        for m, model in enumerate(models)
        for r, repair in enumerate(repairs)
    ]
    Engine("cuda").fit([(job, member) for job in many for member in MEMBERS], {path: whole})
    assert all(job.about(member) is not None for job in many for member in MEMBERS)
