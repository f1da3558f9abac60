"""Progress in a notebook: bars that are drawn over, and gone in the end; elsewhere nothing."""

import sys
from collections.abc import Iterator
from itertools import count
from types import ModuleType

import pytest

from holdfast.report.live import Bars, heard, in_notebook

Shown = list[dict[str, str]]


def bars(times: Iterator[float]) -> tuple[Bars, Shown]:
    shown: Shown = []
    return Bars(shown.append, lambda: next(times)), shown


class Shell:
    pass


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """A kernel, as far as it is looked at."""
    shown: Shown = []

    class DisplayHandle:
        def display(self, bundle: dict[str, str], raw: bool) -> None:
            shown.append(bundle | {"as": f"new, raw {raw}"})

        def update(self, bundle: dict[str, str], raw: bool) -> None:
            shown.append(bundle | {"as": f"over, raw {raw}"})

    modules = {
        "ipykernel.zmqshell": {"ZMQInteractiveShell": Shell},
        "IPython": {"get_ipython": Shell},
        "IPython.display": {"DisplayHandle": DisplayHandle},
    }
    for name, values in modules.items():
        module = ModuleType(name)
        vars(module).update(values)
        monkeypatch.setitem(sys.modules, name, module)
    return shown


def test_a_bar_for_each_stage_and_the_time_left_of_the_last() -> None:
    seconds = [0.0]
    drawn, shown = bars(iter(lambda: seconds[0], None))
    for second, stage, done in (
        (0, "training", 0),
        (40, "training", 4),
        (99, "training", 10),
        (99, "explaining", 1),
    ):
        seconds[0] = second
        drawn.listen(stage, done, 10)
    assert shown[1]["text/plain"] == "training 40 %, about 60 seconds left"
    assert "left</span>" in shown[1]["text/html"]
    last = shown[-1]["text/html"]
    assert last.index(">training</span>") < last.index("100 %") < last.index(">explaining</span>")
    assert "width:10.0%" in last
    drawn.clear()
    assert shown[-1] == {"text/html": "", "text/plain": ""}


def test_it_is_drawn_a_few_times_a_second_and_when_a_stage_begins_or_ends() -> None:
    drawn, shown = bars(count(0.0, 0.001))
    for done in range(101):
        drawn.listen("training", done, 100)
    assert [one["text/plain"].partition(",")[0] for one in shown] == ["training 0 %", "training 100 %"]


def test_the_estimate_stands_above() -> None:
    drawn, shown = bars(count())
    drawn.listen("estimate", 60, 240)
    assert shown == []
    drawn.listen("training", 0, 0)
    assert "Training and explaining will take 1 to 4 minutes: " in shown[0]["text/html"]
    assert "100 %" in shown[0]["text/html"], "of nothing all is done"


def test_what_was_never_drawn_is_not_cleared() -> None:
    drawn, shown = bars(count())
    drawn.clear()
    assert shown == []


def test_a_name_is_no_markup() -> None:
    drawn, shown = bars(count())
    drawn.listen("<script>", 1, 2)
    assert "<script>" not in shown[0]["text/html"]


def test_elsewhere_nobody_hears(capsys: pytest.CaptureFixture[str]) -> None:
    assert not in_notebook()
    with heard(None) as listen:
        listen("training", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_notebook_shows_it_and_clears_it_also_after_an_error(notebook: Shown) -> None:
    assert in_notebook()

    def work() -> None:
        with heard(None) as listen:
            listen("training", 1, 2)
            listen("explaining", 1, 2)
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert [one["as"] for one in notebook] == ["new, raw True", "over, raw True", "over, raw True"]
    assert notebook[-1]["text/html"] == ""


def test_who_listens_hears_it_in_a_notebook_too(notebook: Shown) -> None:
    told = []
    with heard(lambda *what: told.append(what)) as listen:
        listen("training", 1, 2)
    assert (told, notebook) == ([("training", 1, 2)], [])


def test_a_terminal_of_ipython_is_no_notebook(notebook: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: object())
    assert not in_notebook()
