"""Audits of texts show sentences."""

from holdfast.study.evidence import evidence_of
from holdfast.study.modality import modality
from tests.study.tiny import family

FAMILY = family(names=("attention",))
SCALES = evidence_of(FAMILY).scales


def test_sentences_are_shown_in_their_words() -> None:
    shown = modality("text").examples(FAMILY, SCALES, "attention")
    sentences = [tuple(FAMILY.dataset.tokens("test", row)) for row in FAMILY.rows.tolist()]
    assert len(shown) == 6
    assert all(one.tokens in sentences for one in shown)
    assert modality("text").pictures(FAMILY, SCALES, "attention") == []
