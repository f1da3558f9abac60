import io
from dataclasses import replace

from rich.console import Console

from holdfast.measure.question import Question
from holdfast.report.answer_table import answer_table
from holdfast.report.changes import SAID, changes
from holdfast.report.junit import junit
from holdfast.report.markdown import markdown
from holdfast.report.marks import columns
from holdfast.report.matrix import matrix
from holdfast.report.modality import modality
from holdfast.report.sections import glossary, sections
from holdfast.study.headline import headline
from holdfast.study.measurement import Measurement
from tests.report.synthetic import make_findings

FINDINGS = make_findings()
TITLE = "Do explanations survive a small change of the input?"
ASKED = Question(
    "survives_change", "failed", 0.3125, 0.25, 0.375, 0.4, ("does not hold",), "hold 0.31 under typos"
)


def measured(change="typos", repair="none"):
    def row(quantity, value):
        about = {"explainer": "gradient", "by": "perturbation", "bin": change}
        return Measurement("planted", "cnn", repair, quantity, value, value - 0.1, value + 0.1, 40, **about)

    return [row("hold_change", 0.5), row("hold_unflipped", 0.625), row("flips", 0.25)]


def asked():
    """The answer with the question on its first row."""
    first, *others = FINDINGS.answer.rows
    questions = (*first.questions[:3], ASKED, *first.questions[3:])
    return replace(FINDINGS.answer, rows=(replace(first, questions=questions), *others))


def test_a_line_for_each_explainer_and_change():
    (table,) = changes([*measured(), *measured("dropped:count=2")]).tables
    assert table.columns == ("explainer", "change", "hold", "unflipped", "flips", "changed examples")
    spoken = [[entry if isinstance(entry, str) else entry.text for entry in line] for line in table.rows]
    assert spoken[0] == ["gradient", "typos", "0.50", "0.62", "25.0 %", "40"]
    assert spoken[1][:3] == ["gradient", "dropped (count=2)", "0.50"]
    assert table.caption.startswith("Random words of a text, count of them, are misspelt")
    assert table.caption.endswith(SAID)
    several = changes([*measured(), *measured(repair="aswa")]).tables[0]
    assert several.columns[:3] == ("data", "model", "repair")


def test_the_report_has_it_only_where_it_was_asked_for():
    assert changes(FINDINGS.rows).empty
    found = sections(replace(FINDINGS, rows=(*FINDINGS.rows, *measured())))
    assert TITLE in [section.title for section in found]
    assert any(line[1] == "perturbation" for line in glossary(measured()).rows)


def test_every_view_of_the_answer_has_a_column_for_it(capsys):
    plain, with_it = FINDINGS.answer, asked()
    unit = modality(FINDINGS.kind).unit
    assert "survives_change" not in columns(plain)
    assert list(columns(with_it))[2:4] == ["survives", "survives_change"]
    assert "survives a change" not in matrix(plain, unit).columns
    drawn = matrix(with_it, unit)
    assert drawn.columns[3] == "survives a change"
    assert "survives a change" in dict(drawn.readings)
    assert "survives a change" not in dict(matrix(plain, unit).readings)
    line = drawn.groups[0].lines[0].questions[3]
    assert (line.mark, line.span.text, line.span.interval) == ("✗", "0.31", "[0.25, 0.37]")
    assert all(len(one.questions) == len(drawn.columns) for group in drawn.groups for one in group.lines)
    assert "| a change |" in markdown(with_it)
    assert "a change" not in markdown(plain)
    assert 'name="does it survive a small change of the input?"' in junit(with_it)
    assert "✗ 0.31" in shown(with_it)
    assert "✗ 0.31" not in shown(plain)


def test_the_headline_says_which_hold_decides():
    first = asked().rows[0]
    failed = replace(first, verdict="does not hold", between=())
    failed = replace(
        failed, questions=tuple(replace(q, answer="passed") if q != ASKED else q for q in failed.questions)
    )
    assert headline([failed], "word").endswith(
        "it does not hold (hold 0.31 [0.25, 0.37] when the input changes a little)."
    )
    good = replace(first, explainer="random_order", verdict="holds", between=())
    assert "(does not hold when the input changes a little)" in headline([good, failed], "word")


def shown(answer):
    """What a wide terminal shows."""
    console = Console(width=140, record=True, file=io.StringIO())
    console.print(answer_table(answer))
    return console.export_text()
