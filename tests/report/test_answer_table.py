import io

import pytest
from rich.console import Console

from holdfast.report.answer_table import answer_table
from holdfast.study.answer import Members
from tests.report.hostile import HOSTILE
from tests.study.answers import QUALITY, answer, row

COMMAND = (
    "holdfast audit reviews.csv --text review --label stars --repair none,aswa --explainer lrp --device cpu"
)
ROWS = (
    row("integrated_gradients", "undecided", 0.65),
    row("leave_one_out", "does not hold", 0.2),
    row("attention", "does not matter"),
)


def shown(made, width=80, colour=False):
    """What a terminal gets."""
    sink = io.StringIO()
    console = Console(file=sink, width=width, highlight=False, force_terminal=colour, legacy_windows=False)
    console.print(answer_table(made), crop=False)
    return sink.getvalue()


def test_the_answer_at_80_columns():
    made = answer(*ROWS, do=f"Try a repair: {COMMAND}", headline="Undecided between shaky and holds: a.")
    assert [line.rstrip() for line in shown(made).splitlines()] == [
        "UNDECIDED",
        "Undecided between shaky and holds: a.",
        "Because of integrated_gradients.",
        "Try a repair:",
        f"  {COMMAND}",
        "explainer             says    survives a seed      matters  verdict",
        "integrated gradients  ✓ 0.90  ? 0.65 [0.55, 0.75]  ✓ 0.90   undecided",
        "leave one out         ✓ 0.90  ✗ 0.20 [0.10, 0.30]  ✓ 0.90   does not hold",
        "attention             ✓ 0.90  ✓ 0.80 [0.70, 0.90]  ✗ 0.90   does not matter",
        "✓ passed, ✗ failed, ? undecided, – not asked; a hold of 1 is the same again",
        "✓ Accuracy 84.0 % ± 1.0 over 10 seeds (50.0 % by always predicting the most",
        "common class).",
        "✓ Confidence: why calibrated.",
    ]


def test_a_wide_terminal_has_every_interval():
    text = shown(answer(*ROWS), 120)
    assert "integrated gradients  ✓ 0.90 [0.80, 1.00]  ? 0.65 [0.55, 0.75]  ✓ 0.90 [0.80, 1.00]" in text
    assert "says something" in text


def test_where_there_are_several_families_the_confidence_is_that_of_one_that_is_named():
    made = answer(*ROWS, row("gradient_input", "shaky", 0.5, repair="aswa"))
    assert f"✓ Confidence ({made.row.model}): why calibrated." in shown(made)


@pytest.mark.parametrize("width", [66, 80, 100, 120])
def test_intervals_are_never_broken_nor_words_of_names(width):
    made = answer(*ROWS, row("gradient_input", "shaky", 0.5, repair="aswa"))
    text = shown(made, width)
    for whole in ("? 0.65 [0.55, 0.75]", "✗ 0.20 [0.10, 0.30]", "integrated", "attention", "does not matter"):
        assert whole in text


def test_several_families_are_told_apart():
    text = shown(answer(row("lrp"), row("lrp", "shaky", 0.5, repair="aswa")))
    assert "cnn with aswa  LRP" in text


def test_a_question_without_a_value_is_its_mark():
    text = shown(answer(row("lrp", "undecided", None)))
    assert [line.split() for line in text.splitlines() if line.startswith("LRP")] == [
        ["LRP", "✓", "0.90", "?", "✓", "0.90", "undecided"]
    ]


def test_members_left_out_are_named():
    text = shown(answer(members=Members(9, ({"seed": 7, "why": "diverged in epoch 2"},))))
    assert "Seed 7 is left out: diverged in epoch 2." in text


def test_f1_names_its_classes():
    f1 = {"macro": {"mean": 0.5, "sd": 0.1, "n": 3}, "by_class": {"bad": 0.4, "good": 0.6}}
    assert "Macro-F1 50.0 %; bad: 40.0 %, good: 60.0 %." in shown(answer(quality=QUALITY | {"f1": f1}))
    many = f1 | {"by_class": {f"c{i}": i / 10 for i in range(9, 0, -1)}}
    lowest = "Macro-F1 50.0 %; the lowest, c1: 10.0 %, c2: 20.0 %, c3: 30.0 %, c4: 40.0 %."
    assert lowest in shown(answer(quality=QUALITY | {"f1": many}))


def test_nothing_was_judged():
    made = answer(decides=None, rows=(), verdict="says nothing", headline="Nothing can be shown.")
    assert shown(made).startswith("SAYS NOTHING\nNothing can be shown.")
    assert "explainer" not in shown(made)


@pytest.mark.parametrize("colour", [False, True])
def test_nothing_of_the_data_steers_the_terminal(colour):
    bad = f"[bold]x[/nonsense]\x1b[95m\x1b]0;title\x07{HOSTILE}"
    made = answer(
        row(bad, model=bad, repair=bad), row("b"), headline=bad, reason=bad, do=bad,
        members=Members(2, ({"seed": 1, "why": bad},)),
        quality=QUALITY | {"chance_is": bad, "f1": {"macro": {"mean": 0.5}, "by_class": {bad: 0.5}}},
    )  # fmt: skip
    text = shown(made, 300, colour)
    assert "[bold]x[/nonsense]" in text
    assert "\x1b[95m" not in text
    assert "\x1b]" not in text
    assert "\x07" not in text
