import pytest

from holdfast.cli.progress import progress


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_is_said_where_nobody_looks(quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    with progress(quiet) as listen:
        listen("training", 0, 10)
        listen("training", 10, 10)
    assert capsys.readouterr() == ("", "")


def test_a_bar_for_every_stage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with progress(False) as listen:
        for stage in ("training", "explaining"):
            listen(stage, 1, 2)
    said = capsys.readouterr().err
    assert "training" in said
    assert "explaining" in said
    assert "50%" in said
