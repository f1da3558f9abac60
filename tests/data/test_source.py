import gzip
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from holdfast.core.errors import BadData, BadSetting, UnknownName
from holdfast.data.frame import Frame
from holdfast.data.source import Source, available, digest, load, reads, source_of, taken_for
from holdfast.data.text.sets.planted import Planted
from holdfast.testing.dataset import check_dataset
from tests.data.histories import names_of, put_csv, rows

SMALL = Source("planted:train=40,validation=10,test=20")


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    lines = [f"{'good' if i % 2 else 'bad'} film number {i},{i % 2}" for i in range(40)]
    path = tmp_path / "reviews.csv"
    path.write_text("review,stars\n" + "\n".join(lines) + "\n")
    return path


def test_a_file(table: Path) -> None:
    source = Source(str(table))
    data = load(source)
    assert data.name == "reviews"
    assert data.task.classes == ("0", "1")
    check_dataset(data, again=lambda: load(source))


def test_a_few_rows_without_a_label_are_dropped_unless_it_is_strict(table: Path) -> None:
    table.write_text(table.read_text() + "no stars,\n")
    assert load(Source(str(table))).notes[1] == "1 of 41 rows had no label: dropped."
    with pytest.raises(BadData, match=r"reviews\.csv: 1 of 41 rows has no label \(row 41\): fix or remove"):
        load(Source(str(table), strict=True))


def test_a_source_can_be_written_as_json() -> None:
    assert Source(**asdict(SMALL)) == SMALL


def test_the_test_texts_of_planted_data_do_not_depend_on_sizes() -> None:
    small, large = load(SMALL), load(replace(SMALL, data="planted:train=60,validation=10,test=20"))
    assert [small.tokens("test", row) for row in range(20)] == [
        large.tokens("test", row) for row in range(20)
    ]


def test_the_digest_changes_with_data_and_settings(table: Path, tmp_path: Path) -> None:
    source = Source(str(table))
    before = digest(source)
    assert digest(source) == before
    assert len(before) == 64
    others = {
        digest(replace(source, **{name: 9})) for name in ("max_length", "min_count", "max_words", "limit")
    }
    moved = tmp_path / "elsewhere" / "reviews.csv"
    moved.parent.mkdir()
    moved.write_bytes(table.read_bytes())
    assert digest(replace(source, data=str(moved))) == before
    vectors = tmp_path / "v.txt"
    vectors.write_text("good 1\n")
    others.add(digest(replace(source, vectors=str(vectors))))
    vectors.write_text("good 2\n")
    others.add(digest(replace(source, vectors=str(vectors))))
    table.write_text(table.read_text() + "a fine film,1\n")
    others.add(digest(source))
    assert len(others | {before, digest(SMALL), digest(Source())}) == 10


REVIEWS = {
    "review": [f"{'good' if i % 2 else 'bad'} film number {i}" for i in range(40)],
    "stars": [i % 2 for i in range(40)],
}


def test_a_table_in_memory_is_read_as_a_file_with_its_rows_is(table: Path) -> None:
    source = source_of(REVIEWS, max_length=9)
    data, same = load(source), load(Source(str(table), max_length=9))
    assert (data.name, data.notes) == ("table", same.notes)
    check_dataset(data, again=lambda: load(source))
    for name, split in same.splits.items():
        assert [data.tokens(name, row) for row in range(len(split))] == [
            same.tokens(name, row) for row in range(len(split))
        ]
    assert digest(source) == digest(source_of(REVIEWS, max_length=9))
    others = [
        source_of(REVIEWS),
        source_of(REVIEWS | {"stars": [1 - i % 2 for i in range(40)]}, max_length=9),
    ]
    assert len({digest(one) for one in (source, *others)}) == 3


def test_interactions_in_memory(played: Path) -> None:
    columns = dict(zip(("who", "what", "when"), zip(*rows(), strict=True), strict=True))
    source = source_of(columns, **ASKED, filter="none", length=4, samples=2)
    data, same = load(source), load(Source(str(played), **ASKED, filter="none", length=4, samples=2))
    check_dataset(data, again=lambda: load(source))
    assert data.histories.ids.tolist() == same.histories.ids.tolist()
    assert (data.name, data.notes) == ("table", same.notes)
    with pytest.raises(
        BadData, match=r"^table has no column 'nope' for --item: its columns are who, what and"
    ):
        load(source_of(columns, user="who", item="nope"))


