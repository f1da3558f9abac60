"""A run folder can be moved, copied and read elsewhere: it holds file names and digests, no paths."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from safetensors import safe_open

from holdfast.commands.audit import Audited, audit
from holdfast.commands.compare import compare
from holdfast.commands.explain import explain
from holdfast.commands.report import report
from holdfast.core import places
from holdfast.core.errors import BadData
from holdfast.data.source import Source
from holdfast.study.answer import Answer
from holdfast.train.fit import Fit
from tests.models.text.checkpoints import write_checkpoint
from tests.study.tiny import MODEL, contents, flip, here, weights

REVIEWS = "review,stars\n" + "".join(
    f"a {'good' if i % 2 else 'bad'} film number {i},{i % 2}\n" for i in range(40)
)


def audited(folder: Path, out: Path, **more: object) -> Audited:
    """A tiny audit of ``reviews.csv`` in a folder."""
    source = Source(str(folder / "reviews.csv"), text="review", label="stars")
    vectors = folder / "mine.vec"
    if vectors.exists():
        source = Source(str(folder / "reviews.csv"), text="review", label="stars", vectors=str(vectors))
    about = {"seeds": 2, "fit": Fit(epochs=1), "instances": 5, "explainers": ("gradient", "random")}
    with here():
        return audit(source, MODEL, out=out, **(about | more))  # type: ignore[arg-type]


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A folder with reviews and word vectors, and a run on them."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "reviews.csv").write_text(REVIEWS)
    (folder / "mine.vec").write_text("".join(f"{word} 1 2 3\n" for word in ("good", "bad", "film")))
    audited(folder, folder / "run")
    return folder


@pytest.fixture
def moved(before: Path, tmp_path: Path) -> Path:
    """The run in another folder, and nothing left of the first."""
    (tmp_path / "there").mkdir()
    (before / "run").rename(tmp_path / "there" / "run")
    shutil.rmtree(before)
    return tmp_path / "there" / "run"


def written(run: Path) -> Iterator[tuple[Path, str]]:
    """Every file of a run as it is read: bytes, values of tables, names and values in safetensors."""
    for path in sorted(path for path in run.rglob("*") if path.is_file()):
        yield path, path.read_bytes().decode(errors="replace")
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            yield path, json.dumps(table.to_pylist()) + str(table.schema)
        if path.suffix == ".safetensors":
            with safe_open(path, "np") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
                yield path, f"{file.metadata()} {list(tensors)}"
            for tensor in tensors.values():
                yield path, tensor.tobytes().decode(errors="replace")


def test_a_run_holds_no_path(before: Path) -> None:
    explain(before / "run", "a good film")
    told = [path.name for path, text in written(before / "run") if str(before) in text]
    assert told == []
    plan = json.loads((before / "run" / "plan.json").read_text())
    assert (plan["data"][0]["data"], plan["data"][0]["vectors"]) == ("reviews.csv", "mine.vec")
    html = (before / "run" / "report.html").read_text()
    typed = re.sub("</?span>", "", html)
    assert "holdfast audit reviews.csv --text review --label stars --vectors mine.vec" in typed


def test_a_moved_run_is_shown_compared_and_asked(moved: Path) -> None:
    whole = contents(moved)
    assert report(moved).exists()
    assert contents(moved) == whole
    assert compare(moved, moved).changes.quality.difference.value == 0.0
    assert explain(moved, "a good film").example.seeds == (0, 1)


def test_a_moved_run_mends_from_its_own_data(
    moved: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = contents(moved)
    flip(weights(moved, 0))
    source = Source("reviews.csv", text="review", label="stars", vectors="mine.vec")
    about = {"seeds": 2, "fit": Fit(epochs=1), "instances": 5, "explainers": ("gradient", "random")}
    monkeypatch.chdir(tmp_path)
    with here():
        answer = audit(source, MODEL, out=moved, **about)  # type: ignore[arg-type]
    assert contents(moved) == whole
    assert answer.answer.to_json() == json.loads(whole["verdict.json"])
    flip(moved / "data-0.safetensors")
    with pytest.raises(BadData, match=r"reviews\.csv"), here():
        audit(source, MODEL, out=moved, **about)  # type: ignore[arg-type]


def placeless(audited: Audited) -> Answer:
    """The answer, with files by their names alone in what to type."""
    return replace(audited.answer, do=re.sub(r"(?<=[ =])/\S*/", "", audited.answer.do))


def with_checkpoint(place: Path, out: Path, **more: object) -> Audited:
    """A tiny audit of a checkpoint that lies there."""
    about = {"seeds": 2, "fit": Fit(epochs=1), "instances": 5, "explainers": ("gradient", "random")}
    with here():
        return audit("planted:train=40", f"bert:path={place}", out=out, **(about | more))  # type: ignore[arg-type]


def test_of_a_checkpoint_a_run_knows_the_name_and_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, run = write_checkpoint(tmp_path / "mine" / "tiny"), tmp_path / "run"
    first = with_checkpoint(place, run)
    explain(run, "a good film")
    told = [path.name for path, text in written(run) if str(tmp_path) in text or "mine" in text]
    assert told == [path.name for path in run.rglob("*") if "mine" in path.name] == []
    (model,) = json.loads((run / "plan.json").read_text())["models"]
    assert re.fullmatch(r"bert:path=tiny,sha256=[0-9a-f]{16}", model)

    # another process, and the folder is somewhere else
    monkeypatch.setattr(places, "_PLACES", {})
    whole = contents(run)
    (tmp_path / "there").mkdir()
    place.rename(tmp_path / "there" / "tiny")
    assert report(run).exists()
    assert compare(run, run).changes.quality.difference.value == 0.0
    sentence = r"tiny does not exist: expected the folder of a checkpoint, so put it back, or say where"
    with pytest.raises(BadData, match=sentence):
        explain(run, "a good film")
    with pytest.raises(BadData, match=sentence):
        with_checkpoint(place, run)
    assert contents(run) == whole, "nothing is lost"
    typed = f"bert:path={tmp_path / 'there' / 'tiny'}"
    assert explain(run, "a good film", model=typed).example.seeds == (0, 1)
    assert placeless(with_checkpoint(tmp_path / "there" / "tiny", run)) == placeless(first)
    assert contents(run) == whole
    grown = with_checkpoint(tmp_path / "there" / "tiny", run, seeds=3)
    assert len(list(run.glob("families/*/seed-*.safetensors"))) == 3
    assert grown.run == run
    assert contents(run).keys() > whole.keys()


def test_the_same_file_elsewhere_is_the_same_question(
    before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.commands.audit.run_study", None)
    other = shutil.copytree(before, tmp_path / "there")
    assert audited(before, before / "run") == audited(before, before / "run")
    told = audited(other, other / "run")
    assert f"holdfast audit {other / 'reviews.csv'} " in told.answer.do, "advice to type is as it was typed"
    assert placeless(told) == placeless(audited(before, before / "run"))
    monkeypatch.chdir(other)
    assert audited(Path(), other / "run").run == other / "run"
