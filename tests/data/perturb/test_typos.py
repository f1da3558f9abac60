from hypothesis import given
from hypothesis import strategies as st

from holdfast.data.perturb.typos import Typos, misspelt
from tests.data.perturb.cases import batch, texts


@given(st.integers(1, 3))
def test_only_so_many_long_words_are_misspelt(count):
    whole, words = batch(texts()), texts().vocabulary.words
    changed = Typos(count=count).perturb(whole, texts())
    for row in range(len(whole)):
        old, new = whole.inputs[row].tolist(), changed.batch.inputs[row].tolist()
        differ = [t for t in range(len(old)) if old[t] != new[t]]
        assert differ == changed.touched[row].nonzero()[:, 0].tolist()
        assert len(differ) in (0, count)
        for t in differ:
            assert len(words[old[t]]) >= 4
            assert bool(whole.mask[row, t])
            assert new[t] == 1 or words[new[t]] in misspelt(words[old[t]])
        assert changed.batch.mask[row].tolist() == whole.mask[row].tolist()


def test_misspellings_by_one_slip():
    for typo in misspelt("aabcd"):
        assert typo != "aabcd"
        assert abs(len(typo) - 5) <= 1
        if len(typo) == 5:
            assert sorted(typo) == sorted("aabcd")
    assert len(set(misspelt("abcd"))) == 3 + 4 + 4
