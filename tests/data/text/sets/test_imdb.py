from pathlib import Path

from tests.data.set_files import loaded, put, sizes, texts


def test_imdb(tmp_path: Path) -> None:
    for name in ("train", "test"):
        put(
            tmp_path,
            f"imdb/{name}.tsv",
            [f"{i % 2}\t7\t{i}\t{t}<br />“end" for i, t in enumerate(texts(name, 20))],
        )
    data = loaded("imdb", tmp_path)
    assert sizes(data) == [18, 2, 20]
    assert data.tokens("test", 0) == ["test", "one", "0", "“", "end"]
    assert data.notes[0] == (
        "IMDB publishes no validation texts: a seeded, stratified 10 % of the training texts is used."
    )
