import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console, Group, RenderableType
from rich.text import Text

from holdfast.core.errors import UnknownName
from holdfast.report.terminal import change_table, heat_table, image_table, kinds_table, printed
from holdfast.study.compare import compare_runs
from holdfast.study.findings import Example, Heat
from tests.report.explained import explained
from tests.study.tiny import finished


def shown(what: RenderableType, colour: bool = False, width: int = 120) -> str:
    """What a terminal gets."""
    sink = io.StringIO()
    Console(file=sink, width=width, highlight=False, force_terminal=colour, legacy_windows=False).print(what)
    return sink.getvalue()


def heat(**changes: object) -> Heat:
    about = {
        "explainer": "gradient_input", "signed": True, "scores": ((0.5, -0.5), (0.75, 0.25)),
        "consensus": (0.625, -0.125), "hold": 0.3, "low": 0.25, "high": 0.375, "verdict": "does not hold",
        "strongest": 0, "agree": 2,
    }  # fmt: skip
    return Heat(**(about | changes))  # type: ignore[arg-type]


def example(
    tokens: tuple[str, ...] = ("good", "film"), target: str = "positive", **changes: object
) -> Example:
    return Example("d", "cnn", "none", tokens, "", target, (0.5, 0.7), (0, 3), (heat(**changes),))


def test_a_text_as_every_seed_sees_it() -> None:
    lines = shown(heat_table(example())).splitlines()
    assert lines[0].startswith("positive: 60 % (50 to 70 over seeds)")
    said = "gradient input: 2 of 2 seeds: good; hold 0.30 [0.25, 0.37]"
    assert f"{said}: does not hold" in lines
    assert f"{said}: does not hold; lost: 3.1 %" in shown(heat_table(example(lost=0.031))).splitlines()
    assert said in shown(heat_table(example(verdict="undecided"))).splitlines()
    (head,) = [line for line in lines if line.startswith("word")]
    assert head.split() == ["word", "consensus", "0", "3"]
    (good,) = [line for line in lines if line.startswith("good")]
    assert "+0.62 " + "█" * 12 in good
    (film,) = [line for line in lines if line.startswith("film")]
    assert "-0.12 ▒▒" in film


def test_unknown_words_are_marked() -> None:
    text = shown(heat_table(replace(example(), unknown=(False, True))))
    assert "film (unknown)  -0.12" in text
    assert "good (unknown)" not in text
    assert text.count("Words marked as unknown are unknown to the model: all of them look alike to it.") == 1
    assert "unknown" not in shown(heat_table(replace(example(), unknown=(False, False))))


def test_there_is_a_word_only_where_it_is_decided() -> None:
    lines = shown(heat_table(example(verdict="undecided", strongest=1, agree=1))).splitlines()
    assert "gradient input: 1 of 2 seeds: film; hold 0.30 [0.25, 0.37]" in lines


def test_scores_that_miss_too_much_come_with_a_warning() -> None:
    care = "(its scores miss more than 5 % of what they should add up to: read them with care)"
    for lost, warned in ((0.049, False), (0.051, True)):
        said = " ".join(
            shown(heat_table(example(explainer="integrated_gradients:steps=8", lost=lost))).split()
        )
        assert f"; lost: {100 * lost:.1f} %" in said
        assert (care in said) == warned


def test_red_speaks_for_and_blue_against() -> None:
    text = shown(heat_table(example()), colour=True)
    (good,) = [line for line in text.splitlines() if line.startswith("good")]
    (film,) = [line for line in text.splitlines() if line.startswith("film")]
    assert good.count("\x1b[31m") == 2
    assert film.count("\x1b[34m") == 1


def test_no_scores_at_all_are_still_shown() -> None:
    flat = example(scores=((0.0, 0.0), (0.0, 0.0)), consensus=(0.0, 0.0), hold=None, low=None, high=None)
    assert "good" in shown(heat_table(flat))


@pytest.mark.parametrize("colour", [False, True])
def test_nothing_from_the_data_steers_the_terminal(colour: bool) -> None:
    tokens = ("[bold]x[/bold]", "\x1b[95mred")
    text = shown(heat_table(example(tokens, target="[red]yes[/red]\x1b]0;title\x07\n")), colour)
    assert "[bold]x[/bold]" in text
    assert "[red]yes[/red]" in text
    assert "\\x1b[95mred" in text
    assert "\\x1b]0;title\\x07" in text
    assert "\x1b[95m" not in text
    assert "\x07" not in text
    assert "\x1b]" not in text


