import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.text.vocabulary import LONGEST, Vocabulary, tokenise
from tests.reference import text as reference

PIECES = st.sampled_from(
    ["isn't", "is", "n't", "'s", "it's", "3.5", "1,000", ".", "...", "-", "é", "😀", "a_b", "don’t"]
)
TEXTS = st.one_of(
    st.text(max_size=200), st.lists(PIECES, max_size=60).map(" ".join), st.lists(PIECES).map("".join)
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("They won't go, it's O'Brien's.", "they wo n't go , it 's o ' brien 's ."),
        ("wo n't sit still", "wo n't sit still"),
        ("don’t we’ve I’m you'd she'll", "do n't we 've i 'm you 'd she 'll"),
        ("'so-called' \"art\"", "' so - called ' \" art \""),
        ("1930s 3.5 1,000 10.", "1930s 3.5 1,000 10 ."),
        ("#sad @user 😀😀", "# sad @ user 😀 😀"),
        ("Ça été naïve", "ça été naïve"),
        ("a\u200bb \ufeff\x00 c", "a b c"),
        (" \t\n ", ""),
    ],
)
def test_tokenise(text: str, tokens: str) -> None:
    assert tokenise(text) == tokens.split()


@given(TEXTS)
def test_tokens_stay_as_they_are(text: str) -> None:
    tokens = tokenise(text)
    assert tokenise(" ".join(tokens)) == tokens
    assert not any(token.split() != [token] for token in tokens)


@given(TEXTS, st.integers(0, 12), st.integers(1, 40))
def test_a_limit_gives_the_first_tokens(text: str, limit: int, times: int) -> None:
    long = text * times
    assert tokenise(long, limit) == tokenise(long)[:limit]


@pytest.mark.parametrize("unit", ["a", "1", ".", "'", "n't", "1,", "1.", "a ", "n'", "_", "é", "😀", " "])
def test_a_million_characters_take_linear_time(unit: str) -> None:
    start = time.process_time()
    tokens = tokenise(unit * (1_000_000 // len(unit)))
    assert time.process_time() - start < 10
    assert max(map(len, tokens), default=0) <= max(LONGEST, 16 * 5 + 4)


@given(
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=8),
    st.integers(1, 3),
    st.one_of(st.none(), st.integers(1, 4)),
)
def test_count_is_the_naive_count(texts: list[list[str]], min_count: int, max_words: int | None) -> None:
    assert list(Vocabulary.count(texts, min_count, max_words).words) == reference.vocabulary(
        texts, min_count, max_words
    )


def test_encode() -> None:
    words = Vocabulary.count([["b", "a", "a"]])
    assert words.words == ("<pad>", "<unk>", "a", "b")
    assert words.encode(["b", "z", "a"]) == [3, 1, 2]
    assert len(words) == 4
