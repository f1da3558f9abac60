from pathlib import Path

from tests.data.set_files import loaded, put, sizes, texts


def test_rotten_tomatoes_in_either_encoding(tmp_path: Path) -> None:
    put(tmp_path, "rotten-tomatoes/rt-polarity.neg", texts("bad", 20))
    put(tmp_path, "rotten-tomatoes/rt-polarity.pos", texts("fiancée", 20))
    first = loaded("rotten-tomatoes", tmp_path)
    assert sizes(first) == [32, 4, 4]
    path = tmp_path / "rotten-tomatoes" / "rt-polarity.pos"
    path.write_bytes(path.read_text().encode("cp1252"))
    assert loaded("rotten-tomatoes", tmp_path).vocabulary == first.vocabulary
    assert (
        "Rotten Tomatoes publishes no splits: a seeded, stratified split of 80/10/10 % is used."
        in first.notes
    )
