import re
from dataclasses import replace

import pytest

from holdfast.measure.question import Question
from holdfast.report.markdown import escaped, markdown
from tests.report.hostile import HOSTILE
from tests.study.answers import answer, row


def test_the_whole_summary():
    lrp = row("lrp")
    warned = Question("calibrated", "warning", 0.085, 0.06, 0.1)
    made = answer(
        replace(lrp, questions=(*lrp.questions[:4], warned)),
        row("integrated_gradients", "undecided", 0.65),
        row("attention", "says nothing", None, repair="aswa"),
        do="Try a repair: holdfast audit --repair none,aswa --device cpu",
    )
    assert markdown(made) == (
        "### Holdfast: holds\n"
        "\n"
        "**Show lrp.** Try a repair\\: `holdfast audit --repair none,aswa --device cpu`\n"
        "\n"
        "| family | explainer | learned | says something | survives a seed | matters "
        "| confidence right | verdict |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
        "| cnn | LRP | ✓ 0.90 \\[0.80, 1.00\\] | ✓ 0.90 \\[0.80, 1.00\\] | ✓ 0.80 \\[0.70, 0.90\\] "
        "| ✓ 0.90 \\[0.80, 1.00\\] | \\! 0.08 \\[0.06, 0.10\\] | **holds** |\n"
        "| cnn | integrated gradients | ✓ 0.90 \\[0.80, 1.00\\] | ✓ 0.90 \\[0.80, 1.00\\] "
        "| ? 0.65 \\[0.55, 0.75\\] | ✓ 0.90 \\[0.80, 1.00\\] | ✓ 0.90 \\[0.80, 1.00\\] "
        "| **undecided** |\n"
        "| cnn with aswa | attention | ✓ 0.90 \\[0.80, 1.00\\] | ✗ 0.90 \\[0.80, 1.00\\] | ✓ "
        "| ✓ 0.90 \\[0.80, 1.00\\] | ✓ 0.90 \\[0.80, 1.00\\] | **says nothing** |\n"
        "\n"
        "✓ passed, ✗ failed, ? undecided, – not asked, ! a warning. Values with their 95 % intervals over "
        "seeds.\n"
        "\n"
        "Accuracy 84.0 % ± 1.0 over 10 seeds \\(50.0 % by always predicting the most common class\\).\n"
    )


def test_one_family_needs_no_column():
    assert "| explainer | learned |" in markdown(answer(row("a"), row("b")))


def test_nothing_was_judged():
    assert "|" not in markdown(answer(decides=None, rows=(), headline="Nothing can be shown."))


@pytest.mark.parametrize(
    "text", [HOSTILE, "a | b\n| c", "`x`", "<script>", "[a](http://b)", "@you #1 www.evil.org"]
)
def test_no_name_is_live(text):
    made = markdown(answer(row(text), headline=text, do=f"See {text}: holdfast audit {text}"))
    plain = markdown(answer(row("a"), headline="b", do="See c: holdfast audit d"))
    assert made.count("\n") == plain.count("\n")
    (cells,) = [line for line in made.splitlines() if "0.80" in line]
    unescaped = cells.replace("\\\\", "").replace("\\|", "")
    assert unescaped.count("|") == 8
    letters = re.sub(r"\\.|<!-- -->|^\*\*|\*\* See", "", made.splitlines()[2].partition("`")[0])
    assert not set(letters) & set("<>[]()*_`|")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("*a* _b_", "\\*a\\* \\_b\\_"),
        ("@you #1", "@<!-- -->you #<!-- -->1"),
        ("www.evil.org http://x", "www\\.evil.org http\\://x"),
        ("a\n\tb\x1b", "a  b\\\\x1b"),
        ("$x$ &amp; ~~y~~", "\\$x\\$ \\&amp; \\~\\~y\\~\\~"),
        ("0.5 %, ok.", "0.5 %, ok."),
    ],
)
def test_markup_is_letters(text, shown):
    assert escaped(text) == shown


def test_backticks_of_a_command_do_not_end_it():
    made = markdown(answer(do="Try: holdfast audit 'a`b``c'"))
    assert "``` holdfast audit 'a`b``c' ```" in made


def test_a_run_from_before_a_question_was_asked_has_a_dash():
    older = row("lrp")
    made = markdown(answer(replace(older, questions=older.questions[:4])))
    assert "\\[0.80, 1.00\\] | – | **holds** |" in made
