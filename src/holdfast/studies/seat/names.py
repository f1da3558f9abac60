"""How the page calls methods."""

from holdfast.studies.seat.plan import BOTH, NO_STABILITY, NO_TOPK, NONE, PRINTED, SEAT, SHARED
from holdfast.studies.seat.strengths import rival_of, strength_of

CALLED = {
    NONE: "vanilla",
    "word_at": "Word-AT",
    "word_iat": "Word-iAT",
    "attention_rp": "Attention-RP",
    "attention_at": "Attention-AT",
    "attention_iat": "Attention-iAT",
    SEAT: "SEAT",
    NO_STABILITY: "SEAT, top-k term alone",
    NO_TOPK: "SEAT, stability term alone",
    PRINTED: "SEAT as printed",
    SHARED: "SEAT, one teacher for all",
    "aswa": "ASWA",
    "naswa": "NASWA",
    BOTH: "SEAT + ASWA",
}


def method(repair: str) -> str:
    """A repair as the paper calls it; a rival without its strength.

    >>> method("word_at:strength=1.0"), method("seat:k=3")
    ('Word-AT', 'seat:k=3')
    """
    return CALLED.get(rival_of(repair) or repair, repair)


def with_strength(repair: str) -> str:
    """The same, a rival with its strength.

    >>> with_strength("word_at:strength=1.0")
    'Word-AT, ε = 1'
    """
    name = method(repair)
    return name if rival_of(repair) is None else f"{name}, ε = {strength_of(repair):g}"
