import gzip

import pytest

from holdfast.core.errors import BadData
from holdfast.data.text.wordnet import locate, read_wordnet
from tests.data.perturb.dictionary import archive, dictionary

SENSES = [
    ("noun", ("Film", "movie", "moving_picture")),
    ("noun", ("coat", "film")),
    ("verb", ("film", "shoot")),
    ("adj", ("ready(p)", "prepared")),
]


def test_senses_come_in_their_order_and_by_part_of_speech(tmp_path):
    path = locate(archive(tmp_path, dictionary(SENSES)))
    known = read_wordnet(path, {"film", "ready", "absent"})
    assert known.part_of("film") == "noun"
    assert known.synonyms("film") == ("movie",)
    assert known.synonyms("film", senses=2) == ("movie", "coat")
    assert known.synonyms("ready") == ("prepared",)
    assert (known.part_of("absent"), known.synonyms("absent")) == (None, ())
    assert known.synonyms("movie") == (), "it was not asked for"


def test_the_part_of_speech_is_the_one_that_is_counted_most(tmp_path):
    counts = ["film%1:06:00:: 1 2", "film%2:36:00:: 1 3", "film%1:10:00:: 2 0", "ready%5:00:00:now:00 1 9"]
    known = read_wordnet(locate(archive(tmp_path, dictionary(SENSES, counts))), {"film", "ready"})
    assert known.counts == {("film", "noun"): 2, ("film", "verb"): 3, ("ready", "adj"): 9}
    assert known.part_of("film") == "verb"
    assert known.synonyms("film") == ("shoot",)


def test_damaged_files_are_refused(tmp_path):
    files = dictionary(SENSES)
    del files["data.verb"]
    path = locate(archive(tmp_path / "a", files))
    with pytest.raises(BadData, match=r"but data\.verb is missing"):
        read_wordnet(path, {"film"})
    files = dictionary(SENSES)
    files["data.noun"] = " " + files["data.noun"]
    path = locate(archive(tmp_path / "b", files))
    with pytest.raises(BadData, match="expected lines as WordNet"):
        read_wordnet(path, {"film"})
    path.write_bytes(gzip.compress(b"no archive at all" * 99))
    with pytest.raises(BadData, match="is not a readable archive"):
        read_wordnet(path, {"film"})
    path.write_bytes(b"not even packed")
    with pytest.raises(BadData, match="gzip"):
        read_wordnet(path, {"film"})
