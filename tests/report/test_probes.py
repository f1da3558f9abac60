from dataclasses import replace

from holdfast.report.page import Table
from holdfast.report.probes import COLUMNS, FLIPS, SAID, measured_by, probed
from holdfast.report.sections import glossary, sections
from holdfast.study.findings import without_text
from holdfast.study.measurement import Measurement
from tests.report.synthetic import make_findings

FINDINGS = make_findings()
FAMILY = ("planted", "cnn", "none")
FALL = "fall of the probability, higher is better"
TITLE = "Do the models need what explanations point at?"


def measured(repair: str = "none", probe: str = "comprehensiveness") -> list[Measurement]:
    def row(quantity: str, value: float, explainer: str = "") -> Measurement:
        ends = (value - 0.1, value + 0.1, 10)
        return Measurement("planted", "cnn", repair, quantity, value, *ends, explainer=explainer, probe=probe)

    own = [row("drop_random", 0.125), row("drop_leave_one_out", 0.5)]
    own += [row("drop", 0.375, name) for name in ("attention", "leave_one_out")]
    return [*own, row("drop_gain", 0.25, "attention"), row("drop_share", 0.75, "attention")]


def table_of(rows: list[Measurement]) -> Table:
    (table,) = probed(rows).folded
    return table


def test_a_line_for_each_explainer_with_the_random_order_beside_it() -> None:
    table = table_of(measured())
    assert table.columns == COLUMNS
    spoken = [[entry if isinstance(entry, str) else entry.text for entry in line] for line in table.rows]
    assert spoken == [
        ["attention", "comprehensiveness", FALL, "0.375", "0.125", "0.250", "0.750"],
        ["leave one out", "comprehensiveness", FALL, "0.375", "0.125", "–", "–"],
    ]
    assert table.caption.startswith("A share of the parts is deleted, the highest scores first")
    assert table.caption.endswith(SAID)


def test_families_are_named_where_there_are_several() -> None:
    table = table_of([*measured(), *measured("aswa", "mine.py:Mine,k=3")])
    assert table.columns[:3] == ("data", "model", "repair")
    assert [line[2:5] for line in table.rows[1:3]] == [
        ("none", "leave one out", "comprehensiveness"),
        ("aswa", "attention", "mine.py:Mine,k=3"),
    ]


def test_what_is_measured_is_said_and_which_direction_is_better() -> None:
    assert [
        measured_by(probe) for probe in ("comprehensiveness:of=evidence", "sufficiency", "flipping_noise")
    ] == [
        "fall of the evidence (logit), higher is better",
        "fall of the probability, lower is better",
        "smallest noise that flips the prediction (L2), lower is better",
    ]
    assert measured_by("gone.py:Gone,k=3") == "as the probe says"
    assert measured_by("comprehensiveness:steps=3") == "as the probe says"  # a setting that an old run had


def test_where_noise_was_looked_for_it_is_said_how_often_none_flipped() -> None:
    never = Measurement(
        *FAMILY, "drop_unflipped", 0.5, 0.25, 0.75, 10, explainer="attention", probe="flipping_noise"
    )
    table = table_of([*measured(probe="flipping_noise"), never])
    assert table.columns == (*COLUMNS, "never flipped")
    assert [line[-1].text for line in table.rows] == ["0.500", "–"]
    assert table.caption.endswith(FLIPS)


def test_nothing_is_shown_where_nothing_was_probed() -> None:
    assert probed(FINDINGS.rows).empty
    assert TITLE not in [section.title for section in sections(FINDINGS)]


def test_the_report_has_the_table_and_says_what_the_probe_is() -> None:
    found = sections(without_text(replace(FINDINGS, rows=(*FINDINGS.rows, *measured()))))
    assert TITLE in [section.title for section in found]
    assert any("Comprehensiveness" in line and "probe" in line for line in glossary(measured()).rows)


def test_changes_of_attention_have_a_table_of_their_own() -> None:
    def row(quantity: str, value: float, by: str = "all") -> Measurement:
        ends = (value - 0.01, value + 0.01, 10)
        probe = "adversarial_attention" if quantity == "adversarial" else "attention_permutation:shuffles=10"
        return Measurement("planted", "cnn", "none", quantity, value, *ends, probe=probe, by=by)

    table = table_of(
        [row("permutation", 0.125), row("permutation", 0.5, "confidence"), row("adversarial", 0.25)]
    )
    assert table.columns == ("change of attention", "what is measured", "mean")
    assert [line[1] for line in table.rows] == [
        "change of the predicted class's probability",
        "distance to the model's own attention (Jensen–Shannon)",
    ]
    assert [line[2].text for line in table.rows] == ["0.125", "0.250"]
