from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.source import Source
from holdfast.study.digests import digests_of, with_digests
from tests.models.text.checkpoints import write_checkpoint
from tests.study.tiny import copied, finished, flip, plan


def test_a_plan_knows_its_data_by_their_digest() -> None:
    assert with_digests(plan(), None).digests != ()
    assert with_digests(plan(), None) == with_digests(plan(), None)
    assert (
        with_digests(plan(data=(replace(plan().data[0], max_length=5),)), None).digests
        != with_digests(plan(), None).digests
    )


@pytest.mark.parametrize(
    ("data", "models"),
    [("digits", ("cnn",)), ("planted", ("cnn", "convrlstm")), ("digits-maj", ("deep", "rnn"))],
)
def test_a_model_that_cannot_read_its_data_is_refused_before_there_is_a_run(
    data: str, models: tuple[str, ...]
) -> None:
    with pytest.raises(
        BadSetting, match=r"expected (text|image) data, but got (text|image) data: choose one"
    ):
        with_digests(plan(data=(Source(data),), models=models), None)


def test_strict_is_no_part_of_a_plan_but_asked_each_time(tmp_path: Path) -> None:
    lines = [f"{'good' if i % 2 else 'bad'} film {i},{i % 2}" for i in range(40)]
    (tmp_path / "a.csv").write_text("\n".join(["text,label", *lines, "no label,"]))
    lax, strict = (plan(data=(Source(str(tmp_path / "a.csv"), strict=own),)) for own in (False, True))
    assert lax.hash == strict.hash
    assert with_digests(lax, None).digests
    with pytest.raises(BadData, match=r"a\.csv: 1 of 41 rows has no label"):
        with_digests(strict, None)


def test_a_run_of_this_plan_has_its_data(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    assert digests_of(run, plan()) == with_digests(plan(), None).digests
    assert digests_of(run, plan(seeds=4)) == digests_of(run, plan()), "a run may grow"
    assert digests_of(run, plan(repairs=("aswa",))) is None
    assert digests_of(tmp_path / "none", plan()) is None
    flip(run / "data-0.safetensors")
    assert digests_of(run, plan()) is None


def test_files_that_are_gone_are_those_of_the_run_unless_it_starts_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> str:
        raise BadData("planted.csv is not there")

    digests = with_digests(plan(), None).digests
    monkeypatch.setattr("holdfast.study.digests.digest", gone)
    assert with_digests(plan(), None, run=finished()).digests == digests
    for about in ({}, {"run": tmp_path}, {"run": finished(), "fresh": True}):
        with pytest.raises(BadData, match="is not there"):
            with_digests(plan(), None, **about)  # type: ignore[arg-type]


def test_a_checkpoint_is_named_by_its_digest(tmp_path: Path) -> None:
    model = f"bert:path={write_checkpoint(tmp_path / 'tiny')}"
    source = replace(plan().data[0], every_word=True)
    pinned = with_digests(plan(data=(source,), models=(model,)), None)
    assert pinned.models[0].startswith("bert:path=tiny,sha256=")
    assert with_digests(pinned, None) == pinned
    there = f"bert:path={write_checkpoint(tmp_path / 'there' / 'tiny')}"
    assert with_digests(plan(data=(source,), models=(there,)), None) == pinned, "it lies elsewhere"
    left = with_digests(plan(data=(source,), models=(model,), without=(f"{model} with none",)), None)
    assert left.repairs_of(left.models[0]) == ()
    write_checkpoint(tmp_path / "tiny", seed=1)
    with pytest.raises(BadData, match=r"tiny is not the checkpoint that was asked for: expected SHA-256 "):
        with_digests(pinned, None)
    assert with_digests(plan(data=(source,), models=(model,)), None).hash != pinned.hash
