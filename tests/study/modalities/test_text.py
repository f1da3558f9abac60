"""Audits of texts show sentences."""

from holdfast.measure.verdict import scale_of
from holdfast.study.modality import modality
from tests.study.tiny import family

FAMILY = family(names=("attention",))
SCALES = {name: scale_of(e, rows=FAMILY.rows) for name, e in FAMILY.explanations.items()}


def test_sentences_are_shown_in_their_words() -> None:
    shown = modality("text").examples(FAMILY, SCALES)
    sentences = [tuple(FAMILY.dataset.tokens("test", row)) for row in FAMILY.rows.tolist()]
    assert len(shown) == 6
    assert all(one.tokens in sentences for one in shown)
    assert modality("text").pictures(FAMILY, SCALES) == []