def test_what_somebody_means_by_data(table: Path) -> None:
    assert source_of(table, text="review") == source_of(str(table), text="review")
    assert source_of(Source("x.csv"), label="stars") == Source("x.csv", label="stars")
    assert load(Source("mine", frame=Frame.of(REVIEWS))).name == "mine"
    with pytest.raises(
        BadSetting, match=r"^'planted' is a named data set: call the table in memory something"
    ):
        Source("planted", frame=Frame.of(REVIEWS))
    with pytest.raises(
        BadSetting, match=r"^--steps cuts images into strips, but 'table' is a table of texts"
    ):
        load(source_of(REVIEWS, steps=3))
    with pytest.raises(BadSetting, match=r"^expected images in a file, but 'x\.npz' is a table in memory$"):
        load(Source("x.npz", frame=Frame.of(REVIEWS)))


def test_unknown_names_and_missing_files(tmp_path: Path) -> None:
    for use in (load, digest):
        with pytest.raises(UnknownName, match=r"^unknown data set or file 'tweeteval/emotoin': did you mean"):
            use(Source("tweeteval/emotoin"))
        with pytest.raises(BadData, match=r"nothing\.csv does not exist: expected a file that ends in"):
            use(Source(str(tmp_path / "nothing.csv")))
        with pytest.raises(BadData, match=r" is a directory: expected a file that ends in"):
            use(Source(str(tmp_path)))


def test_settings_out_of_range() -> None:
    with pytest.raises(BadSetting, match=r"^expected max_length to be at least 1, but got 0$"):
        Source(max_length=0)
    with pytest.raises(BadSetting, match=r"^expected limit to be at least 2, but got 1$"):
        Source(limit=1)
    with pytest.raises(BadSetting, match=r"^planted: expected train to be at least 2, but got 0$"):
        load(Source("planted:train=0"))
    with pytest.raises(
        BadSetting, match=r"^--text names a column of a file, but 'planted' is a named data set"
    ):
        load(Source(text="review"))


def test_limit_and_vectors(tmp_path: Path) -> None:
    (tmp_path / "v.txt.gz").write_bytes(gzip.compress(b"film 1 2\ngood 3 4\n"))
    data = load(replace(SMALL, limit=10, vectors=str(tmp_path / "v.txt.gz")))
    assert len(data.splits["train"]) == 10
    assert data.task.vectors[data.vocabulary.index["film"]].tolist() == [1.0, 2.0]
    check_dataset(data)


def test_a_set_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadData) as caught:
        load(Source("sst2"), tmp_path)
    assert str(caught.value) == (
        "data set 'sst2' needs sst2/train.tsv, sst2/dev.tsv and sst2/test.tsv (plain or .gz), published as "
        "the Stanford Sentiment Treebank (nlp.stanford.edu/sentiment), lines 'sentence<TAB>label': "
        f"put the files into {tmp_path} (looked in {tmp_path} and {tmp_path / 'cache' / 'holdfast' / 'data'})"
    )


def test_available(tmp_path: Path) -> None:
    found = {line.name: line for line in available(tmp_path)}
    assert found["planted"].ready
    assert found["planted"].where == "always there: it is generated"
    assert not found["sst2"].ready
    assert "sst2/train.tsv" in found["sst2"].where
    assert found["planted-plays"].ready
    assert "ml-1m/ratings.dat" in found["ml-1m"].where
    assert len(found) == 25


def test_the_digest_tells_the_defaults_of_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(Source("planted"))
    monkeypatch.setattr("holdfast.data.source._named", lambda data: Planted(train=Planted().train + 1))
    assert digest(Source("planted")) != before


@pytest.fixture
def played(tmp_path: Path) -> Path:
    return put_csv(tmp_path / "played.csv", rows(), "who,what,when")


ASKED = {"user": "who", "item": "what", "time": "when"}


def test_a_file_of_interactions(played: Path) -> None:
    source = Source(str(played), **ASKED, filter="none", length=4, samples=2)
    data = load(source)
    check_dataset(data, again=lambda: load(source))
    assert (data.name, len(data.users), len(data.items), data.task.length) == ("played", 8, 12, 4)
    assert names_of(data, data.user_row("u0")) == ["i0", "i2", "i4", "i6", "i8", "i10"]
    assert Source(**asdict(source)) == source
    again = put_csv(played.with_name("again.csv"), [*rows(), rows()[0]], "who,what,when")
    assert (
        "1 row repeats another (user, item and time): dropped."
        in load(Source(str(again), **ASKED, least=1, repeats="drop")).notes
    )
    with pytest.raises(BadSetting, match="--repeats drop needs times"):
        load(Source(str(played), user="who", item="what", repeats="drop"))
    few = load(Source(str(played), **ASKED, least=4))
    assert few.notes[0] == "There are 8 users, 12 items and 48 interactions."


