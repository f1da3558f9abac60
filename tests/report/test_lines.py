import threading

import pytest

from holdfast.report.lines import Lines, every, spell


class Clock:
    """Says what it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_line_says_how_far_it_is_and_what_is_left() -> None:
    clock = Clock()
    lines = Lines(clock)
    assert lines.line() == ""
    lines.listen("reading", 0, 1)
    assert lines.line() == "reading 0 %"
    clock.now = 10.0
    lines.listen("training", 0, 20)
    clock.now = 100.0
    lines.listen("training", 8, 20)
    assert lines.line() == "training 40 %, about 2 minutes left"
    clock.now = 160.0
    assert lines.line() == "training 40 %, about 75 seconds left"
    clock.now = 300.0
    assert lines.line() == "training 40 %"
    lines.listen("training", 20, 20)
    assert lines.line() == "training 100 %"


def test_what_an_earlier_run_did_took_no_time_now() -> None:
    clock = Clock()
    lines = Lines(clock)
    lines.listen("training", 5, 10)
    assert lines.line() == "training 50 %"
    clock.now = 30.0
    lines.listen("training", 6, 10)
    assert lines.line() == "training 60 %, about 2 minutes left"


def test_it_is_said_again_and_again_until_the_work_ends() -> None:
    often = threading.Event()
    said: list[int] = []

    def say() -> None:
        said.append(len(said))
        if len(said) == 3:
            often.set()

    with every(0.001, say):
        assert often.wait(20)
    count = len(said)
    often.wait(0.01)
    assert len(said) == count


def test_a_reader_that_is_gone_stops_nothing() -> None:
    tried = threading.Event()

    def say() -> None:
        tried.set()
        raise BrokenPipeError

    with every(0.001, say):
        assert tried.wait(20)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "about 1 second"),
        (60, "about 60 seconds"),
        (91, "about 2 minutes"),
        (5500, "about 2 hours"),
        (5000, "about 83 minutes"),
    ],
)
def test_seconds_are_said_in_a_unit_that_fits(seconds: float, said: str) -> None:
    assert spell(seconds, seconds) == said
