"""Audits of texts show sentences."""

from holdfast.measure.verdict import scale_of
from holdfast.study.modality import modality
from tests.study.tiny import cell

CELL = cell(names=("attention",))
SCALES = {name: scale_of(e, rows=CELL.rows) for name, e in CELL.explanations.items()}


def test_sentences_are_shown_in_their_words() -> None:
    shown = modality("text").examples(CELL, SCALES)
    sentences = [tuple(CELL.dataset.tokens("test", row)) for row in CELL.rows.tolist()]
    assert len(shown) == 6
    assert all(one.tokens in sentences for one in shown)
    assert modality("text").pictures(CELL, SCALES) == []
