from holdfast.report.modality import modality
from holdfast.report.standing import agreed, although, held, notes, strongest_pixel, strongest_word
from holdfast.study.findings import Standing
from tests.report.explained import LRP, explained


def test_agreement_comes_first_then_the_hold() -> None:
    assert agreed(9, 10, "dull") == "9 of 10 seeds: dull"
    assert held(0.699, 0.1, 0.9, Standing("shuffled")) == "hold 0.69 [0.10, 0.90] against shuffled"
    assert held(0.5, None, None, None) == "hold 0.50"
    assert held(-0.3, -0.9, 0.1, None) == "hold 0.00 [0.00, 0.10]"
    assert held(None, None, None, Standing(None)) == "no hold can be measured"


def test_what_is_strongest_has_a_name() -> None:
    assert strongest_word(LRP, ("good", "film")) == "good"
    assert strongest_word(LRP, ()) == ""
    assert strongest_pixel(LRP, explained()) == "the pixel in row 1, column 1"
    assert strongest_pixel(LRP, explained(width=3, height=2)) == "the pixel in row 1, column 1"


def test_what_stands_beside_it() -> None:
    standing = Standing("shuffled", (("another input", "there is none"),), "In this run lrp is shaky (0.50).")
    assert notes(standing) == (
        "In this run lrp is shaky (0.50).",
        "Not measured against another input: there is none.",
    )
    assert notes(None) == notes(Standing(None)) == ()


def test_it_is_said_why_seeds_agree_and_it_does_not_hold_all_the_same() -> None:
    unit = modality("interaction").unit
    said = although(5, 5, "does not hold", "another input", unit)
    assert said == (
        "Most seeds name this item, but two seeds are hardly more alike than one and what another seed says "
        "of another history."
    )
    for agree, verdict, nearest in ((2, "does not hold", "shuffled"), (5, "shaky", "shuffled")):
        assert although(agree, 5, verdict, nearest, unit) == ""
