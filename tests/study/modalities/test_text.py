"""Audits of texts show sentences, and the questions that are asked of them."""

from pathlib import Path

import pytest
import torch

from holdfast.commands.audit import carry_out
from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Member
from holdfast.data.source import Source, load
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.models.text.cnn import Cnn
from holdfast.study.evidence import evidence_of
from holdfast.study.explain import explain_text
from holdfast.study.findings_file import read_findings
from holdfast.study.modality import modality
from holdfast.train.family import Family
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam
from tests.study.tiny import MODEL, family, here, plan

FAMILY = family(names=("attention",))
SCALES = evidence_of(FAMILY).scales
DATA = "planted-cloze:train=60,validation=20,test=20"
STORY, QUESTION = "@entity1 baked fresh bread . @entity2 fed young horses .", "___ fed young horses ."


def test_sentences_are_shown_in_their_words() -> None:
    shown = modality("text").examples(FAMILY, SCALES, "attention")
    sentences = [tuple(FAMILY.dataset.tokens("test", row)) for row in FAMILY.rows.tolist()]
    assert len(shown) == 6
    assert all(one.tokens in sentences for one in shown)
    assert modality("text").pictures(FAMILY, SCALES, "attention") == []


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cloze") / "run"
    explainers = ("attention", "leave_one_out")
    with here():
        carry_out(
            plan(data=(Source(DATA),), models=(MODEL,), seeds=2, explainers=explainers, fit=Fit(epochs=1)),
            folder,
        )
    return folder


def test_nothing_is_reported_by_entity(run: Path) -> None:
    findings = read_findings(run)
    assert not [row for row in findings.rows if row.by == "label" or "f1" in row.quantity]
    assert "f1" not in findings.answer.quality
    assert findings.answer.quality["chance_is"].startswith("picking ")
    learned = next(question for question in findings.answer.rows[0].questions if question.name == "learned")
    assert "balanced" not in learned.because
    assert {row.by for row in findings.rows if row.quantity == "truth"}


def test_the_question_is_shown(run: Path) -> None:
    findings, report = read_findings(run), (run / "report.html").read_text()
    assert all(example.query.startswith("@placeholder ") for example in findings.examples)
    assert f"asked of the text: <strong>{findings.examples[0].query}</strong>" in report


def test_a_new_question_is_explained(run: Path) -> None:
    example = explain_text(run, STORY, QUESTION)
    assert example.target in ("@entity1", "@entity2")
    assert example.query == "@placeholder fed young horses ."
    assert example.tokens[0] == "@entity1"
    with pytest.raises(
        BadSetting, match=r"^the texts of planted-cloze are pairs: give the question with --query$"
    ):
        explain_text(run, STORY)
    with pytest.raises(BadData, match=r"^expected a text that names two or more of the entities"):
        explain_text(run, "@entity1 baked fresh bread .", QUESTION)


def test_the_truth_is_found() -> None:
    """Leave-one-out of a small model that answers puts the words of the answering sentence first."""
    data = load(Source("planted-cloze:train=1500,validation=60,test=60"))
    model = Cnn(filters=16, dim=32, kernels=(1, 5), attention="dot")
    family = Family.fit(model, data, [Member(0)], Fit(epochs=8, patience=8, optimiser=Adam(lr=3e-3)))
    test = data.splits["test"]
    rows = torch.arange(len(test))
    batch = test.batch(rows)
    logits = family.run(0)(batch).logits
    assert float((logits.argmax(1) == test.targets).double().mean()) > 0.8
    scores = LeaveOneOut().scores(family.run(0), batch, test.targets).abs()
    truth = test.truth(rows).bool()
    above = [
        float((s[t][:, None] > s[m & ~t]).double().mean())
        for s, t, m in zip(scores, truth, batch.mask, strict=True)
    ]
    assert sum(above) / len(above) > 0.75
