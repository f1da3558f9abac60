import gzip
import os
import signal
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast.core.errors import BadData, BadInput
from holdfast.data import reading
from holdfast.data.image.given import read_image
from holdfast.data.interaction.file import read_interactions
from holdfast.data.reading import read_lines, read_text, roots
from holdfast.data.source import Source, digest, load
from holdfast.data.text.vectors import read_vectors


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("a\u2028b\x85c\r\n\nlast".encode())
    assert read_lines(tmp_path / "a.txt") == ["a\u2028b\x85c", "", "last"]


def test_fallback(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9\n")
    assert read_text(tmp_path / "a.txt", "cp1252") == "café\n"


def test_missing_and_directory(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"a\.txt does not exist: expected a data file$"):
        read_text(tmp_path / "a.txt")
    with pytest.raises(BadData, match=r"is a directory: expected a data file$"):
        read_text(tmp_path)


def test_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_DATA", "/env")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert roots(Path("/given")) == [Path("/given"), Path("/env"), Path("/cache/holdfast/data")]
    monkeypatch.delenv("HOLDFAST_DATA")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert roots(None) == [Path("/home/somebody/.cache/holdfast/data")]


def test_what_cannot_be_unpacked_is_one_sentence(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"%d 1 2 3\n" % user for user in range(20_000)))
    (tmp_path / "a.txt.gz").write_bytes(whole[: len(whole) // 2])
    for read in (read_text, read_interactions):
        with pytest.raises(BadData, match=r"a\.txt\.gz is not a readable gzip file \(Compressed file ended"):
            read(tmp_path / "a.txt.gz")


READERS = {
    "a.csv.gz": (read_text, read_interactions),
    "a.txt.gz": (read_text, read_interactions),
    "a.vec.gz": (read_text, lambda path: read_vectors([path], ["0"])),
}


@pytest.mark.parametrize("name", READERS)
def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(reading, "SMALL", 1 << 20)
    head = b"user,item\n" if name == "a.csv.gz" else b"user item\n"
    (tmp_path / name).write_bytes(gzip.compress(head + b"0" * (1 << 26)))
    for read in READERS[name]:
        with (
            traced() as peak,
            pytest.raises(BadData, match=rf"{name} unpacks to more than .* at most 200 times"),
        ):
            read(tmp_path / name)
        assert peak() < 1 << 26


@contextmanager
def traced() -> Iterator[Callable[[], int]]:
    """The most memory that Python held."""
    tracemalloc.start()
    found: list[int] = []
    try:
        yield lambda: found[0]
    finally:
        found.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()


def test_files_are_bounded(tmp_path: Path) -> None:
    for name, limit in (("a.csv", reading.WHOLE), ("a.txt", reading.STREAMED)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(limit + 1)  # takes no room on the disk
        with pytest.raises(
            BadData, match=rf"a\.... has {limit + 1:,} bytes: expected a data file of at most"
        ):
            load(Source(str(tmp_path / name)))
    with pytest.raises(BadData, match=r"a\.txt has 68,719,476,737 bytes: expected a file of at most"):
        digest(Source(str(tmp_path / "a.txt")))
    with (tmp_path / "b.txt").open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(
        BadData, match=r"b\.txt: expected lines of less than 67,108,864 bytes, but one is longer"
    ):
        load(Source(str(tmp_path / "b.txt")))


def test_a_bad_byte_far_into_a_file(tmp_path: Path) -> None:
    lines = [b"%d 1 2 3\n" % user for user in range(1_500)] + [b"1500 \xff 2 3\n"]
    (tmp_path / "a.txt").write_bytes(b"".join(lines))
    with pytest.raises(
        BadData, match=r"is not UTF-8 text: byte 0xff in line 1501 cannot be read; save the file"
    ):
        read_interactions(tmp_path / "a.txt")


SOURCES = {
    "texts": ["a.csv", "a.tsv", "a.jsonl", "a.parquet", "a.csv.gz"],
    "images": ["a.npz"],
    "interactions": ["a.txt", "a.inter", "a.txt.gz"],
}
NAMED = [name for names in SOURCES.values() for name in names]


@pytest.fixture
def _alarm() -> Iterator[None]:
    """What waits for a pipe would wait for ever."""

    def stop(number: int, frame: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("_alarm")
@pytest.mark.parametrize(
    "make", [os.mkfifo, lambda path: os.symlink("/dev/zero", path)], ids=["pipe", "zero"]
)
@pytest.mark.parametrize("name", [*NAMED, "plays.csv", "a.vec", "v.npz", "one.npy"])
def test_nothing_waits_for_a_pipe_or_a_device(
    tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    path = tmp_path / name
    make(path)
    (tmp_path / "words.txt").write_text("a\n")
    (tmp_path / "good.csv").write_text(
        "text,label\n" + "".join(f"film {i % 2} {i},{i % 2}\n" for i in range(30))
    )
    refused = pytest.raises(
        BadData, match=rf"^{path} is a device or a pipe: expected .*, so copy its data into"
    )
    if name == "one.npy":
        with refused:
            read_image(path, None)  # type: ignore[arg-type]  # the file comes first
        return
    sources = {"plays.csv": Source(str(path), user="user"), "a.vec": None, "v.npz": None}
    source = sources.get(name, Source(str(path), steps=2 if name == "a.npz" else None))
    source = source or Source(str(tmp_path / "good.csv"), vectors=str(path))
    for use in (load, digest):
        with refused:
            use(source)


@pytest.mark.parametrize("name", ["x" * 5000, "x" * 5000 + ".csv", "x/" * 5000 + "x.npz"])
def test_names_too_long_are_one_short_sentence(tmp_path: Path, name: str) -> None:
    good = tmp_path / "good.csv"
    good.write_text("text,label\n")
    for source in (Source(name), Source(str(good), vectors=name)):
        for use in (load, digest):
            with pytest.raises(BadInput) as caught:
                use(source)
            assert len(str(caught.value)) < 800
