from holdfast.data.text.planted_words import ADJECTIVES, ASPECTS, ELSEWHERE, NOUNS, OTHERS, SELDOM, VERBS

POLAR = {tone: [*ADJECTIVES[tone], *SELDOM[tone], *NOUNS[tone], *VERBS[tone]] for tone in (True, False)}


def test_praise_and_blame_share_no_word() -> None:
    words = POLAR[True] + POLAR[False]
    assert len(set(words)) == len(words)
    assert not set(words) & {*ASPECTS, *ELSEWHERE, *OTHERS}


def test_what_matters_and_what_does_not_share_no_word() -> None:
    assert not set(ASPECTS) & {*ELSEWHERE, *OTHERS}
