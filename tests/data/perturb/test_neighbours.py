from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.data.perturb.neighbours import Neighbours
from tests.data.perturb.cases import batch, texts


def by_brute_force(data, number, among):
    """The nearest words by cosine, in plain Python."""
    rows, words = data.task.vectors.double().tolist(), data.vocabulary.words

    def cosine(a, b):
        sizes = [sum(x * x for x in one) ** 0.5 for one in (a, b)]
        return sum(x * y for x, y in zip(a, b, strict=True)) / sizes[0] / sizes[1]

    others = [k for k in range(len(rows)) if k != number and any(rows[k]) and words[k].isalpha()]
    return sorted(others, key=lambda k: -cosine(rows[number], rows[k]))[:among]


@given(st.integers(1, 4), st.integers(1, 3))
def test_words_become_one_of_their_nearest(count, among):
    data, whole = texts(), batch(texts(), 4)
    changed = Neighbours(count=count, among=among).perturb(whole, data)
    for row in range(len(whole)):
        old, new = whole.inputs[row].tolist(), changed.batch.inputs[row].tolist()
        differ = [t for t in range(len(old)) if old[t] != new[t]]
        assert differ == changed.touched[row].nonzero()[:, 0].tolist()
        assert len(differ) in (0, count)
        for t in differ:
            assert bool(whole.mask[row, t])
            assert new[t] in by_brute_force(data, old[t], among)


def test_texts_of_too_few_such_words_are_refused():
    with pytest.raises(
        BadSetting, match=r"^neighbours:count=99: expected 99 words with a vector, but none of"
    ):
        Neighbours(count=99).perturb(batch(texts()), texts())


def test_more_neighbours_than_words_are_refused():
    known = sum(word.isalpha() for word in texts().vocabulary.words)
    Neighbours(among=known - 1).perturb(batch(texts()), texts())
    with pytest.raises(BadSetting) as caught:
        Neighbours(among=known).perturb(batch(texts()), texts())
    assert str(caught.value) == (
        f"neighbours:among={known}: expected among to be at most {known - 1}, as {known} words of 'planted' "
        f"have a vector, but got {known}: choose a smaller one"
    )


def test_without_vectors_it_is_refused():
    data = replace(texts(), task=replace(texts().task, vectors=None))
    with pytest.raises(BadSetting) as caught:
        Neighbours().perturb(batch(data), data)
    assert str(caught.value) == (
        "neighbours: expected word vectors, but 'planted' has none: name some with --vectors"
    )


def test_a_vocabulary_in_which_no_word_has_a_neighbour_is_refused():
    vectors = torch.zeros_like(texts().task.vectors)
    for word, said in ("<pad>", "none"), ("film", "1"):
        vectors[texts().vocabulary.index.get(word, 0)] = 1.0
        data = replace(texts(), task=replace(texts().task, vectors=vectors))
        with pytest.raises(BadSetting) as caught:
            Neighbours().perturb(batch(data), data)
        assert str(caught.value) == (
            "neighbours: expected two words or more that have a vector, so that they can be neighbours, but "
            f"of 'planted' {said} has one: name other vectors with --vectors"
        )
    with pytest.raises(BadSetting, match="neighbours: expected among to be 1 or more, but got 0"):
        Neighbours(among=0)
