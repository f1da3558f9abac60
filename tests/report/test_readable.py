"""Pages name checkpoints by their folder; what is typed, and what is kept, keeps their digests."""

from dataclasses import replace

import pytest

from holdfast.report.html import render
from holdfast.report.notebook import render_cell
from holdfast.report.readable import readable, unpinned
from holdfast.study.findings import Findings
from tests.report.synthetic import make_findings

PINNED = "hf:path=minilm,sha256=05317c8a3c3439ba"


def test_a_page_has_the_folder_and_what_is_typed_the_digest() -> None:
    made = make_findings(model=PINNED)
    answer = replace(made.answer, do=f"Type: {PINNED}")
    notes = (f"Training of {PINNED} stopped early.",)
    pinned = replace(made, plan={"models": [PINNED]}, answer=answer, notes=notes)
    page = render(pinned)
    assert "Training of hf:path=minilm stopped early." in page
    assert page.count("sha256") == page.count(PINNED) == 3, "in the command, the advice and the plan"
    assert render_cell(pinned).count("sha256") == 1
    assert readable(pinned).answer.do == answer.do


def test_models_that_only_digests_tell_apart_keep_them(findings: Findings) -> None:
    two = replace(findings, plan=findings.plan | {"models": [PINNED, PINNED + "0"]})
    assert readable(two) is two
    assert readable(findings) is findings


@pytest.mark.parametrize(
    ("label", "short"),
    [
        (PINNED, "hf:path=minilm"),
        (f"{PINNED},train=all", "hf:path=minilm,train=all"),
        ("bert:sha256=05317c8a,train=all", "bert:train=all"),
        ("cnn:filters=8", "cnn:filters=8"),
    ],
)
def test_only_the_digest_goes(label: str, short: str) -> None:
    assert unpinned(label) == short
    assert unpinned(f"{label} stopped; {label}.") == f"{short} stopped; {short}."
