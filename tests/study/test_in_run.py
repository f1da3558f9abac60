from pathlib import Path

import pytest

from holdfast.study.answer import ExplainerVerdict
from holdfast.study.findings_file import read_findings
from holdfast.study.in_run import best_first, in_run, sentence
from tests.study.tiny import copied, finished


def row(verdict: str, **about: object) -> ExplainerVerdict:
    between = ("shaky", "holds") if verdict == "undecided" else ()
    return ExplainerVerdict("d", "cnn", "none", "gradient_input", verdict, between, "", (), **about)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (row("holds", hold=0.8, low=0.72, high=0.9), "gradient input holds (0.80 [0.72, 0.90])."),
        (row("does not hold", hold=0.1), "gradient input does not hold (0.10)."),
        (row("says nothing"), "gradient input says nothing."),
        (row("does not matter", hold=0.9), "gradient input does not matter to the model (0.90)."),
        (row("undecided", hold=0.7), "gradient input is undecided between “shaky” and “holds” (0.70)."),
        (row("not learned", hold=0.7), "the models have not learned, so their explanations mean nothing."),
    ],
)
def test_each_word_is_a_sentence(one: ExplainerVerdict, said: str) -> None:
    assert sentence(one) == f"In this run {said}"


def test_it_is_the_row_of_this_family_and_explainer() -> None:
    answer = read_findings(finished()).answer
    for one in answer.rows:
        assert in_run(finished(), one.model, one.repair, one.explainer) == sentence(one)
    assert in_run(finished(), answer.rows[0].model, "aswa", "attention").startswith(
        "This run's audit did not"
    )


def test_the_explainer_to_show_comes_first_and_what_is_not_judged_last() -> None:
    answer = read_findings(finished()).answer
    family = answer.rows[0].model, answer.rows[0].repair
    judged = [row.explainer for row in answer.rows if (row.model, row.repair) == family]
    assert len(judged) > 1
    asked = ["random", *reversed(judged), "lrp"]
    assert best_first(finished(), *family, asked) == (*judged, "random", "lrp")
    assert best_first(finished(), family[0], "aswa", asked) == tuple(asked)


@pytest.mark.parametrize("content", [None, "{", '{"schema": 1}'])
def test_a_verdict_that_cannot_be_read_is_said(tmp_path: Path, content: str | None) -> None:
    run = copied(tmp_path / "run")
    (run / "verdict.json").unlink()
    if content is not None:
        (run / "verdict.json").write_text(content)
    said = in_run(run, "cnn", "none", "attention")
    assert said == "What the audit of this run said cannot be read: run its command again."
