import time

import pytest

from holdfast.cli.progress import progress


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_is_said_of_short_work_where_nobody_looks(
    quiet: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress(quiet) as listen:
        listen("training", 0, 10)
        listen("training", 10, 10)
    assert capsys.readouterr() == ("", "")


def test_a_log_gets_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("holdfast.report.lines.EVERY", 0.001)
    said = ""
    with progress(False) as listen:
        listen("training", 4, 10)
        while "training 40 %\n" not in said:
            said += capsys.readouterr().err
    capsys.readouterr()
    with progress(True) as listen:
        listen("training", 4, 10)
        time.sleep(0.02)
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


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (3, 8.4, "3 to 8 seconds"),
        (0.2, 0.3, "about 1 second"),
        (80, 85, "80 to 85 seconds"),
        (60, 240, "1 to 4 minutes"),
        (100, 100, "about 2 minutes"),
        (1000, 7300, "1 to 2 hours"),
    ],
)
def test_how_long_it_will_take_is_said_at_once(
    least: float, most: float, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress(False) as listen:
        listen("estimate", least, most)
    line = f"Training and explaining will take {said}: an estimate from a few steps of each model on this"
    assert capsys.readouterr() == ("", f"{line} machine; measuring comes on top.\n")


def test_nothing_is_estimated_aloud_where_quiet_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(True) as listen:
        listen("estimate", 60, 600)
    assert capsys.readouterr() == ("", "")