def test_closing_tags_without_opening_ones_are_no_error() -> None:
    assert "[/nonsense]" in shown(heat_table(example(("[/nonsense]", "]["))))


def test_an_image_as_every_seed_sees_it() -> None:
    lines = [line.rstrip() for line in shown(image_table(explained())).splitlines()]
    assert lines[:2] == [
        "right: 60 % (50 to 70 over seeds)",
        "test image 3 of bars (255 is white), labelled left; right blocks: 1 of 2, 50 % of the image",
    ]
    text, first = " ".join(lines), "2 of 2 seeds: the pixel in row 1, column 1"
    hold = "hold 0.30 [0.20, 0.38]: does not hold"
    assert f"LRP: {first}; {hold}, 83 % on the right blocks (66 to 100); lost: 2.5 %" in text
    assert f"sensitivity: {first}; no hold can be measured, 50 % on the right blocks (50 to 50)" in text
    assert [line.split() for line in lines[-5:]] == [
        ["strip", "LRP", "sensitivity"],
        ["1", "62", "%", "██████", "25", "%", "██████"],
        ["2", "0", "%", "25", "%", "██████"],
        ["3", "12", "%", "█", "25", "%", "██████"],
        ["4", "25", "%", "▒▒", "25", "%", "██████"],
    ]


def test_an_image_of_which_nothing_is_known() -> None:
    text = shown(
        image_table(
            explained(
                label="",
                truth=None,
                heats=tuple(replace(image, right=()) for image in explained().heats),
                left_out=(("attention", "no attention"),),
            )
        )
    )
    assert "labelled" not in text
    assert "right blocks" not in text
    assert "attention is left out: no attention." in text
    empty = replace(explained().heats[1], speaks_for=(0.0,) * 4)
    assert "  1    0 %" in shown(image_table(explained(heats=(empty,))))


@pytest.mark.parametrize("colour", [False, True])
def test_nothing_about_an_image_steers_the_terminal(colour: bool) -> None:
    bad = "[bold]x[/nonsense]\x1b[95m\x1b]0;title\x07"
    about = dict.fromkeys(("source", "label", "target"), bad)
    text = shown(image_table(explained(**about, left_out=((bad, bad),))), colour)
    assert text.count("[bold]x[/nonsense]") == 5
    assert "\x1b[95m" not in text
    assert "\x1b]" not in text
    assert "\x07" not in text


def test_what_changed() -> None:
    changes = compare_runs(finished(), finished("aswa"))
    text = shown(change_table(changes), width=80)
    assert "before: cnn:dim=8,filters=4, none" in text
    rows = [line for line in text.splitlines() if line.startswith(("explainer", "gradient input"))]
    assert [len(row.split("  ")[0]) for row in rows] == [len("explainer"), len("gradient input")]
    assert "-0." not in text
    assert changes.sentence in " ".join(text.split())


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("", ("models", "studies", "explainers", "planted", "seed-stability")),
        ("models", ("bilstm", "cnn", "filters=")),
        ("explainers", ("attention", "leave_one_out", "steps=")),
        ("repairs", ("naswa", "per=")),
        ("comparisons", ("jensen_shannon", "fraction=0.2")),
        ("probes", ("deletion", "patch=", "fill=background", "of=probability")),
        ("optimisers", ("adagrad", "adam", "sgd")),
        ("studies", ("seed-stability",)),
        ("data", ("planted", "sst2", "always there")),
    ],
)
def test_what_there_is(kind: str, names: tuple[str, ...], tmp_path: Path) -> None:
    text = shown(kinds_table(kind, tmp_path))
    for name in names:
        assert name in text


def test_a_list_has_whole_sentences() -> None:
    text = shown(kinds_table("explainers", None), width=1000)
    assert "and α is attention, computed by the explainer named in by." in text


def test_an_unknown_kind_offers_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'explainers'"):
        kinds_table("explainer", None)


def test_what_is_printed_is_plain_whatever_this_runs_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert printed(Group(Text("one", style="bold red"), Text("two   "))) == "one\ntwo"