def test_what_models_read_is_told_by_the_source() -> None:
    for source, kind in (
        (Source("planted"), "text"),
        (Source("digits"), "image"),
        (Source("ml-1m:length=9"), "interaction"),
        (Source("planted-plays"), "interaction"),
        (Source("x.csv"), "text"),
        (Source("x.csv", user="u"), "interaction"),
        (Source("x.parquet", item="u"), "interaction"),
        (Source("x.txt"), "interaction"),
        (Source("x.txt.gz"), "interaction"),
        (Source("x.csv", filter="core"), "interaction"),
    ):
        assert reads(source) == kind


def test_what_is_usual_is_written_down() -> None:
    written = asdict(Source("x.csv", user="u", length=7))
    found = {name: written[name] for name in ("filter", "least", "length", "samples", "holdout")}
    assert found == {"filter": "once", "least": 5, "length": 7, "samples": None, "holdout": "test"}
    assert asdict(Source("x.csv"))["filter"] is None


def test_the_digest_of_interactions(played: Path) -> None:
    source = Source(str(played), **ASKED)
    changes = ({"filter": "core"}, {"least": 2}, {"length": 3}, {"samples": 2}, {"holdout": "validation"})
    found = {digest(replace(source, **change)) for change in ({}, *changes, {"limit": 5}, {"time": None})}
    assert len(found) == 8
    assert digest(replace(source, repeats="drop")) not in found
    assert digest(replace(source, repeats="keep")) == digest(replace(source, strict=True)) == digest(source)
    assert digest(Source("planted-plays")) != digest(Source("planted-plays:length=9"))
    with pytest.raises(BadData, match=r"none\.txt does not exist: expected a file that ends in \.csv, \.tsv"):
        digest(Source(str(played.parent / "none.txt")))


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            {"data": "ml-1m", "user": "u"},
            r"^--user names a column of a file, but 'ml-1m' is a named data set",
        ),
        ({"data": "ml-1m", "length": 9}, r"write 'ml-1m:length=9'$"),
        (
            {"data": "ml-1m", "repeats": "drop"},
            r"^--repeats is about the rows of a file, but 'ml-1m' is a named data set: leave it out$",
        ),
        (
            {"data": "sst2", "strict": True},
            r"^--strict is for your own tables, but 'sst2' is a named data set: leave it out$",
        ),
        (
            {"data": "planted", "filter": "core"},
            r"^filter is for files of interactions: for the named data set",
        ),
        (
            {"data": "planted-plays", "vectors": "x"},
            r"^--vectors names word vectors, but 'planted-plays' is an interaction data set",
        ),
        (
            {"data": "x.csv", "user": "u", "text": "t"},
            r"^--text names a column of a file, but 'x.csv' is a file of",
        ),
        (
            {"data": "x.csv", "user": "u", "steps": 2},
            r"^--steps cuts images into strips, but 'x.csv' is a file of",
        ),
        ({"data": "x.csv", "user": "u", "least": 0}, r"^expected least to be 1 or more, but got 0$"),
        ({"data": "x.csv", "user": "u", "samples": 0}, r"^expected samples to be 1 or more, but got 0$"),
    ],
)
def test_options_that_do_not_fit(source: dict, sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence):
        load(Source(**source))


def test_interactions_without_their_columns(tmp_path: Path) -> None:
    path = put_csv(tmp_path / "p.csv", rows())
    with pytest.raises(
        BadData, match=r"has columns of users and items: for interactions, name them with --user"
    ):
        load(Source(str(path)))
    assert load(Source(str(path), user="user", filter="none")).task.kind == "interaction"


def test_a_table_taken_for_interactions_has_its_columns_by_their_names(tmp_path: Path) -> None:
    path = put_csv(tmp_path / "p.csv", rows(), "User_ID,movieId,date")
    source = taken_for(Source(str(path)), "interaction")
    assert source == Source(str(path), filter="once")
    data = load(replace(source, least=1))
    assert data.notes[0] == (
        "The users are column 'User_ID', the items column 'movieId', the times column 'date', by their names."
    )
    for other in (Source("sst2"), Source("x.npz"), Source("x.csv", text="t"), Source("x.csv", user="u")):
        assert taken_for(other, "interaction") is other
