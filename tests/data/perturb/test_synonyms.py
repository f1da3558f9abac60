import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.perturb.synonyms import FUNCTION_WORDS, Synonyms
from holdfast.testing.perturbation import check_perturbation
from tests.data.perturb.cases import batch, texts
from tests.data.perturb.dictionary import archive, dictionary


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Every two words that follow one another in the vocabulary are synonyms, alternately as nouns and as
    verbs."""
    words = [word for word in texts().vocabulary.words[2:] if word.isalpha()]
    pairs = list(zip(words[::2], words[1::2], strict=False))
    senses = [(("noun", "verb")[number % 2], pair) for number, pair in enumerate(pairs)]
    return archive(tmp_path_factory.mktemp("data"), dictionary(senses))


def test_the_contract_is_kept(folder):
    check_perturbation(Synonyms(), texts(), batch(texts()), folder)


@given(st.integers(1, 3))
def test_words_become_their_synonyms(folder, count):
    words = [word for word in texts().vocabulary.words[2:] if word.isalpha()]
    whole, index = batch(texts()), texts().vocabulary.words
    changed = Synonyms(count=count).perturb(whole, texts(), folder)
    for row in range(len(whole)):
        old, new = whole.inputs[row].tolist(), changed.batch.inputs[row].tolist()
        differ = [t for t in range(len(old)) if old[t] != new[t]]
        assert differ == changed.touched[row].nonzero()[:, 0].tolist()
        assert len(differ) in (0, count)
        for t in differ:
            place = words.index(index[old[t]])
            assert index[new[t]] == words[place ^ 1]
            assert index[old[t]] not in FUNCTION_WORDS


def test_a_missing_dictionary_says_where_to_get_it(tmp_path, monkeypatch):
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)
    with pytest.raises(BadData) as caught:
        Synonyms().perturb(batch(texts()), texts(), tmp_path)
    assert str(caught.value).startswith(
        "synonyms need wordnet/wordnet-3.0-dict.tar.gz, the dictionary files of WordNet 3.0, published on "
        f"https://wordnet.princeton.edu: put the file into {tmp_path} (looked in "
    )


def test_texts_without_synonyms_are_refused(tmp_path):
    made = archive(tmp_path, dictionary([("noun", ("unheard", "unseen"))]))
    with pytest.raises(BadSetting, match="expected 1 word with a synonym that the models know, but none of"):
        Synonyms().perturb(batch(texts()), texts(), made)
    with pytest.raises(BadSetting, match="synonyms: expected senses to be 1 or more, but got 0"):
        Synonyms(senses=0)
