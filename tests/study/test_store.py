import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.core.errors import BadData, BadInput, BadRun, BadSetting
from holdfast.core.files import sha256
from holdfast.study.plan import Plan
from holdfast.study.store import RESULTS, Store, locked_run
from tests.study.tiny import contents, copied, flip, plan

PLAN = plan()


def begun(folder: Path, own: Plan = PLAN) -> Path:
    """A run in which one file is finished."""
    with locked_run(folder, own, fresh=False) as store:
        store.keep("verdict.json", b"{}")
    return folder


def test_a_new_run_holds_its_plan(tmp_path: Path) -> None:
    with locked_run(tmp_path / "deep" / "run", PLAN, fresh=False) as store:
        assert store.plan == PLAN


def test_the_same_plan_resumes_and_loses_nothing(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    before = contents(run)
    with locked_run(run, PLAN, fresh=False) as store:
        assert store.sound("verdict.json")
    assert contents(run) == before


def test_another_plan_is_refused_and_the_field_named(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    before = contents(run)
    with pytest.raises(BadRun) as caught, locked_run(run, plan(folds=2), fresh=False):
        pass
    assert str(caught.value) == (
        f"{run} holds another plan (folds: 0 there, 2 here): use another --out, or --fresh to start over"
    )
    assert contents(run) == before


def test_another_plan_is_not_taken_back_where_nothing_was_begun(tmp_path: Path) -> None:
    with locked_run(tmp_path, PLAN, fresh=False):
        pass
    with pytest.raises(BadRun, match="another plan"), locked_run(tmp_path, plan(folds=2), fresh=False):
        pass
    assert Store(tmp_path).plan == PLAN


def test_fresh_starts_over(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    with locked_run(run, plan(seeds=4), fresh=True) as store:
        assert store.plan.seeds == 4
        assert not store.sound("verdict.json")
        assert not (run / "verdict.json").exists()


def test_fresh_removes_a_whole_run_but_nothing_that_is_not_of_it(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    (run / "my notes.txt").write_text("mine")
    (run / "figures").mkdir()
    (run / "figures" / "a.svg").write_text("<svg/>")
    (run / "explain.html").write_text("a page")
    (run / "report-no-text.html").write_text("another")
    with locked_run(run, PLAN, fresh=True):
        left = {path.name for path in run.iterdir()}
    assert left - {".lock"} == {"plan.json", "manifest.json", "my notes.txt"}


def test_fresh_removes_the_members_of_an_older_run(tmp_path: Path) -> None:
    with locked_run(tmp_path, PLAN, fresh=False):
        (tmp_path / "cells" / "0-planted+cnn+none").mkdir(parents=True)
    with locked_run(tmp_path, PLAN, fresh=True):
        assert not (tmp_path / "cells").exists()


@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_that_is_no_run_is_never_touched(tmp_path: Path, fresh: bool) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(BadRun) as caught, locked_run(tmp_path, PLAN, fresh=fresh):
        pass
    assert str(caught.value) == f"{tmp_path} is not empty and not a run: use another --out"
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_killed_while_starting_over_it_is_still_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = copied(tmp_path / "run")
    removed = []

    def unlink(self: Path, missing_ok: bool = False) -> None:
        if self.name in RESULTS:
            removed.append(self.name)
            if len(removed) == 3:
                raise KeyboardInterrupt
        os.unlink(self)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unlink)
        with pytest.raises(KeyboardInterrupt), locked_run(run, PLAN, fresh=True):
            pass
    assert len(removed) == 3
    with locked_run(run, PLAN, fresh=True):
        assert not (run / "families").exists()


HALF = ["", "{", '{"schema": 1', "[1, 2]", "\x00\x00", "[" * 100_000]


@pytest.mark.parametrize("text", HALF)
def test_a_damaged_plan_is_mended_by_its_command(tmp_path: Path, text: str) -> None:
    run = begun(tmp_path / "run")
    before = contents(run)
    (run / "plan.json").write_text(text)
    with pytest.raises(BadRun) as caught:
        _ = Store(run).plan
    assert str(caught.value) == f"{run / 'plan.json'} is damaged: run its command again to repair it"
    with locked_run(run, PLAN, fresh=False) as store:
        assert store.plan == PLAN
    assert contents(run) == before


def test_a_plan_that_is_gone_is_mended_by_its_command(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    before = contents(run)
    (run / "plan.json").unlink()
    with locked_run(run, PLAN, fresh=False) as store:
        assert store.plan == PLAN
    assert contents(run) == before


def test_a_plan_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    before = contents(run)
    (run / "plan.json").unlink()
    os.mkfifo(run / "plan.json")
    with pytest.raises(BadRun, match=r"plan\.json is damaged: run its command again"):
        _ = Store(run).plan
    with locked_run(run, PLAN, fresh=False):
        pass
    assert contents(run) == before


def test_a_damaged_plan_is_not_mended_by_another_command(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    (run / "plan.json").write_text("{")
    before = contents(run)
    with pytest.raises(BadRun) as caught, locked_run(run, plan(seeds=4), fresh=False):
        pass
    assert str(caught.value) == (
        f"{run / 'plan.json'} is damaged, and another command made it: run that command to repair "
        "it, use another --out, or start over with --fresh"
    )
    assert contents(run) == before


@pytest.mark.parametrize("text", HALF)
def test_a_half_written_plan_that_nobody_knows_is_one_sentence_and_fresh_mends_it(
    tmp_path: Path, text: str
) -> None:
    run = begun(tmp_path / "run")
    (run / "plan.json").write_text(text)
    (run / "manifest.json").unlink()
    with pytest.raises(BadRun, match="--fresh to start over"), locked_run(run, PLAN, fresh=False):
        pass
    assert (run / "plan.json").read_text() == text
    with locked_run(run, PLAN, fresh=True) as store:
        assert store.plan == PLAN


@pytest.mark.parametrize("files", [{}, {"verdict.json": "00" * 32}])
def test_a_run_of_another_version_is_refused(tmp_path: Path, files: dict[str, str]) -> None:
    run = begun(tmp_path / "run")
    (run / "manifest.json").write_text(json.dumps({"schema": 1, "files": files}))
    sentence = (
        f"{run} was made by another version of holdfast (schema 1, expected 2): "
        "use that version, or start over with --fresh"
    )
    with pytest.raises(BadRun) as caught, locked_run(run, PLAN, fresh=False):
        pass
    assert str(caught.value) == sentence
    with pytest.raises(BadRun) as caught:
        _ = Store(run).plan
    assert str(caught.value) == sentence
    with locked_run(run, PLAN, fresh=True) as store:
        assert store.plan == PLAN


def test_a_manifest_of_somebody_else_does_not_make_a_run(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "my web page"}')
    with pytest.raises(BadRun, match="is not empty and not a run"), locked_run(tmp_path, PLAN, fresh=True):
        pass
    assert (tmp_path / "manifest.json").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"files": 3}', '{"files": ["a"]}', "[" * 100_000])
def test_a_half_written_manifest_only_means_that_nothing_is_known(tmp_path: Path, text: str) -> None:
    run = begun(tmp_path / "run")
    (run / "manifest.json").write_text(text)
    with pytest.raises(BadRun) as caught:
        Store(run).check("verdict.json")
    assert str(caught.value) == f"{run / 'manifest.json'} is damaged: run its command again to repair it"
    with locked_run(run, PLAN, fresh=False) as store:
        assert not store.sound("verdict.json")
        store.keep("verdict.json", b"{}")
        assert store.sound("verdict.json")


def test_a_file_for_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(BadInput) as caught, locked_run(file, PLAN, fresh=True):
        pass
    assert str(caught.value) == f"--out {file} is a file, not a folder: name a folder"
    with pytest.raises(BadInput, match=r"cannot make --out .*: Not a directory"):
        locked_run(file / "run", PLAN, fresh=True).__enter__()
    assert file.read_text() == "mine"


def test_an_unwritable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # for root everything is writable
    with pytest.raises(BadInput) as caught, locked_run(tmp_path, PLAN, fresh=False):
        pass
    assert str(caught.value) == f"cannot write to --out {tmp_path}: permission denied"


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(BadInput) as caught, locked_run(tmp_path / "run", PLAN, fresh=False):
        pass
    assert str(caught.value) == f"cannot make --out {tmp_path / 'run'}: Permission denied"


def test_a_second_process_is_refused_while_the_first_lives(tmp_path: Path) -> None:
    run = tmp_path / "run"
    program = (
        "import sys; from pathlib import Path; from filelock import FileLock\n"
        "lock = FileLock(Path(sys.argv[1]) / '.lock'); lock.acquire(); print('mine', flush=True); input()"
    )
    begun(run)
    owner = subprocess.Popen(
        [sys.executable, "-c", program, str(run)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "mine\n"
        with pytest.raises(BadRun) as caught, locked_run(run, PLAN, fresh=True):
            pass
        assert str(caught.value) == (
            f"{run} is in use by another holdfast process: wait for it, or use another --out"
        )
    finally:
        owner.kill()  # the lock is the kernel's: it goes with its owner
        owner.communicate()
    with locked_run(run, PLAN, fresh=False) as store:
        assert store.sound("verdict.json")


def test_what_a_killed_writer_left_is_removed_and_never_read(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    (run / "families").mkdir()
    parts = [run / ".verdict.json.123.part", run / "families" / ".seed-0.safetensors.9.part"]
    for part in parts:
        part.write_bytes(b"half")
    (run / "mine.part").write_bytes(b"of somebody else")
    with locked_run(run, PLAN, fresh=False) as store:
        assert store.sound("verdict.json")
    assert not any(part.exists() for part in parts)
    assert (run / "mine.part").exists()


def test_a_run_killed_before_its_plan_was_written_begins_again(tmp_path: Path) -> None:
    (tmp_path / ".lock").touch()
    (tmp_path / ".plan.json.77.part").write_text("{")
    with locked_run(tmp_path, PLAN, fresh=False) as store:
        assert store.plan == PLAN


@pytest.mark.parametrize("there", [False, True])
def test_bad_data_leave_no_trace(tmp_path: Path, there: bool) -> None:
    run = tmp_path / "run"
    if there:
        run.mkdir()
    with pytest.raises(BadData), locked_run(run, PLAN, fresh=False):
        raise BadData("one class only")
    assert run.exists() == there
    assert not there or not list(run.iterdir())


def test_a_model_that_does_not_suit_the_data_leaves_no_trace_of_them(tmp_path: Path) -> None:
    """So that the command can be mended and be given the same folder."""

    def refused() -> None:
        with locked_run(tmp_path / "run", PLAN, fresh=False) as store:
            store.keep("data-0.safetensors", b"encoded")
            raise BadSetting("even_attention: expected another model")

    with pytest.raises(BadSetting):
        refused()
    assert not (tmp_path / "run").exists()


def test_what_was_begun_stays_when_input_turns_bad(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    before = contents(run)
    with pytest.raises(BadData), locked_run(run, PLAN, fresh=False):
        raise BadData("the file is gone")
    assert contents(run) == before


def test_a_flipped_bit_is_seen(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    store = Store(run)
    store.check("verdict.json")
    flip(run / "verdict.json", 0)
    assert not store.sound("verdict.json")
    with pytest.raises(BadRun) as caught:
        store.check("verdict.json")
    assert str(caught.value) == f"{run / 'verdict.json'} is damaged: run its command again to repair it"


def test_a_missing_file_is_an_unfinished_run(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    with pytest.raises(BadRun) as caught:
        Store(run).check("report.html")
    assert str(caught.value) == f"{run} is not finished (report.html is missing): run its command again"


def test_finished_means_everything_as_it_was_written(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    assert Store(run).finished()
    assert not Store(run).finished("claims.json")
    for name in contents(run):
        data = (run / name).read_bytes()
        flip(run / name)
        assert not Store(run).finished(), name
        (run / name).unlink()
        assert not Store(run).finished(), name
        (run / name).write_bytes(data)
    assert Store(run).finished()


def test_the_manifest_holds_size_and_digest_of_every_file(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    known = json.loads((run / "manifest.json").read_text())["files"]
    for name, entry in known.items():
        data = (run / name).read_bytes()
        assert entry == {"bytes": len(data), "sha256": sha256(data)}
    assert {*known, "manifest.json"} == set(contents(run))


def test_no_plan_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(BadRun) as caught:
        _ = Store(tmp_path / "nowhere").plan
    assert str(caught.value) == (
        f"{tmp_path / 'nowhere'} is not a run: it has no plan.json (holdfast audit makes one)"
    )


def test_cells_have_names_that_any_file_system_takes(tmp_path: Path) -> None:
    store = Store(tmp_path)
    plain = store.family("0-planted", "cnn:dim=8,filters=4", "naswa:per=tensor")
    assert plain.name == "0-planted+cnn-dim=8-filters=4+naswa-per=tensor"
    long = [store.family("0-" + "ü" * 300, "cnn", repair) for repair in ("none", "aswa")]
    assert all(len(path.name.encode()) < 256 for path in long)
    assert long[0] != long[1]
    assert store.family("../x", "a/b", "none").parent == tmp_path / "families"
